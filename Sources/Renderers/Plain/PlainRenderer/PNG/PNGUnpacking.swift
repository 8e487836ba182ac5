internal import Media

/// Converts a PNG's rows in any coding to 8-bit samples.
struct PNGUnpacking {
    private let coding: PNGCoding
    private let palette: PNGPalette?
    private let width: Int
    /// The samples of a pixel: gray or red, green and blue; then alpha, if the picture has it.
    let channelCount: Int

    init(_ header: PNGHeader) {
        coding = header.coding
        palette = header.palette
        width = header.size.width
        channelCount = (header.coding.isGray ? 1 : 3) + (header.hasAlpha ? 1 : 0)
    }

    /// Whether the coding is anything other than eight bits without a palette.
    var isNeeded: Bool { coding.depth != 8 || palette != nil }

    /// - Parameters:
    ///   - row: unfiltered.
    ///   - target: `width` × `channelCount` bytes.
    /// - Throws: if a pixel's index is beyond the palette.
    func unpack(
        _ row: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) throws(Declined) {
        if let palette {
            try look(row, up: palette, into: target)
        } else if coding.depth == 16 {
            // v ÷ 257, rounded (13.12).
            for index in 0..<target.count {
                let value = UInt32(row[index &* 2]) &<< 8 | UInt32(row[index &* 2 &+ 1])
                target[index] = UInt8(truncatingIfNeeded: (value &* 255 &+ 32_895) &>> 16)
            }
        } else {
            // One, two and four bits are gray, scaled by 255, 85 and 17.
            let scale = UInt8(255 / (1 << coding.depth - 1))
            for x in 0..<width { target[x] = sample(x, row) &* scale }
        }
    }

    private func look(
        _ row: UnsafeBufferPointer<UInt8>, up palette: PNGPalette, into target: UnsafeMutableBufferPointer<UInt8>
    ) throws(Declined) {
        var largest: UInt8 = 0
        palette.entries.withUnsafeBufferPointer { entries in
            let isWhole = coding.depth == 8
            var place = 0
            for x in 0..<width {
                let index = isWhole ? row[x] : sample(x, row)
                largest = max(largest, index)
                let entry = Int(index) &* 4
                target[place] = entries[entry]
                target[place &+ 1] = entries[entry &+ 1]
                target[place &+ 2] = entries[entry &+ 2]
                if channelCount == 4 { target[place &+ 3] = entries[entry &+ 3] }
                place &+= channelCount
            }
        }
        guard largest < palette.count else { throw Declined("a colour that the palette does not have") }
    }

    /// A sample of less than eight bits; the first sample of a byte is in its highest bits (7.2).
    @inline(__always)
    private func sample(_ x: Int, _ row: UnsafeBufferPointer<UInt8>) -> UInt8 {
        let bit = x &* coding.depth
        return row[bit &>> 3] &>> UInt8(8 &- coding.depth &- bit & 7) & (1 &<< UInt8(coding.depth) &- 1)
    }
}
