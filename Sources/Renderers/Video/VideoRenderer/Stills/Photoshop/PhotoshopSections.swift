internal import Formats
internal import Media

/// The parts between a document's header and its picture, each with its size in front.
struct PhotoshopSections {
    private let source: Source
    private var place: Int64

    init(_ source: Source, from place: Int64) {
        self.source = source
        self.place = place
    }

    /// Where the next part's content lies.
    ///
    /// - Throws: `corrupt` where it exceeds the file.
    mutating func next(hasLongCount: Bool = false) throws(Failure) -> Range<Int64> {
        guard let part = try part(at: place, before: source.byteCount, hasLongCount: hasLongCount) else {
            throw .brokenOff
        }
        place = part.upperBound
        return part
    }

    /// A size and what follows it; `nil` where that exceeds `end`.
    private func part(at place: Int64, before end: Int64, hasLongCount: Bool) throws(Failure) -> Range<Int64>? {
        let width = hasLongCount ? 8 : 4
        let bytes = try source.bytes(at: place, count: width)
        guard bytes.count == width else { return nil }
        let count = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let start = place + Int64(width)
        guard start <= end, count <= UInt64(end - start) else { return nil }
        return start..<start + Int64(count)
    }
}

extension PhotoshopSections {
    /// So many blocks are looked at: documents have fewer.
    private static let blockLimit = 64
    /// Blocks whose sizes have 64 bits in a PSB, of those that may come before what is looked for.
    private static let longBlocks: Set<String> = [
        "LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn", "Alph", "FMsk", "lnk2", "FEid", "FXid", "PxSD",
    ]

    /// Whether the plane behind the colours is the picture's transparency, and not a stored selection: the count of layers is
    /// negative then, or with 16 and 32 bits a block of its own says so.
    func tellTransparency(_ layers: Range<Int64>, isLarge: Bool) -> Bool {
        guard let info = try? part(at: layers.lowerBound, before: layers.upperBound, hasLongCount: isLarge) else {
            return false
        }
        if info.count >= 2 { return hasNegativeCount(at: info.lowerBound) }
        guard let mask = try? part(at: info.upperBound, before: layers.upperBound, hasLongCount: false) else {
            return false
        }
        var place = mask.upperBound
        for _ in 0..<Self.blockLimit {
            guard place + 12 <= layers.upperBound, let head = try? source.bytes(at: place, count: 8), head.count == 8
            else { return false }
            let key = String(decoding: head[4...], as: Unicode.ASCII.self)
            let isLong = isLarge && Self.longBlocks.contains(key)
            guard let content = try? part(at: place + 8, before: layers.upperBound, hasLongCount: isLong) else {
                return false
            }
            if ["Mt16", "Mt32", "Mtrn"].contains(key) { return true }
            if ["Lr16", "Lr32"].contains(key), content.count >= 2, hasNegativeCount(at: content.lowerBound) {
                return true
            }
            place = content.lowerBound + Int64(content.count + 3) / 4 * 4
        }
        return false
    }

    private func hasNegativeCount(at place: Int64) -> Bool {
        guard let bytes = try? source.bytes(at: place, count: 2) else { return false }
        return bytes.count == 2 && bytes[0] & 0x80 != 0
    }
}
