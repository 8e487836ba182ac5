/// A rectangle by two of its corners, whichever comes first.
struct PDFBox {
    let left, bottom, right, top: Double

    init(_ sides: [Double]) {
        (left, right) = (min(sides[0], sides[2]), max(sides[0], sides[2]))
        (bottom, top) = (min(sides[1], sides[3]), max(sides[1], sides[3]))
    }

    private init(left: Double, bottom: Double, right: Double, top: Double) {
        (self.left, self.bottom, self.right, self.top) = (left, bottom, right, top)
    }

    var isEmpty: Bool { right <= left || top <= bottom }

    var width: Double { right - left }
    var height: Double { top - bottom }

    /// Whether no side is farther from the other's than that.
    func isNear(_ other: PDFBox, within distance: Double) -> Bool {
        [left - other.left, bottom - other.bottom, right - other.right, top - other.top].allSatisfy {
            abs($0) <= distance
        }
    }

    func intersection(_ other: PDFBox) -> PDFBox {
        PDFBox(
            left: max(left, other.left), bottom: max(bottom, other.bottom), right: min(right, other.right),
            top: min(top, other.top))
    }
}
