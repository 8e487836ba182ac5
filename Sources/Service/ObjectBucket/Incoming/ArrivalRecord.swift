internal import Media
internal import S3

/// What the store knows of a file that arrives: an object of its own, so that any process on any host can go on with it.
///
/// A line of JSON, then the file's first bytes, then its last ones, which are too few for a part.
struct ArrivalRecord: Sendable {
    /// The upload in parts; `nil` before its first part.
    var upload: String?
    var parts: [S3Part] = []
    /// Hashes the bytes of all parts; behind the last part of a sealed file it holds no midpoint.
    var hasher = BlockHasher()
    /// The first bytes, as far as they are in the parts.
    var head: [UInt8] = []
    /// The bytes behind the parts, of a record that was read.
    var tail: ArraySlice<UInt8> = []
    /// Set once all bytes are in the parts, and these are to become one file.
    var sealed: ContentSums?

    /// The bytes of a part; the last one of a file may have fewer.
    static let partByteCount = 8 << 20
    /// S3's bound.
    static let mostParts = 10_000
    /// So many of the first bytes are kept at hand.
    static let headByteCount = 64 << 10
    /// The most bytes of a record: head, tail, and 10,000 parts with the sums of their blocks.
    static let longest = 24 << 20

    /// The field of the metadata that has the number of bytes that arrived.
    static let byteCountName = "compass-bytes"

    init() {}

    /// The number of bytes that arrived.
    var byteCount: Int64 { sealed?.byteCount ?? hasher.byteCount + Int64(tail.count) }

    /// The record as it is stored, in one piece of memory: the tail may be almost a part.
    ///
    /// - Parameter tail: the bytes behind the parts.
    func bytes(endingWith tail: UnsafeRawBufferPointer) -> [UInt8] {
        let state = hasher.midpoint
        let json = JSON.object([
            "version": .integer(2), "upload": upload.map(JSON.string),
            "parts": .array(parts.map { .string($0.tag) }), "hashed": .integer(hasher.byteCount),
            "midpoint": sealed == nil ? .string(Hex.string(state.midpoint)) : nil,
            "sums": .string(Hex.string(sealed?.sums ?? state.sums)), "sha256": (sealed?.digest.hex).map(JSON.string),
            "bytes": .integer(byteCount(with: tail)), "head": .integer(Int64(head.count)),
        ])
        let line = json.utf8 + [UInt8(ascii: "\n")]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count + head.count + tail.count)
        bytes += line
        bytes += head
        bytes += tail
        return bytes
    }

    /// The number of bytes that arrived, with those behind the parts.
    func byteCount(with tail: UnsafeRawBufferPointer) -> Int64 {
        sealed?.byteCount ?? hasher.byteCount + Int64(tail.count)
    }

    /// A record from the store; `nil` where these bytes are none.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let json = try? JSON(parsing: Array(bytes[..<end])), json["version"]?.int == 2,
            let tags = json["parts"]?.array?.map(\.string), !tags.contains(nil), tags.count <= Self.mostParts,
            let sums = json["sums"]?.string.flatMap({ Hex.bytes(Array($0.utf8)) }),
            let total = json["bytes"]?.integer, let headByteCount = json["head"]?.int,
            (0...(bytes.count - end - 1)).contains(headByteCount)
        else { return nil }
        upload = json["upload"]?.string
        parts = tags.enumerated().map { S3Part(number: $0.offset + 1, tag: $0.element!) }
        guard parts.isEmpty || upload != nil else { return nil }
        head = Array(bytes[(end + 1)...].prefix(headByteCount))
        tail = bytes[(end + 1 + headByteCount)...]
        guard tail.count < Self.partByteCount else { return nil }
        if let digest = json["sha256"]?.string {
            guard let digest = Digest(hex: digest), tail.isEmpty else { return nil }
            sealed = ContentSums(digest: digest, byteCount: total, sums: sums)
        } else {
            guard let midpoint = json["midpoint"]?.string.flatMap({ Hex.bytes(Array($0.utf8)) }),
                let hashed = json["hashed"]?.integer, hashed == Int64(parts.count) * Int64(Self.partByteCount),
                let hasher = BlockHasher(byteCount: hashed, midpoint: midpoint, sums: sums)
            else { return nil }
            self.hasher = hasher
        }
        guard byteCount == total else { return nil }
    }
}
