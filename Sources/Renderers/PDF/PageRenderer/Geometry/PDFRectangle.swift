/// A rectangle (ISO 32000-1, 7.9.5), such as a page's crop box.
struct PDFRectangle {
    let left, bottom, right, top: Double

    /// - Parameter corners: x and y of two opposite corners, in any order.
    init(_ corners: [Double]) {
        (left, right) = (min(corners[0], corners[2]), max(corners[0], corners[2]))
        (bottom, top) = (min(corners[1], corners[3]), max(corners[1], corners[3]))
    }

    private init(left: Double, bottom: Double, right: Double, top: Double) {
        (self.left, self.bottom, self.right, self.top) = (left, bottom, right, top)
    }

    var isEmpty: Bool { right <= left || top <= bottom }

    var width: Double { right - left }
    var height: Double { top - bottom }

    /// Whether each side is at most `distance` away from the other rectangle's side.
    func isNear(_ other: PDFRectangle, within distance: Double) -> Bool {
        [left - other.left, bottom - other.bottom, right - other.right, top - other.top].allSatisfy {
            abs($0) <= distance
        }
    }

    /// The part that both rectangles cover; empty if they do not touch.
    func intersection(_ other: PDFRectangle) -> PDFRectangle {
        PDFRectangle(
            left: max(left, other.left), bottom: max(bottom, other.bottom), right: min(right, other.right),
            top: min(top, other.top))
    }
}
