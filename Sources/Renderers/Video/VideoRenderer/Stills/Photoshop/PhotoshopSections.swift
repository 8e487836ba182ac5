internal import Formats
internal import Media

/// The sections between a document's header and its picture, each after its length.
struct PhotoshopSections {
    private let source: Source
    private var place: Int64

    init(_ source: Source, from place: Int64) {
        self.source = source
        self.place = place
    }

    /// The range of the next section.
    ///
    /// - Parameter hasLongCount: whether its length has 64 bits.
    /// - Throws: `corrupt` if it exceeds the file.
    mutating func next(hasLongCount: Bool = false) throws(Failure) -> Range<Int64> {
        guard let range = try section(at: place, before: source.byteCount, hasLongCount: hasLongCount) else {
            throw .brokenOff
        }
        place = range.upperBound
        return range
    }

    /// The range of a section whose length is at `place`; `nil` if it exceeds `end`.
    private func section(at place: Int64, before end: Int64, hasLongCount: Bool) throws(Failure) -> Range<Int64>? {
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
    /// More blocks than documents have.
    private static let blockLimit = 64
    /// The keys of blocks whose lengths have 64 bits in a large document.
    private static let longBlocks: Set<String> = [
        "LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn", "Alph", "FMsk", "lnk2", "FEid", "FXid", "PxSD",
    ]

    /// Whether the plane after the colours is the picture's alpha, and not a stored selection.
    ///
    /// A negative layer count says so. With 16 and 32 bits, a block `Mt16`, `Mt32` or `Mtrn` says so, or a negative
    /// count in `Lr16` or `Lr32`.
    ///
    /// - Parameter layers: the range of the layer and mask information section.
    func haveMergedAlpha(in layers: Range<Int64>, isLarge: Bool) -> Bool {
        guard let info = try? section(at: layers.lowerBound, before: layers.upperBound, hasLongCount: isLarge) else {
            return false
        }
        if info.count >= 2 { return hasNegativeCount(at: info.lowerBound) }
        guard let mask = try? section(at: info.upperBound, before: layers.upperBound, hasLongCount: false) else {
            return false
        }
        var place = mask.upperBound
        for _ in 0..<Self.blockLimit {
            guard place + 12 <= layers.upperBound, let head = try? source.bytes(at: place, count: 8), head.count == 8
            else { return false }
            let key = String(decoding: head[4...], as: Unicode.ASCII.self)
            let isLong = isLarge && Self.longBlocks.contains(key)
            guard let content = try? section(at: place + 8, before: layers.upperBound, hasLongCount: isLong) else {
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
