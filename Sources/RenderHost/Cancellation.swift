internal import Synchronization

/// Ends the jobs that carry it at somebody's word: whoever asked for them has left.
public final class Cancellation: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var jobs: [ObjectIdentifier: PendingJob] = [:]
    }

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the children now; the jobs fail as `cancelled`, and so do those that begin later.
    public func cancel() {
        let jobs = state.withLock { state in
            state.isCancelled = true
            return Array(state.jobs.values)
        }
        for job in jobs { job.kill() }
    }

    func add(_ job: PendingJob) {
        let isLate = state.withLock { state in
            state.jobs[ObjectIdentifier(job)] = job
            return state.isCancelled
        }
        if isLate { job.kill() }
    }

    func remove(_ job: PendingJob) {
        state.withLock { state in _ = state.jobs.removeValue(forKey: ObjectIdentifier(job)) }
    }
}
