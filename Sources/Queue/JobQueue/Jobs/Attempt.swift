public import Media

/// One try at a job, recorded before its renderer starts: a file that takes a process down is known by name.
public struct Attempt: Hashable, Sendable {
    /// From 1; goes on counting when a job is requeued.
    public let number: Int
    public let worker: String
    public let started: QueueInstant
    /// Whether the worker had no other job in work meanwhile: its death then speaks against this one.
    public let isAlone: Bool
    /// `nil` while it runs.
    public internal(set) var ended: QueueInstant?
    public internal(set) var end: End?
    public internal(set) var failure: Failure?
    /// Where the time went, as the worker tells it.
    public internal(set) var timings: [Timing]

    /// How an attempt came to its end.
    public enum End: String, Hashable, Sendable, CaseIterable {
        case completed
        case failed
        /// The lease ran out without a word.
        case workerDied
        /// The worker gave it back, as in a drain.
        case released
        /// Somebody cancelled the job.
        case cancelled
    }

    /// One step's share of an attempt.
    public struct Timing: Hashable, Sendable {
        /// `sniff`, `render`, `encode`, …
        public let step: String
        public let milliseconds: Double

        public init(step: String, milliseconds: Double) {
            self.step = step
            self.milliseconds = milliseconds
        }
    }
}
