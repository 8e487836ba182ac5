public import JobQueue
public import Media

/// The course of one attempt at a job, for logs and metrics.
public struct JobReport: Sendable {
    /// The job at the moment of the claim.
    public let job: Job
    /// The attempt's number; `nil` if the attempt could not be recorded.
    public internal(set) var attempt: Int?
    /// The SHA-256 of the source; `nil` if it was not read.
    public internal(set) var digest: Digest?
    /// How the attempt left the job.
    public internal(set) var outcome: Outcome
    /// Why the attempt failed, or why the job was given back; otherwise `nil`.
    public internal(set) var failure: Failure?
    /// Whether the cache had all renditions, so that no media was opened.
    public internal(set) var isCached = false
    /// The time from when the job could be claimed until the claim.
    public let waited: Duration
    /// The time from the claim to the end of the attempt.
    public internal(set) var duration: Duration = .zero
    /// The duration of each step.
    public internal(set) var timings: [Attempt.Timing] = []

    /// The ways in which an attempt can leave the job.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        case done
        /// The job is retried after a backoff.
        case retrying
        case dead
        /// The worker gave the job back, in a drain or because cache or store cannot be used.
        case released
        /// Another worker has the job, or a person cancelled it.
        case leaseLost = "lease-lost"
    }

    init(_ claimed: ClaimedJob) {
        job = claimed.job
        outcome = .leaseLost
        let claimedAt = claimed.job.lease!.claimed
        waited = max(.zero, claimedAt - max(claimed.job.notBefore, claimed.job.enqueued))
    }
}
