public import Media
public import ThumbnailCache

/// The answer to an order: facts, placeholder, and for each recipe a rendition or its failure.
public struct Thumbnails: Sendable {
    /// The recipes of the order.
    public let recipes: [Recipe]
    /// In the order of the recipes. A rendition without a path could not be stored; its bytes are included.
    public let results: [Result<StoredRendition, Failure>]
    /// Absent if the source was too large to hash, or no cache is used.
    public let digest: Digest?
    /// The source's facts; absent if the cache had every rendition and no facts.
    public let facts: Facts?
    /// The ThumbHash in base64.
    public let placeholder: String?
    /// Whether no media had to be opened.
    public let isCached: Bool
    /// Whether another process's warm renderers made them.
    public let isWarm: Bool
    /// The largest resident size of a child, in bytes; absent if none ran.
    public let peakByteCount: UInt64?
    /// The time that each step took.
    public let timings: Timings

    /// An answer; a warm engine builds it from another process's.
    public init(
        recipes: [Recipe], results: [Result<StoredRendition, Failure>], digest: Digest?, facts: Facts?,
        placeholder: String?, isCached: Bool, isWarm: Bool = false, peakByteCount: UInt64?, timings: Timings
    ) {
        self.recipes = recipes
        self.results = results
        self.digest = digest
        self.facts = facts
        self.placeholder = placeholder
        self.isCached = isCached
        self.isWarm = isWarm
        self.peakByteCount = peakByteCount
        self.timings = timings
    }
}
