/// Undoes the filters of a PNG's rows (9.2).
enum PNGFilter {
    /// - Parameters:
    ///   - kind: the byte in front of the row.
    ///   - row: filtered; afterwards as it was.
    ///   - above: the row above, as it was; zeros for the first.
    ///   - channelCount: bytes of a pixel, 1 or 3.
    static func undo(
        _ kind: UInt8, _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>,
        _ channelCount: Int
    ) throws(Declined) {
        switch kind {
        case 0: break
        case 1: for index in channelCount..<row.count { row[index] &+= row[index &- channelCount] }
        case 2: for index in 0..<row.count { row[index] &+= above[index] }
        case 3: average(row, above, channelCount)
        case 4: paeth(row, above, channelCount)
        default: throw Declined("filter \(kind)")
        }
    }

    private static func average(
        _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>, _ channelCount: Int
    ) {
        for index in 0..<min(channelCount, row.count) { row[index] &+= above[index] / 2 }
        for index in channelCount..<row.count {
            row[index] &+= UInt8((Int(row[index &- channelCount]) &+ Int(above[index])) &>> 1)
        }
    }

    private static func paeth(
        _ row: UnsafeMutableBufferPointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>, _ channelCount: Int
    ) {
        for index in 0..<min(channelCount, row.count) { row[index] &+= above[index] }
        for index in channelCount..<row.count {
            let left = Int(row[index &- channelCount])
            let up = Int(above[index])
            let corner = Int(above[index &- channelCount])
            // How far left, up and the corner are from left + up − corner.
            let fromLeft = abs(up &- corner)
            let fromUp = abs(left &- corner)
            let fromCorner = abs(up &+ left &- corner &- corner)
            let nearer = fromUp < fromLeft ? up : left
            let best = fromCorner < min(fromLeft, fromUp) ? corner : nearer
            row[index] &+= UInt8(truncatingIfNeeded: best)
        }
    }
}
