internal import Hashing
internal import Media

/// The digest of an object, and the sums of its blocks.
struct ContentSums: Hashable, Sendable {
    let digest: Digest
    let byteCount: Int64
    /// 16 bytes per block.
    let sums: [UInt8]

    init(digest: Digest, byteCount: Int64, sums: [UInt8]) {
        self.digest = digest
        self.byteCount = byteCount
        self.sums = sums
    }

    /// Whether these are the object's bytes.
    ///
    /// - Parameter start: their offset, which is a block's beginning. They end at a block's end or the object's end.
    func verify(_ bytes: [UInt8], from start: Int64) -> Bool {
        var index = Int(start / Int64(BlockHasher.blockByteCount))
        for offset in stride(from: 0, to: bytes.count, by: BlockHasher.blockByteCount) {
            let block = bytes[offset..<min(offset + BlockHasher.blockByteCount, bytes.count)]
            let place = index * BlockHasher.sumByteCount
            guard place + BlockHasher.sumByteCount <= sums.count,
                SHA256.digest(of: block).bytes.prefix(BlockHasher.sumByteCount)
                    .elementsEqual(sums[place..<(place + BlockHasher.sumByteCount)])
            else { return false }
            index += 1
        }
        return true
    }

    // MARK: In metadata

    private enum Name {
        static let digest = "compass-digest"
        static let sums = "compass-sums"
    }

    /// Objects of at most this many blocks have their sums in the metadata, which is limited to 2 KB.
    private static let mostInMetadata = 32

    /// Whether the sums need a row.
    var isLarge: Bool { sums.count > Self.mostInMetadata * BlockHasher.sumByteCount }

    /// The metadata of the object, if the sums fit into it.
    var metadata: [String: String] { [Name.digest: digest.hex, Name.sums: Hex.string(sums)] }

    /// Whether an object has its sums in its metadata.
    static func areKnown(by metadata: [String: String]) -> Bool { metadata[Name.digest] != nil }

    /// Sums from an object's metadata; `nil` if it has none.
    init?(metadata: [String: String], byteCount: Int64) {
        guard let digest = metadata[Name.digest].flatMap({ Digest(hex: $0) }),
            // A store may omit an empty value, which an empty object has.
            let sums = Hex.bytes(Array((metadata[Name.sums] ?? "").utf8))
        else { return nil }
        self.init(digest: digest, byteCount: byteCount, sums: sums)
    }
}
