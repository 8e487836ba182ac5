public import Media

/// What a client of the app's wire says about a file besides its bytes, and gets back with it.
public struct FileNotes: Hashable, Sendable {
    /// How long the file may be cached: the value of `Cache-Control`.
    public var cacheControl: String?
    /// The client's own object, which has no meaning here.
    public var metadata: JSON?

    /// Notes, by default none.
    public init(cacheControl: String? = nil, metadata: JSON? = nil) {
        self.cacheControl = cacheControl
        self.metadata = metadata
    }

    /// Whether they say nothing.
    public var isEmpty: Bool { cacheControl == nil && metadata == nil }
}
