/// The blocks of a source that are already in its file; the rest is fetched on demand.
public struct BlockSet: Sendable {
    /// The length of a block in bytes; the last block of a source may be shorter.
    public static let blockByteCount: Int64 = 64 << 10

    /// The length of the source.
    public let byteCount: Int64
    private var words: [UInt64]

    /// The set of a source without any blocks.
    public init(byteCount: Int64) {
        precondition(byteCount >= 0, "a length is not negative")
        self.byteCount = byteCount
        let blockCount = (byteCount + Self.blockByteCount - 1) / Self.blockByteCount
        words = Array(repeating: 0, count: Int((blockCount + 63) / 64))
    }

    /// Inserts all blocks that lie wholly within a range.
    public mutating func insert(_ range: Range<Int64>) {
        let range = range.clamped(to: 0..<byteCount)
        guard !range.isEmpty else { return }
        let first = (range.lowerBound + Self.blockByteCount - 1) / Self.blockByteCount
        // The last block ends with the source.
        let end =
            range.upperBound == byteCount
            ? (byteCount + Self.blockByteCount - 1) / Self.blockByteCount : range.upperBound / Self.blockByteCount
        for block in first..<max(first, end) { words[Int(block / 64)] |= 1 << UInt64(block % 64) }
    }

    /// The first run of missing blocks that a range touches; `nil` if none is missing.
    public func firstMissing(in range: Range<Int64>) -> Range<Int64>? {
        let range = range.clamped(to: 0..<byteCount)
        guard !range.isEmpty else { return nil }
        let last = (range.upperBound - 1) / Self.blockByteCount
        guard let first = (range.lowerBound / Self.blockByteCount...last).first(where: { !has($0) }) else { return nil }
        let end = (first...last).first(where: has) ?? last + 1
        return first * Self.blockByteCount..<min(end * Self.blockByteCount, byteCount)
    }

    private func has(_ block: Int64) -> Bool { words[Int(block / 64)] & 1 << UInt64(block % 64) != 0 }
}
