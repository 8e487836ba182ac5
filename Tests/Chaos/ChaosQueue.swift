import JobQueue
import Media
import Synchronization

/// A real queue that dies at a point, keeps a journal of what was acknowledged, and on demand lacks a safeguard.
final class ChaosQueue: JobQueue {
    private let base: any JobQueue
    private let mode: ChaosMode
    private let killer: Killer
    private let journal: Journal
    private let jobs = Mutex<[LeaseToken: JobID]>([:])

    init(_ base: any JobQueue, mode: ChaosMode, killer: Killer, journal: Journal) {
        self.base = base
        self.mode = mode
        self.killer = killer
        self.journal = journal
    }

    func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob] {
        let claimed = try base.claim(upTo: limit, by: worker, for: lease, downTo: lowest)
        jobs.withLock { jobs in for claim in claimed { jobs[claim.token] = claim.job.id } }
        if !claimed.isEmpty { killer.pass(.afterClaim) }
        return claimed
    }

    func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        killer.pass(.beforeAttempt)
        let number = try base.recordAttempt(token)
        killer.pass(.afterAttempt)
        if mode == .hasty { try acknowledge(token, JobOutcome()) }
        killer.pass(.duringRender)
        return number
    }

    func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        if mode == .hasty { return }
        killer.pass(.afterStore)
        killer.pass(.duringComplete)
        try acknowledge(token, outcome)
        killer.pass(.afterComplete)
    }

    func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
        do throws(QueueError) {
            return try base.heartbeat(token, for: lease)
        } catch {
            guard mode == .unfenced, error == .leaseLost else { throw error }
            return WallClock().now + lease
        }
    }

    func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState {
        if mode == .hasty { return .dead }
        return try base.fail(token, failure, isRetryable: isRetryable, timings: timings)
    }

    private func acknowledge(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        let id = jobs.withLock { $0[token] }!
        do throws(QueueError) {
            try base.complete(token, outcome)
        } catch {
            guard mode == .unfenced, error == .leaseLost else { throw error }
            // As a queue without tokens would: whoever has the job now, this word ends it.
            if let current = try base.show(id).job.lease?.token { try base.complete(current, outcome) }
        }
        journal.write("complete \(id) \(token.hex)")
    }
}

// What passes through.
extension ChaosQueue {
    func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] { try base.enqueue(requests) }
    func release(_ token: LeaseToken) throws(QueueError) { try base.release(token) }
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
