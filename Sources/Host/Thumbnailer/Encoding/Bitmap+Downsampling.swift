public import Media

extension Bitmap {
    /// The picture with its longer side at most `side` pixels, each the average of the area that it covers.
    ///
    /// Colours are weighted with alpha, so that the hidden colour of a transparent pixel does not show. A picture that
    /// already fits is returned unchanged. Takes one pass over the source, and memory for one of its rows.
    /// - Precondition: `side` is at least 1.
    public func downsampled(toFit side: Int) -> Bitmap {
        precondition(side > 0, "a picture has at least one pixel")
        let longest = max(width, height)
        if longest <= side { return self }
        let small = size.scaled(by: Double(side) / Double(longest))
        let across = AreaShare.shares(of: width, among: small.width)
        let down = AreaShare.shares(of: height, among: small.height)
        return Bitmap.made(width: small.width, height: small.height, channels: channels) { target in
            var rowSum = [SIMD4<Float>](repeating: .zero, count: width)
            for (row, share) in down.enumerated() {
                sumRows(share, into: &rowSum)
                for (column, part) in across.enumerated() {
                    let sum = part.weightedSum { rowSum[$0] }
                    let start = (row * small.width + column) * channels
                    Self.store(sum, area: part.total * share.total, in: target, at: start, hasAlpha: hasAlpha)
                }
            }
        }
    }

    /// Sums the rows of a share, column by column: red, green and blue, each times alpha, and alpha of 0...1.
    private func sumRows(_ share: AreaShare, into rowSum: inout [SIMD4<Float>]) {
        rowSum.withUnsafeMutableBufferPointer { sums in
            sums.update(repeating: .zero)
            withUnsafeBytes { bytes in
                for row in share.range {
                    let weight = share.weight(of: row)
                    var at = row * bytesPerRow
                    for column in 0..<width {
                        // `at` advances over the row's pixels, of `channels` bytes each; each column has a sum.
                        let colour = SIMD4(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]), 1)
                        sums[column] += colour * (hasAlpha ? weight * Float(bytes[at + 3]) / 255 : weight)
                        at += channels
                    }
                }
            }
        }
    }

    /// Writes the average of a sum over an area.
    private static func store(
        _ sum: SIMD4<Float>, area: Float, in target: UnsafeMutableRawBufferPointer, at start: Int, hasAlpha: Bool
    ) {
        let colour = sum.w > 0 ? sum / sum.w : .zero
        for channel in 0..<3 { target[start + channel] = byte(colour[channel]) }
        if hasAlpha { target[start + 3] = byte(sum.w / area * 255) }
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
}

/// The share of a longer row that one pixel of a shorter row covers: whole pixels, and parts of the first and the last.
///
/// The host averages on its own: placeholders are made from pixels that it already has, and the resampler belongs to
/// the renderers.
private struct AreaShare {
    let range: Range<Int>
    /// The covered part of the first pixel, of the last pixel, and the whole share's length.
    let first: Float
    let last: Float
    let total: Float

    /// - Precondition: `count <= length`.
    static func shares(of length: Int, among count: Int) -> [AreaShare] {
        (0..<count).map { index in
            // In units of 1 / `count` of a pixel, so that bounds are integers.
            let low = index * length
            let high = low + length
            let range = low / count..<(high + count - 1) / count
            let first = min((range.lowerBound + 1) * count, high) - low
            let last = high - max((range.upperBound - 1) * count, low)
            return AreaShare(
                range: range, first: Float(first) / Float(count), last: Float(last) / Float(count),
                total: Float(length) / Float(count))
        }
    }

    func weight(of index: Int) -> Float {
        index == range.lowerBound ? first : index == range.upperBound - 1 ? last : 1
    }

    func weightedSum(_ value: (Int) -> SIMD4<Float>) -> SIMD4<Float> {
        range.reduce(into: .zero) { $0 += value($1) * weight(of: $1) }
    }
}
