internal import S3

/// How far a file has arrived in the bucket, as the rows of the database tell it: any process on any host can go on from there.
struct Arrival: Sendable {
    /// Whether the database has rows of it.
    var hasRows = false
    /// The upload in parts; `nil` before its first part.
    var upload: String?
    var parts: [S3Part] = []
    /// Hashes the bytes of all parts; behind the last part of a sealed file it holds no midpoint.
    var hasher = BlockHasher()
    /// The piece with the first bytes, where these are in a part.
    var head: String?
    /// The piece with the bytes behind the parts, which are too few for one; `nil` where there are none.
    var tail: String?
    /// Set once all bytes are in the parts, and these are to become one file.
    var sealed: ContentSums?

    /// The bytes of a part; the last one of a file may have fewer.
    static let partByteCount = 8 << 20
    /// S3's bound.
    static let mostParts = 10_000
    /// So many of the first bytes are kept at hand.
    static let headByteCount = 64 << 10
}
