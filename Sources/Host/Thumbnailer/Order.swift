public import Media
public import RenderHost

/// A request for one source: its recipes, and how to make them.
public struct Order: Sendable {
    /// The wanted renditions.
    public var recipes: [Recipe]
    /// Make everything again from scratch, whatever the cache has.
    public var isForced: Bool
    /// Compute the digest even of a large file.
    public var wantsDigest: Bool
    /// The source's digest, if the caller has just computed it from the same open file.
    public var knownDigest: Digest?
    /// Retry with the renderer if the cache has a failure that the machine's state may have caused: for a caller with
    /// its own backoff.
    public var retriesTransientFailures = false
    /// How many threads one child may use; `nil` for the engine's own setting.
    public var threadCount: Int?
    /// Ends the work early; it then fails with `cancelled`.
    public var cancellation: Cancellation?
    /// Records how the source was opened, for a person who asked.
    public var explanation: Explanation?

    /// An order; by default it uses the cache, including stored failures.
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
