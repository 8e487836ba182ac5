/// Reverses the filters of a PNG's rows (9.2).
///
/// Pixels of three and four bytes, the most common sizes, keep their left neighbour in registers: in memory each pixel
/// would wait for the previous pixel's store.
enum PNGRowFilter {
    /// - Parameters:
    ///   - kind: the filter type, the byte before the row.
    ///   - row: filtered on entry, unfiltered on return.
    ///   - above: the unfiltered row above; zeros for the first row.
    ///   - channelCount: the distance in bytes to the pixel on the left; the row is a multiple of it.
    static func undo(
        _ kind: UInt8, _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>,
        _ channelCount: Int
    ) throws(Declined) {
        switch kind {
        case 0: break
        case 1: each(row, above, channelCount) { left, _, _ in UInt8(truncatingIfNeeded: left) }
        case 2: for index in 0..<row.count { row[index] &+= above[index] }
        case 3: each(row, above, channelCount) { left, up, _ in UInt8(truncatingIfNeeded: (left &+ up) &>> 1) }
        case 4: each(row, above, channelCount, nearest)
        default: throw Declined("filter \(kind)")
        }
    }

    /// The Paeth predictor (9.4): whichever of left, up and corner is nearest to left + up − corner.
    @inline(__always)
    private static func nearest(_ left: Int32, _ up: Int32, _ corner: Int32) -> UInt8 {
        let fromLeft = abs(up &- corner)
        let fromUp = abs(left &- corner)
        let fromCorner = abs(up &+ left &- corner &- corner)
        let nearer = fromUp < fromLeft ? up : left
        return UInt8(truncatingIfNeeded: fromCorner < min(fromLeft, fromUp) ? corner : nearer)
    }

    /// Adds `prediction` to every sample, from the samples to its left, above it, and above its left neighbour; beyond
    /// the edge these are zero.
    @inline(__always)
    private static func each(
        _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>, _ channelCount: Int,
        _ prediction: (_ left: Int32, _ up: Int32, _ corner: Int32) -> UInt8
    ) {
        switch channelCount {
        case 3: threes(row, above, prediction)
        case 4: fours(row, above, prediction)
        default:
            for index in 0..<row.count {
                let hasLeft = index >= channelCount
                let left = hasLeft ? Int32(row[index &- channelCount]) : 0
                let corner = hasLeft ? Int32(above[index &- channelCount]) : 0
                row[index] &+= prediction(left, Int32(above[index]), corner)
            }
        }
    }

    @inline(__always)
    private static func threes(
        _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>,
        _ prediction: (Int32, Int32, Int32) -> UInt8
    ) {
        var (left0, left1, left2): (Int32, Int32, Int32) = (0, 0, 0)
        var (corner0, corner1, corner2): (Int32, Int32, Int32) = (0, 0, 0)
        for index in stride(from: 0, to: row.count, by: 3) {
            let (up0, up1, up2) = (Int32(above[index]), Int32(above[index &+ 1]), Int32(above[index &+ 2]))
            row[index] &+= prediction(left0, up0, corner0)
            row[index &+ 1] &+= prediction(left1, up1, corner1)
            row[index &+ 2] &+= prediction(left2, up2, corner2)
            (left0, left1, left2) = (Int32(row[index]), Int32(row[index &+ 1]), Int32(row[index &+ 2]))
            (corner0, corner1, corner2) = (up0, up1, up2)
        }
    }

    @inline(__always)
    private static func fours(
        _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>,
        _ prediction: (Int32, Int32, Int32) -> UInt8
    ) {
        var (left0, left1, left2, left3): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        var (corner0, corner1, corner2, corner3): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        for index in stride(from: 0, to: row.count, by: 4) {
            let (up0, up1) = (Int32(above[index]), Int32(above[index &+ 1]))
            let (up2, up3) = (Int32(above[index &+ 2]), Int32(above[index &+ 3]))
            row[index] &+= prediction(left0, up0, corner0)
            row[index &+ 1] &+= prediction(left1, up1, corner1)
            row[index &+ 2] &+= prediction(left2, up2, corner2)
            row[index &+ 3] &+= prediction(left3, up3, corner3)
            (left0, left1) = (Int32(row[index]), Int32(row[index &+ 1]))
            (left2, left3) = (Int32(row[index &+ 2]), Int32(row[index &+ 3]))
            (corner0, corner1, corner2, corner3) = (up0, up1, up2, up3)
        }
    }
}
