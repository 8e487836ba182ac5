internal import S3

/// The progress of an incoming file in the bucket, as recorded in the rows of the database. Any process on any host can
/// continue from there.
struct Arrival: Sendable {
    /// Whether the database has rows for the file.
    var hasRows = false
    /// The multipart upload; `nil` before its first part.
    var upload: String?
    var parts: [S3Part] = []
    /// Hashes the bytes of all parts. After the last part of a sealed file, it holds no midpoint.
    var hasher = BlockHasher()
    /// The piece with the first bytes, if these are in a part.
    var head: String?
    /// The piece with the bytes after the parts, which are too few for a part; `nil` if there are none.
    var tail: String?
    /// Set once all bytes are in the parts, which are then to become one file.
    var sealed: ContentSums?

    /// The size of a part in bytes; the last part of a file may be smaller.
    static let partByteCount = 8 << 20
    /// S3's limit.
    static let mostParts = 10_000
    /// The number of first bytes that are kept at hand.
    static let headByteCount = 64 << 10
}
