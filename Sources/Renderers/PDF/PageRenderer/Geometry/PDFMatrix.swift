internal import Formats

/// A transformation matrix (ISO 32000-1, 8.3.3); the identity by default.
struct PDFMatrix {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var e = 0.0
    var f = 0.0

    init() {}

    /// `nil` unless there are six numbers.
    init?(_ operands: [PDFObject]) {
        let numbers = operands.compactMap(\.number)
        guard numbers.count == 6, operands.count == 6 else { return nil }
        (a, b, c, d, e, f) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
    }

    /// The product: this transformation, then the other.
    func followed(by other: PDFMatrix) -> PDFMatrix {
        var product = PDFMatrix()
        product.a = a * other.a + b * other.c
        product.b = a * other.b + b * other.d
        product.c = c * other.a + d * other.c
        product.d = c * other.b + d * other.d
        product.e = e * other.a + f * other.c + other.e
        product.f = e * other.b + f * other.d + other.f
        return product
    }

    /// The transformed unit square, and whether its sides swap; `nil` unless its sides stay parallel to the axes.
    var upright: (rectangle: PDFRectangle, isOnItsSide: Bool)? {
        let isOnItsSide = a == 0 && d == 0
        guard isOnItsSide || (b == 0 && c == 0) else { return nil }
        return (PDFRectangle([e, f, e + a + c, f + b + d]), isOnItsSide)
    }

    /// The inverse; `nil` for a singular matrix.
    var inverse: PDFMatrix? {
        let determinant = a * d - b * c
        guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
        var inverse = PDFMatrix()
        (inverse.a, inverse.b) = (d / determinant, -b / determinant)
        (inverse.c, inverse.d) = (-c / determinant, a / determinant)
        inverse.e = -(e * inverse.a + f * inverse.c)
        inverse.f = -(e * inverse.b + f * inverse.d)
        return inverse
    }

    /// The coordinates of a point after the transformation.
    func transformed(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (x * a + y * c + e, x * b + y * d + f)
    }
}
