/// A shape given by its signed distance field: the distance of a point from the edge in pixels, negative inside.
protocol DistanceField {
    /// The smallest and largest corner of the shape's bounding box.
    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) { get }
    func distance(from point: SIMD2<Float>) -> Float
}

/// A rectangle with round corners.
struct RoundedRectangle: DistanceField {
    let centre: SIMD2<Float>
    /// Half of width and height, including the corners.
    let half: SIMD2<Float>
    let radius: Float

    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) { (centre - half, centre + half) }

    func distance(from point: SIMD2<Float>) -> Float {
        let offset = point - centre
        let corner = SIMD2(abs(offset.x), abs(offset.y)) - half + radius
        let outside = SIMD2(max(corner.x, 0), max(corner.y, 0))
        return outside.length + min(max(corner.x, corner.y), 0) - radius
    }
}

/// A convex polygon, grown by a radius that rounds its corners. Corners run clockwise on the screen.
struct ConvexShape: DistanceField {
    private let corners: [SIMD2<Float>]
    private let radius: Float

    init(_ corners: [SIMD2<Float>], radius: Float) {
        self.corners = corners
        self.radius = radius
    }

    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) { corners.bounds(grownBy: radius) }

    func distance(from point: SIMD2<Float>) -> Float {
        var nearest = Float.infinity
        var isInside = true
        for index in corners.indices {
            let start = corners[index]
            let end = corners[(index + 1) % corners.count]
            nearest = min(nearest, LineSegment.distance(from: point, start, end))
            let edge = end - start
            let toPoint = point - start
            if edge.x * toPoint.y - edge.y * toPoint.x < 0 { isInside = false }
        }
        return (isInside ? -nearest : nearest) - radius
    }
}

/// A polyline with round ends and joints.
struct Stroke: DistanceField {
    let points: [SIMD2<Float>]
    /// Half of the line width.
    let radius: Float

    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) { points.bounds(grownBy: radius) }

    func distance(from point: SIMD2<Float>) -> Float {
        var nearest = Float.infinity
        for index in points.indices.dropLast() {
            nearest = min(nearest, LineSegment.distance(from: point, points[index], points[index + 1]))
        }
        return nearest - radius
    }
}

enum LineSegment {
    /// The distance of a point from the line segment between two others.
    static func distance(from point: SIMD2<Float>, _ start: SIMD2<Float>, _ end: SIMD2<Float>) -> Float {
        let along = end - start
        let toPoint = point - start
        let square = along.x * along.x + along.y * along.y
        let part = square > 0 ? (toPoint.x * along.x + toPoint.y * along.y) / square : 0
        return (toPoint - along * min(max(part, 0), 1)).length
    }
}

extension SIMD2<Float> {
    var length: Float { (x * x + y * y).squareRoot() }
}

extension [SIMD2<Float>] {
    /// The bounding box of these points, grown by a radius. There is at least one point.
    fileprivate func bounds(grownBy radius: Float) -> (low: SIMD2<Float>, high: SIMD2<Float>) {
        var low = self[0]
        var high = self[0]
        for point in self {
            low = SIMD2(Swift.min(low.x, point.x), Swift.min(low.y, point.y))
            high = SIMD2(Swift.max(high.x, point.x), Swift.max(high.y, point.y))
        }
        return (low - radius, high + radius)
    }
}
