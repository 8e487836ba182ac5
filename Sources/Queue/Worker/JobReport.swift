public import JobQueue
public import Media

/// How one attempt at a job went, for logs and metrics.
public struct JobReport: Sendable {
    /// As it was claimed.
    public let job: Job
    /// `nil` where not even that could be recorded.
    public internal(set) var attempt: Int?
    /// Of the source's bytes, as soon as they were read.
    public internal(set) var digest: Digest?
    public internal(set) var outcome: Outcome
    public internal(set) var failure: Failure?
    /// Whether no media had to be opened.
    public internal(set) var isCached = false
    /// From when the job could be claimed until it was.
    public let waited: Duration
    /// From the claim to the end.
    public internal(set) var duration: Duration = .zero
    public internal(set) var timings: [Attempt.Timing] = []

    /// What became of the job by this attempt.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        case done
        /// It comes back after a backoff.
        case retrying
        case dead
        /// Given back: a drain, or a cache that cannot be written.
        case released
        /// Another worker has it, or somebody cancelled it.
        case leaseLost = "lease-lost"
    }

    init(_ claimed: ClaimedJob) {
        job = claimed.job
        outcome = .leaseLost
        let claimedAt = claimed.job.lease!.claimed
        waited = max(.zero, claimedAt - max(claimed.job.notBefore, claimed.job.enqueued))
    }
}
