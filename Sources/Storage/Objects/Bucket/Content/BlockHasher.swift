internal import Hashing
internal import Media

/// Hashes a file while it arrives: as a whole, and block by block, so that parts of it can be verified later.
struct BlockHasher: Sendable {
    /// The length of a block; the last one may be shorter.
    static let blockByteCount = 256 << 10
    /// The number of bytes kept of a block's SHA-256.
    static let sumByteCount = 16

    private(set) var byteCount: Int64 = 0
    private var whole = SHA256()
    private var block = SHA256()
    private var sums: [UInt8] = []

    init() {}

    /// Continues between two blocks.
    ///
    /// - Returns: `nil` if the values do not belong to such a place.
    init?(byteCount: Int64, midpoint: [UInt8], sums: [UInt8]) {
        guard let whole = SHA256(midpoint: midpoint, byteCount: byteCount),
            byteCount.isMultiple(of: Int64(Self.blockByteCount)),
            sums.count == Int(byteCount) / Self.blockByteCount * Self.sumByteCount
        else { return nil }
        self.whole = whole
        self.byteCount = byteCount
        self.sums = sums
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        whole.update(bytes)
        var rest = bytes[...]
        while !rest.isEmpty {
            let room = Self.blockByteCount - Int(byteCount % Int64(Self.blockByteCount))
            let part = rest.prefix(room)
            block.update(UnsafeRawBufferPointer(rebasing: part))
            byteCount += Int64(part.count)
            rest = rest.dropFirst(part.count)
            if part.count == room { sums += block.digest().bytes.prefix(Self.sumByteCount) }
        }
    }

    /// The state between two blocks, from which another process can continue.
    var midpoint: (midpoint: [UInt8], sums: [UInt8]) { (whole.midpoint, sums) }

    /// The sums of all bytes so far.
    var result: ContentSums {
        var copy = self
        if !byteCount.isMultiple(of: Int64(Self.blockByteCount)) {
            copy.sums += copy.block.digest().bytes.prefix(Self.sumByteCount)
        }
        return ContentSums(digest: copy.whole.digest(), byteCount: byteCount, sums: copy.sums)
    }
}
