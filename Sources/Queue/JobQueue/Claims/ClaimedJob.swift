/// A job in a worker's hands.
public struct ClaimedJob: Hashable, Sendable {
    public let job: Job
    /// What every further word about the job needs.
    public let token: LeaseToken
    /// Whether the worker is given nothing else until this job has ended: a worker died of it or beside it.
    public var isAlone: Bool { job.lease?.isAlone ?? false }
    /// Until when the worker has to heartbeat, end or release it.
    public let deadline: QueueInstant

    /// - Precondition: the job is leased.
    init(_ job: Job) {
        self.job = job
        token = job.lease!.token
        deadline = job.lease!.deadline
    }
}
