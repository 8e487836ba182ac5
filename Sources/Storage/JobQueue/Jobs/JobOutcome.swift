public import Media

/// A worker's report on a job that is done.
public struct JobOutcome: Hashable, Sendable {
    /// The source's SHA-256; `nil` if the worker has not computed it.
    public var digest: Digest?
    /// The duration of each step.
    public var timings: [Attempt.Timing]

    /// A report, by default an empty one.
    public init(digest: Digest? = nil, timings: [Attempt.Timing] = []) {
        self.digest = digest
        self.timings = timings
    }
}
