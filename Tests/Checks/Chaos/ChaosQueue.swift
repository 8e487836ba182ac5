import JobQueue
import Media
import QueueWrapping
import Synchronization

/// A real queue that kills its process at a point, keeps a journal of acknowledged calls, and can switch off a
/// safeguard.
final class ChaosQueue: WrappedQueue {
    let base: any JobQueue
    private let mode: ChaosMode
    private let killer: Killer
    private let journal: Journal
    private let jobs = Mutex<[LeaseToken: Job]>([:])

    init(_ base: any JobQueue, mode: ChaosMode, killer: Killer, journal: Journal) {
        self.base = base
        self.mode = mode
        self.killer = killer
        self.journal = journal
    }

    func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> [ClaimedJob] {
        let claimed = try base.claim(upTo: limit, by: worker, for: lease, downTo: lowest, passing: parties)
        jobs.withLock { jobs in for claim in claimed { jobs[claim.token] = claim.job } }
        if !claimed.isEmpty { killer.pass(.afterClaim) }
        return claimed
    }

    func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        killer.pass(.beforeAttempt)
        let number = try base.recordAttempt(token)
        killer.pass(.afterAttempt)
        if let job = jobs.withLock({ $0[token] }), Supply.isKiller(job.source.location) { killer.die(of: job.id) }
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
        let id = jobs.withLock { $0[token] }!.id
        do throws(QueueError) {
            try base.complete(token, outcome)
        } catch {
            guard mode == .unfenced, error == .leaseLost else { throw error }
            // As in a queue without tokens: this call ends the job, whichever worker has it now.
            if let current = try base.show(id).job.lease?.token { try base.complete(current, outcome) }
        }
        journal.write("complete \(id) \(token.hex)")
    }
}
