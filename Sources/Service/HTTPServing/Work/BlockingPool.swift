internal import Linux
internal import NIOPosix
internal import Synchronization

/// Threads for calls that block: the store, the cache, the engine. A task that waits for one holds no thread.
///
/// The number of calls that wait is bounded: beyond it a request is better refused at once than served too late.
public final class BlockingPool: Sendable {
    private let threads: NIOThreadPool
    private let threadCount: Int
    private let queueLength: Int
    private let state = Mutex(State())

    private struct State {
        var running = 0
        var waiting: [Int: Work] = [:]
        /// The ticket of the oldest work that may wait still, and that of the next work.
        var first = 0
        var next = 0
        var isStopped = false
        /// When a call last began or ended.
        var lastStep = Time.monotonic

        mutating func popFirst() -> Work? {
            while first < next {
                defer { first += 1 }
                if let work = waiting.removeValue(forKey: first) { return work }
            }
            return nil
        }
    }

    private struct Work: Sendable {
        let run: @Sendable () -> Void
        let abandon: @Sendable (any Error) -> Void
    }

    /// A pool whose threads run until `stop`.
    ///
    /// - Parameter queueLength: the calls that may wait while all threads are busy.
    public init(threadCount: Int, queueLength: Int) {
        precondition(threadCount > 0 && queueLength >= 0)
        self.threadCount = threadCount
        self.queueLength = queueLength
        threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
    }

    /// Runs a blocking call on one of the threads.
    ///
    /// A cancelled task gives up its place in the queue at once; a call that has begun runs to its end.
    /// - Throws: `overloaded`, `stopping`, `CancellationError`, or the call's own error.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let ticket = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        // ThreadSanitizer sees this object's lock, and does not see that a continuation is resumed before its task goes on.
        let outcome = Promise<Result<Value, any Error>>()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                admit(
                    Work(
                        run: {
                            outcome.fulfil(Result(catching: body))
                            continuation.resume()
                        },
                        abandon: { continuation.resume(throwing: $0) }),
                    ticket)
                // A cancellation before the admission found nothing to remove.
                if Task.isCancelled { abandon(ticket) }
            }
        } onCancel: {
            abandon(ticket)
        }
        return try outcome.current!.get()
    }

    /// Runs a blocking call on one of the threads, for a caller that is no task.
    ///
    /// - Parameter done: called once, on any thread: with the value, or `nil` where the pool takes no call.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value?, then done: @escaping @Sendable (Value?) -> Void
    ) {
        let ticket = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        admit(Work(run: { done(body()) }, abandon: { _ in done(nil) }), ticket)
    }

    private enum Admission {
        case runs, waits
        case refused(ServingError)
    }

    private func admit(_ work: Work, _ ticket: Int) {
        let admission = state.withLock { state -> Admission in
            if state.isStopped { return .refused(.stopping) }
            if state.running < threadCount {
                state.running += 1
                state.lastStep = Time.monotonic
                return .runs
            }
            guard state.waiting.count < queueLength else { return .refused(.overloaded) }
            state.waiting[ticket] = work
            // Tickets are admitted in any order.
            state.first = min(state.first, ticket)
            return .waits
        }
        switch admission {
        case .waits: break
        case .refused(let error): work.abandon(error)
        case .runs:
            threads.submit { [self] state in
                guard state == .active else { return work.abandon(ServingError.stopping) }
                work.run()
                while let next = nextWork() { next.run() }
            }
        }
    }

    private func nextWork() -> Work? {
        state.withLock { state in
            state.lastStep = Time.monotonic
            if let work = state.popFirst() { return work }
            state.running -= 1
            return nil
        }
    }

    private func abandon(_ ticket: Int) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.abandon(CancellationError())
    }

    /// The numbers of calls that run, and that wait for a thread.
    public var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Whether every thread is busy, and no call has begun or ended for `time`: the calls hang.
    public func isStuck(for time: Duration) -> Bool {
        state.withLock { $0.running == threadCount && Time.monotonic - $0.lastStep >= time }
    }

    /// Refuses new calls and those that wait, and returns when those that run have ended.
    public func stop() async {
        let waiting = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for work in waiting { work.abandon(ServingError.stopping) }
        try? await threads.shutdownGracefully()
    }
}
