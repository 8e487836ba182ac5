/// A path (ISO 32000-1, 8.5.2).
struct PDFPath {
    /// The construction operators with their points.
    private var segments: [(operator: String, points: [(x: Double, y: Double)])] = []

    init() {}

    /// The outline of a rectangle.
    init(_ rectangle: PDFRectangle) {
        addRectangle(rectangle.left, rectangle.bottom, rectangle.width, rectangle.height, PDFMatrix())
    }

    /// Adds a segment; `false` if the operator constructs no path, or has the wrong operands.
    ///
    /// - Parameter matrix: from the operands' coordinates to the path's.
    mutating func add(_ name: String, _ numbers: [Double], transformedBy matrix: PDFMatrix) -> Bool {
        switch (name, numbers.count) {
        case ("m", 2), ("l", 2), ("c", 6), ("v", 4), ("y", 4), ("h", 0):
            let points = stride(from: 0, to: numbers.count, by: 2).map {
                matrix.transformed(numbers[$0], numbers[$0 + 1])
            }
            segments.append((name, points))
        case ("re", 4): addRectangle(numbers[0], numbers[1], numbers[2], numbers[3], matrix)
        default: return false
        }
        return true
    }

    private mutating func addRectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ matrix: PDFMatrix
    ) {
        segments.append(("m", [matrix.transformed(x, y)]))
        segments.append(("l", [matrix.transformed(x + width, y)]))
        segments.append(("l", [matrix.transformed(x + width, y + height)]))
        segments.append(("l", [matrix.transformed(x, y + height)]))
        segments.append(("h", []))
    }

    /// The path as content in other coordinates; `nil` if a number would be too large.
    ///
    /// - Parameter matrix: from the path's coordinates to the other coordinates.
    func content(in matrix: PDFMatrix) -> String? {
        var content = ""
        for segment in segments {
            for point in segment.points {
                let other = matrix.transformed(point.x, point.y)
                guard let x = Self.text(other.x), let y = Self.text(other.y) else { return nil }
                content += "\(x) \(y) "
            }
            content += "\(segment.operator) "
        }
        return content
    }

    /// A real number (7.3.3) with six decimals; PDF allows no exponent.
    private static func text(_ number: Double) -> String? {
        guard abs(number) < 1e9 else { return nil }
        let millionths = Int((number * 1e6).rounded())
        let fraction = String(millionths.magnitude % 1_000_000 + 1_000_000).dropFirst()
        return "\(millionths < 0 ? "-" : "")\(millionths.magnitude / 1_000_000).\(fraction)"
    }
}
