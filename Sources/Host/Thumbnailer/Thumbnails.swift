internal import Linux
public import Media
public import RenderHost
public import ThumbnailCache

/// What is wanted of one source.
public struct Order: Sendable {
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
    /// What ends the work before its time; it then fails as `cancelled`.
    public var cancellation: Cancellation?
    /// Where it is written down how the source was opened, for a person who asked.
    public var explanation: Explanation?

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

/// What came of an order: facts, placeholder, and for each recipe a rendition or its failure.
public struct Thumbnails: Sendable {
    public let recipes: [Recipe]
    /// In the order of the recipes. A rendition without a path could not be kept; its bytes are there.
    public let results: [Result<StoredRendition, Failure>]
    /// Absent where the source was too large to hash, or no cache is used.
    public let digest: Digest?
    public let facts: Facts?
    /// The ThumbHash in base64.
    public let placeholder: String?
    /// Whether no media had to be opened.
    public let isCached: Bool
    /// Whether another process's warm renderers made them.
    public let isWarm: Bool
    /// The resident memory of the child that took most, where one ran.
    public let peakByteCount: UInt64?
    public let timings: Timings

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

/// How long each step took, in the order in which the steps were first taken.
public struct Timings: Sendable {
    public private(set) var steps: [(name: String, duration: Duration)] = []

    public init() {}

    /// Runs a step and notes its time.
    mutating func measure<Value, Thrown: Error>(
        _ name: String, _ body: () throws(Thrown) -> Value
    ) throws(Thrown) -> Value {
        let start = Time.monotonic
        defer { add(name, Time.monotonic - start) }
        return try body()
    }

    /// Adds to a step's time.
    public mutating func add(_ name: String, _ duration: Duration) {
        if let index = steps.firstIndex(where: { $0.name == name }) {
            steps[index].duration += duration
        } else {
            steps.append((name, duration))
        }
    }

    /// The sum of all steps.
    public var total: Duration { steps.reduce(.zero) { $0 + $1.duration } }
}
