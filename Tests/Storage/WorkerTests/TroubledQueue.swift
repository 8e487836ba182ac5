import JobQueue
import Media
import QueueWrapping
import Synchronization

/// A queue that fails on command.
final class TroubledQueue: WrappedQueue {
    private struct State {
        var trouble: QueueError?
        var losesAttempts = false
    }

    let base: any JobQueue
    private let state = Mutex(State())

    init(_ base: any JobQueue) { self.base = base }

    /// The error of all workers' operations; `nil` for none.
    var trouble: QueueError? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Whether recording an attempt finds the lease lost.
    var losesAttempts: Bool {
        get { state.withLock { $0.losesAttempts } }
        set { state.withLock { $0.losesAttempts = newValue } }
    }

    private func check() throws(QueueError) { if let trouble { throw trouble } }

    func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> [ClaimedJob] {
        try check()
        return try base.claim(upTo: limit, by: worker, for: lease, downTo: lowest, passing: parties)
    }

    func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        try check()
        if losesAttempts { throw .leaseLost }
        return try base.recordAttempt(token)
    }

    func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        try check()
        try base.complete(token, outcome)
    }

    func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
        try check()
        return try base.heartbeat(token, for: lease)
    }

    func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState {
        try check()
        return try base.fail(token, failure, isRetryable: isRetryable, timings: timings)
    }

    func release(_ token: LeaseToken) throws(QueueError) {
        try check()
        try base.release(token)
    }
}
