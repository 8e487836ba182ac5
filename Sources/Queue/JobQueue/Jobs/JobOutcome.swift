public import Media

/// What a worker says of a job that is done.
public struct JobOutcome: Hashable, Sendable {
    /// The source's digest, where the worker came to know it.
    public var digest: Digest?
    public var timings: [Attempt.Timing]

    public init(digest: Digest? = nil, timings: [Attempt.Timing] = []) {
        self.digest = digest
        self.timings = timings
    }
}
