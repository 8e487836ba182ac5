/// How much each pixel of a line counts in each pixel of a shorter line: the share of it that the shorter line's pixel
/// covers.
///
/// Averages by area neither ring nor miss a thin line, whatever the scale.
package struct AreaWeights {
    /// For each pixel made: the first pixel that counts, and where its weights begin and end in `weights`.
    package private(set) var spans: [Span] = []
    /// Whole numbers; those of one span add up to `total`.
    package private(set) var weights: [UInt32] = []

    package struct Span {
        package let first: Int
        package let weights: Range<Int>
    }

    /// - Parameters:
    ///   - length: the shorter line's pixels.
    ///   - start: where its first pixel begins on the longer line.
    ///   - step: how many pixels of the longer line one of its pixels covers; at least 1.
    ///   - limit: the longer line's pixels.
    ///   - total: what the weights of one pixel add up to.
    package init(length: Int, start: Double, step: Double, limit: Int, total: Int) {
        for index in 0..<length {
            let begin = min(max(0, start + Double(index) * step), Double(limit - 1))
            append(
                from: begin, to: min(Double(limit), max(begin + 1e-6, start + Double(index + 1) * step)), total: total)
        }
    }

    private mutating func append(from begin: Double, to end: Double, total: Int) {
        let first = Int(begin)
        let last = max(first, Int(end.rounded(.up)) - 1)
        let start = weights.count
        var given = 0
        // Differences of rounded sums, so that the weights add up exactly.
        for pixel in first...last {
            let covered = (min(Double(pixel + 1), end) - begin) / (end - begin)
            let sum = pixel == last ? total : Int((covered * Double(total)).rounded())
            weights.append(UInt32(sum - given))
            given = sum
        }
        spans.append(Span(first: first, weights: start..<weights.count))
    }
}
