/// A rendition as the cache hands it over.
public struct StoredRendition: Hashable, Sendable {
    /// The rendition; its bytes are those whose checksum was verified, whatever happens to the file later.
    public let rendition: Rendition

    /// Where the file lies; `nil` in a store without files.
    public let path: String?

    /// A rendition at a path.
    public init(rendition: Rendition, path: String?) {
        self.rendition = rendition
        self.path = path
    }
}
