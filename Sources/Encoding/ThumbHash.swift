internal import Glibc
public import Media

/// ThumbHash: a picture of at most 100 × 100 in about 25 bytes, to show while the real one loads.
///
/// The algorithm is Evan Wallace's (evanw.github.io/thumbhash): luminance, two colour differences and alpha, each as the
/// low frequencies of a cosine transform, in 4 bits a coefficient.
public enum ThumbHash {
    /// The longest side of a picture that is taken.
    public static let longestSide = 100

    /// The hash as it stands in JSON and in the cache: base64 (RFC 4648, with padding).
    public static func text(of bitmap: Bitmap) -> String { Base64.encode(bytes(of: bitmap)) }

    /// The hash of a picture.
    ///
    /// - Precondition: neither side is longer than `longestSide`.
    public static func bytes(of bitmap: Bitmap) -> [UInt8] {
        precondition(max(bitmap.width, bitmap.height) <= longestSide, "a ThumbHash is made of at most 100 × 100 pixels")
        let planes = Planes(of: bitmap)
        // Luminance gets fewer coefficients where alpha needs some.
        let most = planes.hasAlpha ? 5.0 : 7.0
        let longest = Double(max(bitmap.width, bitmap.height))
        let across = max(1, Int((most * Double(bitmap.width) / longest).rounded()))
        let down = max(1, Int((most * Double(bitmap.height) / longest).rounded()))

        let luminance = planes.transform(planes.luminance, across: max(3, across), down: max(3, down))
        let yellowBlue = planes.transform(planes.yellowBlue, across: 3, down: 3)
        let redGreen = planes.transform(planes.redGreen, across: 3, down: 3)
        var channels = [luminance, yellowBlue, redGreen]
        let isLandscape = bitmap.width > bitmap.height

        var header = Bits()
        header.append(luminance.constant, steps: 63, bits: 6)
        header.append(0.5 + 0.5 * yellowBlue.constant, steps: 63, bits: 6)
        header.append(0.5 + 0.5 * redGreen.constant, steps: 63, bits: 6)
        header.append(luminance.scale, steps: 31, bits: 5)
        header.append(planes.hasAlpha ? 1 : 0, bits: 1)
        header.append(isLandscape ? down : across, bits: 3)
        header.append(yellowBlue.scale, steps: 63, bits: 6)
        header.append(redGreen.scale, steps: 63, bits: 6)
        header.append(isLandscape ? 1 : 0, bits: 1)
        if planes.hasAlpha {
            let alpha = planes.transform(planes.alpha, across: 5, down: 5)
            header.append(alpha.constant, steps: 15, bits: 4)
            header.append(alpha.scale, steps: 15, bits: 4)
            channels.append(alpha)
        }
        for channel in channels {
            for value in channel.varying { header.append(value, steps: 15, bits: 4) }
        }
        return header.bytes
    }

    /// Bits from the least significant of the first byte on.
    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var count = 0

        mutating func append(_ value: Int, bits: Int) {
            for bit in 0..<bits {
                if count % 8 == 0 { bytes.append(0) }
                bytes[count / 8] |= UInt8((value >> bit) & 1) << UInt8(count % 8)
                count += 1
            }
        }

        /// A number of 0...1 in so many steps.
        mutating func append(_ value: Double, steps: Double, bits: Int) {
            append(Int((steps * min(max(value, 0), 1)).rounded()), bits: bits)
        }
    }

    /// One channel's low frequencies: the mean, and the rest scaled to 0...1.
    private struct Spectrum {
        var constant = 0.0
        var varying: [Double] = []
        var scale = 0.0
    }

    /// The picture as luminance, yellow − blue, red − green and alpha, laid over its own mean colour.
    private struct Planes {
        let width: Int
        let height: Int
        let hasAlpha: Bool
        private(set) var luminance: [Double] = []
        private(set) var yellowBlue: [Double] = []
        private(set) var redGreen: [Double] = []
        private(set) var alpha: [Double] = []

        init(of bitmap: Bitmap) {
            width = bitmap.width
            height = bitmap.height
            let pixels = Self.pixels(of: bitmap)
            var mean = SIMD4<Double>(repeating: 0)
            for pixel in pixels { mean += SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) }
            hasAlpha = mean.w < Double(pixels.count)
            if mean.w > 0 { mean /= SIMD4(mean.w, mean.w, mean.w, 1) }
            for pixel in pixels {
                let mixed = mean * (1 - pixel.w) + pixel * pixel.w
                luminance.append((mixed.x + mixed.y + mixed.z) / 3)
                yellowBlue.append((mixed.x + mixed.y) / 2 - mixed.z)
                redGreen.append(mixed.x - mixed.y)
                alpha.append(pixel.w)
            }
        }

        /// Red, green, blue and alpha of 0...1.
        private static func pixels(of bitmap: Bitmap) -> [SIMD4<Double>] {
            bitmap.withUnsafeBytes { bytes in
                var pixels: [SIMD4<Double>] = []
                for row in 0..<bitmap.height {
                    for column in 0..<bitmap.width {
                        let at = row * bitmap.bytesPerRow + column * bitmap.channels
                        let alpha = bitmap.hasAlpha ? bytes[at + 3] : 255
                        pixels.append(SIMD4(
                            Double(bytes[at]), Double(bytes[at + 1]), Double(bytes[at + 2]), Double(alpha)) / 255)
                    }
                }
                return pixels
            }
        }

        /// The cosine transform's coefficients in the triangle of low frequencies, row by row.
        func transform(_ channel: [Double], across: Int, down: Int) -> Spectrum {
            var spectrum = Spectrum()
            let columnWaves = (0..<across).map { Self.wave($0, over: width) }
            for vertical in 0..<down {
                let rowWave = Self.wave(vertical, over: height)
                for horizontal in 0..<across where horizontal * down < across * (down - vertical) {
                    let columnWave = columnWaves[horizontal]
                    var sum = 0.0
                    for row in 0..<height {
                        for column in 0..<width { sum += channel[row * width + column] * columnWave[column] * rowWave[row] }
                    }
                    sum /= Double(width * height)
                    if vertical == 0 && horizontal == 0 {
                        spectrum.constant = sum
                    } else {
                        spectrum.varying.append(sum)
                        spectrum.scale = max(spectrum.scale, abs(sum))
                    }
                }
            }
            if spectrum.scale > 0 { spectrum.varying = spectrum.varying.map { 0.5 + 0.5 / spectrum.scale * $0 } }
            return spectrum
        }

        private static func wave(_ frequency: Int, over length: Int) -> [Double] {
            (0..<length).map { cos(.pi / Double(length) * Double(frequency) * (Double($0) + 0.5)) }
        }
    }
}
