/// A PNG predictor function (ISO 32000-1, 7.4.4.4; PNG, 9.2), by the number before a row.
enum PNGPredictor: UInt8 {
    case none, sub, up, average, paeth

    /// The rows before prediction, without the predictors' numbers; `nil` if a number is unknown.
    ///
    /// - Parameters:
    ///   - rowLength: the bytes of a row, without the number before it.
    ///   - pixelLength: bytes from one sample to the next of the same colour.
    static func undone(_ bytes: [UInt8], rowLength: Int, pixelLength: Int) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var above = [UInt8](repeating: 0, count: rowLength)
        var start = 0
        while start + rowLength < bytes.count {
            var row = Array(bytes[start + 1...start + rowLength])
            guard let predictor = PNGPredictor(rawValue: bytes[start]) else { return nil }
            for column in 0..<rowLength {
                let left = column < pixelLength ? 0 : row[column - pixelLength]
                let corner = column < pixelLength ? 0 : above[column - pixelLength]
                row[column] &+= predictor.predicted(left: left, above: above[column], corner: corner)
            }
            output += row
            above = row
            start += rowLength + 1
        }
        return output
    }

    /// - Parameter corner: the byte above `left`.
    private func predicted(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        switch self {
        case .none: return 0
        case .sub: return left
        case .up: return above
        case .average: return UInt8((Int(left) + Int(above)) / 2)
        case .paeth:
            let (toLeft, toAbove) = (abs(Int(above) - Int(corner)), abs(Int(left) - Int(corner)))
            let toCorner = abs(Int(left) + Int(above) - 2 * Int(corner))
            if toLeft <= toAbove && toLeft <= toCorner { return left }
            return toAbove <= toCorner ? above : corner
        }
    }
}
