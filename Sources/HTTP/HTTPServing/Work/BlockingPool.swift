internal import Linux
internal import NIOPosix
internal import Synchronization

/// Threads for calls that block: the store, the cache, the engine. A waiting task holds no thread.
///
/// Parties take turns, as `WorkScope` names them. Each has its own queue and a share of the threads, so that a party
/// with many slow calls waits only for itself. The number of waiting calls is limited: beyond it, refusing a request at
/// once is better than serving it too late.
public final class BlockingPool: Sendable {
    private let threads: NIOThreadPool
    private let threadCount: Int
    private let queueLength: Int
    /// The number of threads that a party may have at once, and of its calls that may wait.
    private let threadsOfParty: Int
    private let queueLengthOfParty: Int
    private let state = Mutex(State())

    private struct State {
        var running = 0
        var waiting = 0
        var nextTicket = 0
        /// The parties that have calls.
        var parties: [String?: Party] = [:]
        /// Parties with waiting calls, in the order of their turns.
        var turns: [String?] = []
        var isStopped = false
        /// When a call last began or ended.
        var lastStep = Time.monotonic
    }

    private struct Party {
        var running = 0
        var queue: [(ticket: Int, work: Work)] = []
    }

    private struct Work: Sendable {
        let party: String?
        let run: @Sendable () -> Void
        let abandon: @Sendable (any Error) -> Void
    }

    /// A pool whose threads run until `stop`.
    ///
    /// - Parameters:
    ///   - queueLength: the number of calls that may wait while all threads are busy. One party may have an eighth of
    ///     it.
    ///   - threadsOfParty: the number of threads that one party may have; by default a quarter. Use all threads if
    ///     calls are short.
    public init(threadCount: Int, queueLength: Int, threadsOfParty: Int? = nil) {
        precondition(threadCount > 0 && queueLength >= 0)
        self.threadCount = threadCount
        self.queueLength = queueLength
        self.threadsOfParty = threadsOfParty ?? max(1, threadCount / 4)
        queueLengthOfParty = max(4, queueLength / 8)
        threads = NIOThreadPool(numberOfThreads: threadCount)
        threads.start()
    }

    /// Runs a blocking call on one of the threads.
    ///
    /// A cancelled task gives up its place in the queue at once; a call that has begun runs to its end.
    /// - Throws: `overloaded`, `stopping`, `CancellationError`, or the call's own error.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let (ticket, scope) = (makeTicket(), WorkScope.current)
        // ThreadSanitizer sees this object's lock, but not that a continuation is resumed before its task continues.
        let outcome = Promise<Result<Value, any Error>>()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                admit(
                    Work(
                        party: scope.party,
                        run: {
                            scope.around { outcome.fulfil(Result(catching: body)) }
                            continuation.resume()
                        },
                        abandon: { continuation.resume(throwing: $0) }),
                    ticket)
                // A cancellation before the admission found nothing to remove.
                if Task.isCancelled { abandon(ticket, of: scope.party) }
            }
        } onCancel: {
            abandon(ticket, of: scope.party)
        }
        return try outcome.current!.get()
    }

    /// Runs a blocking call on one of the threads, for a caller that is not a task.
    ///
    /// - Parameter done: called once, on any thread: with the value, or `nil` if the pool does not accept the call.
    func run<Value: Sendable>(
        for party: String?, _ body: @escaping @Sendable () -> Value?, then done: @escaping @Sendable (Value?) -> Void
    ) {
        admit(Work(party: party, run: { done(body()) }, abandon: { _ in done(nil) }), makeTicket())
    }

    private func makeTicket() -> Int {
        state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
    }

    /// Calls without a party may use everything.
    private func mostThreads(of party: String?) -> Int { party == nil ? threadCount : threadsOfParty }
    private func mostWaiting(of party: String?) -> Int { party == nil ? queueLength : queueLengthOfParty }

    private enum Admission {
        case runs, waits
        case refused(ServingError)
    }

    private func admit(_ work: Work, _ ticket: Int) {
        let party = work.party
        let admission = state.withLock { state -> Admission in
            if state.isStopped { return .refused(.stopping) }
            let known = state.parties[party] ?? Party()
            if state.running < threadCount, known.running < mostThreads(of: party) {
                begin(party, &state)
                state.running += 1
                return .runs
            }
            guard state.waiting < queueLength, known.queue.count < mostWaiting(of: party) else {
                return .refused(.overloaded)
            }
            if known.queue.isEmpty { state.turns.append(party) }
            state.parties[party, default: Party()].queue.append((ticket, work))
            state.waiting += 1
            return .waits
        }
        switch admission {
        case .waits: break
        case .refused(let error): work.abandon(error)
        case .runs:
            threads.submit { [self] state in
                guard state == .active else { return work.abandon(ServingError.stopping) }
                work.run()
                var party = party
                while let next = nextWork(after: party) {
                    next.run()
                    party = next.party
                }
            }
        }
    }

    private func begin(_ party: String?, _ state: inout State) {
        state.parties[party, default: Party()].running += 1
        state.lastStep = Time.monotonic
    }

    /// The next call in turn, for a thread that has ended a call of a party.
    private func nextWork(after party: String?) -> Work? {
        state.withLock { state in
            state.lastStep = Time.monotonic
            state.parties[party]?.running -= 1
            if let ended = state.parties[party], ended.running == 0, ended.queue.isEmpty { state.parties[party] = nil }
            // The skipped parties already have all the threads that they may have: there are few.
            let place = state.turns.firstIndex { (state.parties[$0]?.running ?? 0) < mostThreads(of: $0) }
            guard let place else {
                state.running -= 1
                return nil
            }
            let next = state.turns.remove(at: place)
            let work = state.parties[next]!.queue.removeFirst().work
            state.waiting -= 1
            if !state.parties[next]!.queue.isEmpty { state.turns.append(next) }
            begin(next, &state)
            return work
        }
    }

    private func abandon(_ ticket: Int, of party: String?) {
        let work = state.withLock { state -> Work? in
            guard let place = state.parties[party]?.queue.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            let work = state.parties[party]?.queue.remove(at: place).work
            state.waiting -= 1
            if state.parties[party]?.queue.isEmpty == true {
                state.turns.removeAll { $0 == party }
                if state.parties[party]?.running == 0 { state.parties[party] = nil }
            }
            return work
        }
        work?.abandon(CancellationError())
    }

    /// The number of running calls, and of calls that wait for a thread.
    public var load: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting) } }

    /// Whether every thread is busy, and no call has begun or ended for `time`: the calls hang.
    public func isStuck(for time: Duration) -> Bool {
        state.withLock { $0.running == threadCount && Time.monotonic - $0.lastStep >= time }
    }

    /// Refuses new and waiting calls, and returns when the running ones have ended.
    public func stop() async {
        let waiting = state.withLock { state in
            state.isStopped = true
            let waiting = state.parties.values.flatMap(\.queue)
            for party in state.turns { state.parties[party]?.queue = [] }
            state.turns = []
            state.waiting = 0
            return waiting
        }
        for call in waiting { call.work.abandon(ServingError.stopping) }
        try? await threads.shutdownGracefully()
    }
}
