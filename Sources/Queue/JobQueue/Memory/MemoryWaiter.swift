internal import Linux
internal import Synchronization

/// Tells the threads of this process that something was enqueued.
final class MemorySignal: Sendable {
    private let next = Mutex(Promise<Void>())

    /// What the next `send` fulfils.
    var current: Promise<Void> { next.withLock { $0 } }

    func send() {
        let sent = next.withLock { next in
            defer { next = Promise() }
            return next
        }
        sent.fulfil(())
    }
}

/// Sleeps on an `InMemoryQueue`.
final class MemoryWaiter: JobWaiter {
    private let queue: InMemoryQueue
    private let arrivals: MemorySignal
    /// Taken before the claim that finds nothing, so that nothing falls between it and the wait.
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
