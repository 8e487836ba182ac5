public import Media
public import RenderHost

/// A request for one source: its recipes, and how they are made.
public struct Order: Sendable {
    /// The renditions that are wanted.
    public var recipes: [Recipe]
    /// Make everything anew, whatever the cache has.
    public var isForced: Bool
    /// Compute the digest even of a large file.
    public var wantsDigest: Bool
    /// The source's digest, where the caller has just computed it from the same open file.
    public var knownDigest: Digest?
    /// Ask the renderer again where the cache remembers a failure that the machine's state may have caused: for a caller
    /// with a backoff of its own.
    public var retriesTransientFailures = false
    /// How many threads one child may use; `nil` for as many as the engine's own.
    public var threadCount: Int?
    /// Ends the work before its time; it then fails as `cancelled`.
    public var cancellation: Cancellation?
    /// Records how the source was opened, for a person who asked.
    public var explanation: Explanation?

    /// An order; by default as the cache has it, with failures that it remembers.
    public init(
        recipes: [Recipe], isForced: Bool = false, wantsDigest: Bool = false, knownDigest: Digest? = nil,
        retriesTransientFailures: Bool = false, threadCount: Int? = nil, cancellation: Cancellation? = nil,
        explanation: Explanation? = nil
    ) {
        self.recipes = recipes
        self.isForced = isForced
        self.wantsDigest = wantsDigest
        self.knownDigest = knownDigest
        self.retriesTransientFailures = retriesTransientFailures
        self.threadCount = threadCount
        self.cancellation = cancellation
        self.explanation = explanation
    }
}
