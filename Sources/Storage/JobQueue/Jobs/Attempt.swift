public import Media

/// One try at a job. It is recorded before the renderer starts, so that the queue knows which job took a worker down.
public struct Attempt: Hashable, Sendable {
    /// The attempt's number, from 1. Requeuing the job does not reset it.
    public let number: Int
    /// The name of the worker that held the lease.
    public let worker: String
    /// When the worker recorded the attempt.
    public let started: QueueInstant
    /// Whether the worker ran no other job meanwhile. If so, its death counts against this job.
    public let isAlone: Bool
    /// When the attempt ended; `nil` while it runs.
    public internal(set) var ended: QueueInstant?
    /// How the attempt ended; `nil` while it runs.
    public internal(set) var end: End?
    /// Why the attempt failed; `nil` if it did not.
    public internal(set) var failure: Failure?
    /// The duration of each step, as the worker reports it.
    public internal(set) var timings: [Timing]

    /// The ways in which an attempt can end.
    public enum End: String, Hashable, Sendable, CaseIterable {
        case completed
        case failed
        /// The lease ran out without a heartbeat.
        case workerDied
        /// The worker released the job, as in a drain.
        case released
        /// A person cancelled the job.
        case cancelled
    }

    /// The duration of one step of an attempt.
    public struct Timing: Hashable, Sendable {
        /// `sniff`, `render`, `encode`, …
        public let step: String
        /// The step's duration by the worker's monotonic clock.
        public let milliseconds: Double

        /// One step with its duration.
        public init(step: String, milliseconds: Double) {
            self.step = step
            self.milliseconds = milliseconds
        }
    }
}
