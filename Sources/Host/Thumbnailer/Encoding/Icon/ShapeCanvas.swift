public import Media

/// RGB pixels on which shapes and pictures are drawn with anti-aliased edges.
public struct ShapeCanvas {
    private let size: PixelSize
    private var bytes: [UInt8]

    /// A canvas of one colour, at least 1 × 1.
    public init(size: PixelSize, background: Colour) {
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

    /// The drawn pixels: RGB.
    public var bitmap: Bitmap { Bitmap(width: size.width, height: size.height, channels: 3, bytes: bytes) }

    /// Draws a shape block by block. From point to point, the field changes at most by their distance. So a block whose
    /// centre is far from the edge is entirely inside or outside.
    mutating func fill(_ shape: some DistanceField, with colour: Colour) {
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
                    left..<min(left + Self.blockSide, columns.upperBound),
                    top..<min(top + Self.blockSide, rows.upperBound)
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

    private mutating func fill(_ shape: some DistanceField, _ block: (Range<Int>, Range<Int>), with colour: Colour) {
        for row in block.1 {
            for column in block.0 {
                // The distance at a pixel's centre; the half pixel on each side of the edge is the anti-aliasing.
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

extension ShapeCanvas {
    /// Draws a picture over the canvas. Its alpha applies, and the part beyond the canvas is cropped.
    public mutating func draw(_ picture: Bitmap, atX left: Int, y top: Int) {
        picture.withUnsafeBytes { source in
            for row in max(0, -top)..<max(0, -top, min(picture.height, size.height - top)) {
                for column in max(0, -left)..<max(0, -left, min(picture.width, size.width - left)) {
                    let at = row * picture.bytesPerRow + column * picture.channels
                    let coverage = picture.hasAlpha ? Float(source[at + 3]) / 255 : 1
                    if coverage == 0 { continue }
                    let colour = Colour(red: source[at], green: source[at + 1], blue: source[at + 2])
                    mix(colour, at: ((row + top) * size.width + column + left) * 3, coverage: coverage)
                }
            }
        }
    }
}
