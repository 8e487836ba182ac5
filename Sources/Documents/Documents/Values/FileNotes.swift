public import Media

/// What a client of the app's wire says of a file beside its bytes, and gets back with it.
public struct FileNotes: Hashable, Sendable {
    /// How long the file may be kept: the value of `Cache-Control`.
    public var cacheControl: String?
    /// The client's own object, which means nothing here.
    public var metadata: JSON?

    /// Notes that say nothing.
    public init(cacheControl: String? = nil, metadata: JSON? = nil) {
        self.cacheControl = cacheControl
        self.metadata = metadata
    }

    /// Whether they say nothing.
    public var isEmpty: Bool { cacheControl == nil && metadata == nil }
}
