public import Media

/// ThumbHash: about 25 bytes that represent a picture of at most 100 × 100 while the real one loads.
///
/// The algorithm is Evan Wallace's (evanw.github.io/thumbhash): luminance, two colour differences and alpha, each as
/// the low frequencies of a cosine transform, with 4 bits per coefficient. The bytes, starting with the lowest bit of
/// the first byte:
///
/// | bits | meaning |
/// |---|---|
/// | 6, 6, 6 | mean luminance, yellow − blue, red − green |
/// | 5 | scale of luminance |
/// | 1 | has alpha |
/// | 3 | coefficients along the shorter side |
/// | 6, 6 | scales of yellow − blue, red − green |
/// | 1 | is wider than high |
/// | 4, 4 | with alpha: its mean and scale |
/// | 4 each | the coefficients, channel after channel |
public enum ThumbHash {
    /// The longest side of a picture that can be hashed.
    public static let longestSide = 100

    /// The hash in base64 (RFC 4648, with padding), as used in JSON and in the cache.
    ///
    /// - Precondition: neither side is longer than `longestSide`.
    public static func text(of bitmap: Bitmap) -> String { Base64.encode(bytes(of: bitmap)) }

    /// The hash of a picture, at most 25 bytes.
    ///
    /// - Precondition: neither side is longer than `longestSide`.
    public static func bytes(of bitmap: Bitmap) -> [UInt8] {
        precondition(max(bitmap.width, bitmap.height) <= longestSide, "a ThumbHash is made of at most 100 × 100 pixels")
        let planes = ColourPlanes(of: bitmap)
        let shape = Shape(of: bitmap.size, hasAlpha: planes.hasAlpha)
        let luminance = planes.spectrum(of: planes.luminance, shape.luminance)
        let yellowBlue = planes.spectrum(of: planes.yellowBlue, Shape.colour)
        let redGreen = planes.spectrum(of: planes.redGreen, Shape.colour)
        let alpha = planes.hasAlpha ? planes.spectrum(of: planes.alpha, Shape.alpha) : nil

        var bits = BitWriter()
        bits.append(63 * luminance.constant, count: 6)
        bits.append(31.5 + 31.5 * yellowBlue.constant, count: 6)
        bits.append(31.5 + 31.5 * redGreen.constant, count: 6)
        bits.append(31 * luminance.scale, count: 5)
        bits.append(planes.hasAlpha ? 1 : 0, count: 1)
        bits.append(Double(shape.shortSide), count: 3)
        bits.append(63 * yellowBlue.scale, count: 6)
        bits.append(63 * redGreen.scale, count: 6)
        bits.append(shape.isLandscape ? 1 : 0, count: 1)
        if let alpha {
            bits.append(15 * alpha.constant, count: 4)
            bits.append(15 * alpha.scale, count: 4)
        }
        for channel in [luminance, yellowBlue, redGreen] + (alpha.map { [$0] } ?? []) {
            for value in channel.varying { bits.append(15 * value, count: 4) }
        }
        return bits.bytes
    }
}

extension ThumbHash {
    /// The number of frequencies of each channel, across and down.
    struct Shape {
        typealias Grid = (across: Int, down: Int)
        static let colour: Grid = (3, 3)
        static let alpha: Grid = (5, 5)

        let luminance: Grid
        let isLandscape: Bool
        /// The coefficients along the shorter side, as the hash states them; the transform has at least 3.
        let shortSide: Int

        init(of size: PixelSize, hasAlpha: Bool) {
            let most = Self.longSide(hasAlpha: hasAlpha)
            let longest = max(size.width, size.height)
            let shortest = min(size.width, size.height)
            isLandscape = size.width > size.height
            shortSide = max(1, Int((Double(most * shortest) / Double(longest)).rounded()))
            luminance = Self.grid(isLandscape: isLandscape, long: most, short: shortSide)
        }

        /// The coefficients of luminance along the longer side: fewer if alpha needs some.
        static func longSide(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

        private static func grid(isLandscape: Bool, long: Int, short: Int) -> Grid {
            let short = max(3, short)
            return isLandscape ? (long, short) : (short, long)
        }

        /// The frequencies of a channel below the diagonal, row by row; the constant one is first.
        static func frequencies(_ grid: Grid) -> [(across: Int, down: Int)] {
            (0..<grid.down).flatMap { down in
                (0..<grid.across).lazy.filter { $0 * grid.down < grid.across * (grid.down - down) }.map { ($0, down) }
            }
        }
    }

    /// Writes bits, starting with the least significant bit of the first byte.
    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var bitCount = 0

        /// Appends a number, rounded and clamped to the range of `count` bits.
        mutating func append(_ value: Double, count: Int) {
            let bounded = Int(min(max(value.rounded(), 0), Double((1 << count) - 1)))
            for bit in 0..<count {
                if bitCount % 8 == 0 { bytes.append(0) }
                bytes[bitCount / 8] |= UInt8((bounded >> bit) & 1) << UInt8(bitCount % 8)
                bitCount += 1
            }
        }
    }
}
