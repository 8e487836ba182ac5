internal import Glibc
public import Media

extension ThumbHash {
    /// A colour with alpha, each of 0...1.
    public struct AverageColour: Hashable, Sendable {
        /// The red channel of sRGB.
        public var red: Double
        /// The green channel of sRGB.
        public var green: Double
        /// The blue channel of sRGB.
        public var blue: Double
        /// 1 where the picture is opaque.
        public var alpha: Double
    }

    /// The mean colour of a hash, without decoding the rest; `nil` where the bytes are no hash.
    public static func averageColour(of bytes: [UInt8]) -> AverageColour? {
        DecodedHash(bytes)?.averageColour
    }

    /// The picture of a hash: RGB, or RGBA where it has alpha; 32 pixels on its longer side.
    ///
    /// The aspect ratio is one of seven steps. `nil` where the bytes are no hash.
    public static func bitmap(of bytes: [UInt8]) -> Bitmap? {
        DecodedHash(bytes)?.bitmap
    }
}

/// The numbers of a hash.
private struct DecodedHash {
    private let shape: ThumbHash.Shape
    private let hasAlpha: Bool
    private let luminance: Channel
    private let yellowBlue: Channel
    private let redGreen: Channel
    private let alpha: Channel?

    private struct Channel {
        var constant: Double
        var coefficients: [(across: Int, down: Int, value: Double)]
    }

    /// `nil` where there are fewer bytes than the header states, or a side is zero.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5 else { return nil }
        var bits = BitReader(bytes)
        let means = (bits.next(6) / 63, bits.next(6) / 31.5 - 1, bits.next(6) / 31.5 - 1)
        let luminanceScale = bits.next(5) / 31
        hasAlpha = bits.next(1) == 1
        let shortSide = Int(bits.next(3))
        let colourScales = (bits.next(6) / 63, bits.next(6) / 63)
        shape = ThumbHash.Shape(isLandscape: bits.next(1) == 1, shortSide: shortSide, hasAlpha: hasAlpha)
        guard shortSide > 0, shortSide <= ThumbHash.Shape.longSide(hasAlpha: hasAlpha) else { return nil }
        guard bytes.count >= Self.byteCount(of: shape, hasAlpha: hasAlpha) else { return nil }
        let (alphaMean, alphaScale) = hasAlpha ? (bits.next(4) / 15, bits.next(4) / 15) : (1, 0)

        func channel(_ mean: Double, _ grid: ThumbHash.Shape.Grid, scale: Double) -> Channel {
            let frequencies = ThumbHash.Shape.frequencies(grid).dropFirst()
            return Channel(
                constant: mean, coefficients: frequencies.map { ($0.across, $0.down, (bits.next(4) / 7.5 - 1) * scale) }
            )
        }
        luminance = channel(means.0, shape.luminance, scale: luminanceScale)
        // Rounding to four bits dulls colours; the published decoder enlarges them by a quarter.
        yellowBlue = channel(means.1, ThumbHash.Shape.colour, scale: colourScales.0 * 1.25)
        redGreen = channel(means.2, ThumbHash.Shape.colour, scale: colourScales.1 * 1.25)
        alpha = hasAlpha ? channel(alphaMean, ThumbHash.Shape.alpha, scale: alphaScale) : nil
    }

    private static func byteCount(of shape: ThumbHash.Shape, hasAlpha: Bool) -> Int {
        let grids =
            [shape.luminance, ThumbHash.Shape.colour, ThumbHash.Shape.colour]
            + (hasAlpha ? [ThumbHash.Shape.alpha] : [])
        let coefficientCount = grids.reduce(0) { $0 + ThumbHash.Shape.frequencies($1).count - 1 }
        return (hasAlpha ? 6 : 5) + (coefficientCount + 1) / 2
    }

    var averageColour: ThumbHash.AverageColour {
        let colour = Self.colour(luminance.constant, yellowBlue.constant, redGreen.constant)
        return ThumbHash.AverageColour(red: colour.x, green: colour.y, blue: colour.z, alpha: alpha?.constant ?? 1)
    }

    var bitmap: Bitmap {
        let size = self.size
        let planes = [luminance, yellowBlue, redGreen].map { Self.values(of: $0, size) }
        let opacity = alpha.map { Self.values(of: $0, size) }
        let channels = hasAlpha ? 4 : 3
        return Bitmap.made(width: size.width, height: size.height, channels: channels) { target in
            for pixel in 0..<size.pixelCount {
                let colour = Self.colour(planes[0][pixel], planes[1][pixel], planes[2][pixel])
                for channel in 0..<3 { target[pixel * channels + channel] = UInt8(255 * colour[channel]) }
                if let opacity { target[pixel * 4 + 3] = UInt8(255 * min(max(opacity[pixel], 0), 1)) }
            }
        }
    }

    private var size: PixelSize {
        let long = ThumbHash.Shape.longSide(hasAlpha: hasAlpha)
        let short = max(1, Int((32 * Double(shape.shortSide) / Double(long)).rounded()))
        return shape.isLandscape ? PixelSize(width: 32, height: short) : PixelSize(width: short, height: 32)
    }

    /// The inverse cosine transform.
    private static func values(of channel: Channel, _ size: PixelSize) -> [Double] {
        var values = [Double](repeating: channel.constant, count: size.pixelCount)
        for (across, down, value) in channel.coefficients {
            let acrossWave = Wave.values(frequency: across, over: size.width)
            let downWave = Wave.values(frequency: down, over: size.height)
            for row in 0..<size.height {
                for column in 0..<size.width {
                    values[row * size.width + column] += value * acrossWave[column] * downWave[row] * 2
                }
            }
        }
        return values
    }

    /// Red, green and blue of 0...1.
    private static func colour(_ luminance: Double, _ yellowBlue: Double, _ redGreen: Double) -> SIMD3<Double> {
        let blue = luminance - 2 / 3 * yellowBlue
        let red = (3 * luminance - blue + redGreen) / 2
        return SIMD3(red, red - redGreen, blue).clamped(lowerBound: .zero, upperBound: .one)
    }

    private struct BitReader {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// - Precondition: `count` bits are left.
        mutating func next(_ count: Int) -> Double {
            var value = 0
            for bit in 0..<count {
                value |= Int(bytes[position / 8] >> UInt8(position % 8) & 1) << bit
                position += 1
            }
            return Double(value)
        }
    }
}
