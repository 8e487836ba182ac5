import JobQueue
import Media
import Synchronization

/// A queue that fails as it is told.
final class TroubledQueue: JobQueue {
    private struct State {
        var trouble: QueueError?
        var losesAttempts = false
    }

    private let base: any JobQueue
    private let state = Mutex(State())

    init(_ base: any JobQueue) { self.base = base }

    /// What workers' words fail with; `nil`: nothing.
    var trouble: QueueError? {
        get { state.withLock { $0.trouble } }
        set { state.withLock { $0.trouble = newValue } }
    }

    /// Whether an attempt finds its lease lost.
    var losesAttempts: Bool {
        get { state.withLock { $0.losesAttempts } }
        set { state.withLock { $0.losesAttempts = newValue } }
    }

    private func check() throws(QueueError) { if let trouble { throw trouble } }

    func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob] {
        try check()
        return try base.claim(upTo: limit, by: worker, for: lease, downTo: lowest)
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

// What passes through.
extension TroubledQueue {
    func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] { try base.enqueue(requests) }
    func reclaimExpired() throws(QueueError) -> Int { try base.reclaimExpired() }
    func reclaim(from worker: String) throws(QueueError) -> Int { try base.reclaim(from: worker) }
    func requeue(_ id: JobID) throws(QueueError) { try base.requeue(id) }
    func cancel(_ id: JobID) throws(QueueError) { try base.cancel(id) }
    func pause(_ kind: JobKind) throws(QueueError) { try base.pause(kind) }
    func resume(_ kind: JobKind) throws(QueueError) { try base.resume(kind) }
    func status() throws(QueueError) -> QueueStatus { try base.status() }
    func list(_ filter: JobFilter) throws(QueueError) -> [Job] { try base.list(filter) }
    func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt]) { try base.show(id) }
    func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int {
        try base.prune(olderThan: age, keepingAtMost: count)
    }
    func nextDue() throws(QueueError) -> QueueInstant? { try base.nextDue() }
    func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool {
        try base.recordCrash(of: digest, build: build)
    }
    func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool {
        try base.isPoisoned(digest, build: build)
    }
    func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent] { try base.poisoned(limit: limit) }
    func makeWaiter() throws(QueueError) -> any JobWaiter { try base.makeWaiter() }
}
