/// A leased job as its worker receives it.
public struct ClaimedJob: Hashable, Sendable {
    /// The job at the moment of the claim.
    public let job: Job
    /// The token for every further operation on the job.
    public let token: LeaseToken
    /// Whether the worker gets no other job until this one ends, because a worker has died while running it.
    public var isAlone: Bool { job.lease?.isAlone ?? false }
    /// The moment by which the worker must send a heartbeat, or end or release the job.
    public let deadline: QueueInstant

    /// The attempt's number, if the claim has recorded its start. Otherwise `nil`, and the worker records it.
    public let attempt: Int?

    /// - Precondition: the job is leased.
    init(_ job: Job, attempt: Int? = nil) {
        self.job = job
        self.attempt = attempt
        token = job.lease!.token
        deadline = job.lease!.deadline
    }
}
