internal import Linux
internal import Synchronization

/// Wakes the threads of this process that wait for a job.
final class MemorySignal: Sendable {
    private let next = Mutex(Promise<Void>())

    /// The promise that the next `send` fulfils.
    var current: Promise<Void> { next.withLock { $0 } }

    func send() {
        let sent = next.withLock { next in
            defer { next = Promise() }
            return next
        }
        sent.fulfil(())
    }
}

/// The waiter of an `InMemoryQueue`.
final class MemoryWaiter: JobWaiter {
    private let queue: InMemoryQueue
    private let arrivals: MemorySignal
    /// Taken before the claim that finds no job, so that a job which arrives before the wait is not missed.
    private let awaited: Mutex<Promise<Void>>

    init(queue: InMemoryQueue, arrivals: MemorySignal) {
        self.queue = queue
        self.arrivals = arrivals
        awaited = Mutex(arrivals.current)
    }

    func wait(atMost limit: Duration) throws(QueueError) -> Bool {
        let awaited = self.awaited.withLock { $0 }
        let rest = try queue.nextDue().map { max(.zero, $0 - queue.surroundings.now) } ?? limit
        if awaited.wait(until: Time.monotonic + min(limit, rest)) != nil {
            self.awaited.withLock { $0 = arrivals.current }
            return true
        }
        return rest < limit
    }

    func wake() { arrivals.send() }
}
