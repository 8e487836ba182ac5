internal import Hashing
public import Media

/// A rendition as the cache returns it.
public struct StoredRendition: Hashable, Sendable {
    /// The rendition; its bytes are the ones whose checksum was verified, whatever happens to the file later.
    public let rendition: Rendition

    /// The SHA-256 of the rendition's bytes.
    public let checksum: Digest

    /// The file's location; `nil` in a store without files.
    public let path: String?

    /// A rendition at a path.
    ///
    /// - Parameter checksum: if it is known; otherwise it is computed.
    public init(rendition: Rendition, checksum: Digest? = nil, path: String?) {
        self.rendition = rendition
        self.checksum = checksum ?? SHA256.digest(of: rendition.bytes)
        self.path = path
    }
}
