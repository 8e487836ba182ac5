/// A path in one plane (ISO 32000-1, 8.5.2).
struct PDFPath {
    private var steps: [(word: String, points: [(x: Double, y: Double)])] = []

    init() {}

    init(_ box: PDFBox) { addRectangle(box.left, box.bottom, box.width, box.height, PDFMatrix()) }

    /// Adds what an operator says; `false` where it builds no path, or has other operands than it needs.
    ///
    /// - Parameter matrix: from the operands' plane to the path's.
    mutating func add(_ name: String, _ numbers: [Double], placedBy matrix: PDFMatrix) -> Bool {
        switch (name, numbers.count) {
        case ("m", 2), ("l", 2), ("c", 6), ("v", 4), ("y", 4), ("h", 0):
            let points = stride(from: 0, to: numbers.count, by: 2).map {
                matrix.place(of: numbers[$0], numbers[$0 + 1])
            }
            steps.append((name, points))
        case ("re", 4): addRectangle(numbers[0], numbers[1], numbers[2], numbers[3], matrix)
        default: return false
        }
        return true
    }

    private mutating func addRectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ matrix: PDFMatrix
    ) {
        steps.append(("m", [matrix.place(of: x, y)]))
        steps.append(("l", [matrix.place(of: x + width, y)]))
        steps.append(("l", [matrix.place(of: x + width, y + height)]))
        steps.append(("l", [matrix.place(of: x, y + height)]))
        steps.append(("h", []))
    }

    /// The path as content in another plane; `nil` where it reaches too far.
    ///
    /// - Parameter matrix: from the path's plane to that one.
    func text(in matrix: PDFMatrix) -> String? {
        var text = ""
        for step in steps {
            for point in step.points {
                let place = matrix.place(of: point.x, point.y)
                guard let x = Self.text(place.x), let y = Self.text(place.y) else { return nil }
                text += "\(x) \(y) "
            }
            text += "\(step.word) "
        }
        return text
    }

    /// A number as PDF writes it (7.3.3): without an exponent, to a millionth.
    private static func text(_ number: Double) -> String? {
        guard abs(number) < 1e9 else { return nil }
        let millionths = Int((number * 1e6).rounded())
        let fraction = String(millionths.magnitude % 1_000_000 + 1_000_000).dropFirst()
        return "\(millionths < 0 ? "-" : "")\(millionths.magnitude / 1_000_000).\(fraction)"
    }
}
