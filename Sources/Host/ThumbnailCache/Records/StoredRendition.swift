internal import Hashing
public import Media

/// A rendition as the cache hands it over.
public struct StoredRendition: Hashable, Sendable {
    /// The rendition; its bytes are those whose checksum was verified, whatever happens to the file later.
    public let rendition: Rendition

    /// The SHA-256 of the rendition's bytes.
    public let checksum: Digest

    /// Where the file lies; `nil` in a store without files.
    public let path: String?

    /// A rendition at a path.
    ///
    /// - Parameter checksum: where it is known; else it is computed.
    public init(rendition: Rendition, checksum: Digest? = nil, path: String?) {
        self.rendition = rendition
        self.checksum = checksum ?? SHA256.digest(of: rendition.bytes)
        self.path = path
    }
}
