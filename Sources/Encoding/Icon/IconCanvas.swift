internal import Media

/// Something with an inside: the distance of a point from its edge, negative within, in pixels.
protocol IconShape {
    /// The smallest and largest corner of what the shape covers.
    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) { get }
    func distance(from point: SIMD2<Float>) -> Float
}

/// RGB pixels onto which shapes are laid, each with an edge one pixel wide.
struct IconCanvas {
    private let size: PixelSize
    private var bytes: [UInt8]

    init(size: PixelSize, background: Colour) {
        self.size = size
        bytes = [UInt8](unsafeUninitializedCapacity: size.pixelCount * 3) { buffer, count in
            for index in 0..<size.pixelCount {
                buffer[index * 3] = background.red
                buffer[index * 3 + 1] = background.green
                buffer[index * 3 + 2] = background.blue
            }
            count = size.pixelCount * 3
        }
    }

    var bitmap: Bitmap { Bitmap(width: size.width, height: size.height, channels: 3, bytes: bytes) }

    /// Pixels are looked at in blocks: a distance never changes by more than the way between two points, so a block's
    /// middle far from the edge decides for all of it.
    mutating func fill(_ shape: some IconShape, with colour: Colour) {
        let bounds = shape.bounds
        let columns = range(bounds.low.x, bounds.high.x, below: size.width)
        let rows = range(bounds.low.y, bounds.high.y, below: size.height)
        let reach = Float(Self.blockSide) * 0.75 + 0.5
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.blockSide) {
            for left in stride(from: columns.lowerBound, to: columns.upperBound, by: Self.blockSide) {
                let middle = SIMD2(Float(left), Float(top)) + Float(Self.blockSide) / 2
                let distance = shape.distance(from: middle)
                if distance > reach { continue }
                let block = (
                    left..<min(left + Self.blockSide, columns.upperBound), top..<min(top + Self.blockSide, rows.upperBound)
                )
                if distance < -reach {
                    cover(block, with: colour)
                } else {
                    fill(shape, block, with: colour)
                }
            }
        }
    }

    private static let blockSide = 8

    private mutating func cover(_ block: (Range<Int>, Range<Int>), with colour: Colour) {
        for row in block.1 {
            for column in block.0 { mix(colour, at: (row * size.width + column) * 3, coverage: 1) }
        }
    }

    private mutating func fill(_ shape: some IconShape, _ block: (Range<Int>, Range<Int>), with colour: Colour) {
        for row in block.1 {
            for column in block.0 {
                // A pixel's middle decides; half a pixel on each side of the edge is the anti-aliasing.
                let distance = shape.distance(from: SIMD2(Float(column) + 0.5, Float(row) + 0.5))
                if distance >= 0.5 { continue }
                mix(colour, at: (row * size.width + column) * 3, coverage: min(1, 0.5 - distance))
            }
        }
    }

    private func range(_ low: Float, _ high: Float, below limit: Int) -> Range<Int> {
        let first = max(0, Int((low - 1).rounded(.down)))
        return first..<max(first, min(limit, Int((high + 1).rounded(.up))))
    }

    private mutating func mix(_ colour: Colour, at index: Int, coverage: Float) {
        if coverage == 1 {
            bytes[index] = colour.red
            bytes[index + 1] = colour.green
            bytes[index + 2] = colour.blue
            return
        }
        func mixed(_ old: UInt8, _ new: UInt8) -> UInt8 {
            UInt8((Float(old) + (Float(new) - Float(old)) * coverage).rounded())
        }
        bytes[index] = mixed(bytes[index], colour.red)
        bytes[index + 1] = mixed(bytes[index + 1], colour.green)
        bytes[index + 2] = mixed(bytes[index + 2], colour.blue)
    }
}

/// A rectangle with round corners.
struct RoundedRectangle: IconShape {
    let centre: SIMD2<Float>
    /// Half of width and height, corners included.
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

/// A convex polygon, grown by a radius so that its corners are round. Corners run clockwise as seen on the screen.
struct ConvexShape: IconShape {
    private let corners: [SIMD2<Float>]
    private let radius: Float

    init(_ corners: [SIMD2<Float>], radius: Float) {
        self.corners = corners
        self.radius = radius
    }

    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) {
        var low = corners[0], high = corners[0]
        for corner in corners {
            low = SIMD2(min(low.x, corner.x), min(low.y, corner.y))
            high = SIMD2(max(high.x, corner.x), max(high.y, corner.y))
        }
        return (low - radius, high + radius)
    }

    func distance(from point: SIMD2<Float>) -> Float {
        var nearest = Float.infinity
        var isInside = true
        for index in corners.indices {
            let start = corners[index], end = corners[(index + 1) % corners.count]
            nearest = min(nearest, Segment.distance(from: point, start, end))
            let edge = end - start, toPoint = point - start
            if edge.x * toPoint.y - edge.y * toPoint.x < 0 { isInside = false }
        }
        return (isInside ? -nearest : nearest) - radius
    }
}

/// A line of pieces with round ends and joints.
struct Stroke: IconShape {
    let points: [SIMD2<Float>]
    /// Half of the line's width.
    let radius: Float

    var bounds: (low: SIMD2<Float>, high: SIMD2<Float>) {
        var low = points[0], high = points[0]
        for point in points {
            low = SIMD2(min(low.x, point.x), min(low.y, point.y))
            high = SIMD2(max(high.x, point.x), max(high.y, point.y))
        }
        return (low - radius, high + radius)
    }

    func distance(from point: SIMD2<Float>) -> Float {
        var nearest = Float.infinity
        for index in points.indices.dropLast() {
            nearest = min(nearest, Segment.distance(from: point, points[index], points[index + 1]))
        }
        return nearest - radius
    }
}

enum Segment {
    /// The distance of a point from the piece of a line between two others.
    static func distance(from point: SIMD2<Float>, _ start: SIMD2<Float>, _ end: SIMD2<Float>) -> Float {
        let along = end - start, toPoint = point - start
        let square = along.x * along.x + along.y * along.y
        let part = square > 0 ? (toPoint.x * along.x + toPoint.y * along.y) / square : 0
        return (toPoint - along * min(max(part, 0), 1)).length
    }
}

extension SIMD2<Float> {
    var length: Float { (x * x + y * y).squareRoot() }
}
