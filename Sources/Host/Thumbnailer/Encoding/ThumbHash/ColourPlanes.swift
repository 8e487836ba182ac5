internal import Glibc
internal import Media

/// A picture as luminance, yellow − blue, red − green and alpha, on its own mean colour.
struct ColourPlanes {
    let width: Int
    let height: Int
    let hasAlpha: Bool
    private(set) var luminance: [Double] = []
    private(set) var yellowBlue: [Double] = []
    private(set) var redGreen: [Double] = []
    private(set) var alpha: [Double] = []

    /// The low frequencies of one channel: the mean, and the others scaled to 0...1.
    struct Spectrum {
        var constant = 0.0
        var varying: [Double] = []
        var scale = 0.0
    }

    init(of bitmap: Bitmap) {
        width = bitmap.width
        height = bitmap.height
        // Sums and products follow the published order: in a grey picture the colour differences are only rounding
        // errors, which are scaled up to full coefficients.
        var mean = SIMD4<Double>.zero
        Self.forEachPixel(of: bitmap) { pixel in
            mean += SIMD4(pixel.w / 255 * pixel.x, pixel.w / 255 * pixel.y, pixel.w / 255 * pixel.z, pixel.w)
        }
        hasAlpha = mean.w < Double(bitmap.size.pixelCount)
        if mean.w > 0 { mean /= SIMD4(mean.w, mean.w, mean.w, 1) }
        luminance.reserveCapacity(bitmap.size.pixelCount)
        yellowBlue.reserveCapacity(bitmap.size.pixelCount)
        redGreen.reserveCapacity(bitmap.size.pixelCount)
        Self.forEachPixel(of: bitmap) { pixel in
            let mixed = mean * (1 - pixel.w) + pixel.w / 255 * pixel
            luminance.append((mixed.x + mixed.y + mixed.z) / 3)
            yellowBlue.append((mixed.x + mixed.y) / 2 - mixed.z)
            redGreen.append(mixed.x - mixed.y)
            if hasAlpha { alpha.append(pixel.w) }
        }
    }

    /// Red, green, blue of 0...255 and alpha of 0...1.
    private static func forEachPixel(of bitmap: Bitmap, _ body: (SIMD4<Double>) -> Void) {
        bitmap.forEachRow { _, row in
            for at in stride(from: 0, to: row.count, by: bitmap.channels) {
                // Each step takes one pixel; a row contains whole pixels.
                let alpha = bitmap.hasAlpha ? Double(row[at + 3]) / 255 : 1
                body(SIMD4(Double(row[at]), Double(row[at + 1]), Double(row[at + 2]), alpha))
            }
        }
    }

    /// The cosine transform of a channel at the frequencies of a grid.
    func spectrum(of channel: [Double], _ grid: ThumbHash.Shape.Grid) -> Spectrum {
        let downWaves = Wave.values(of: 0..<grid.down, over: height)
        let sums = (0..<grid.across).map { products(of: channel, Wave.values(frequency: $0, over: width), downWaves) }
        let values = ThumbHash.Shape.frequencies(grid).map {
            sums[$0.across][$0.down] / Double(width * height)
        }
        let varying = values.dropFirst()
        let scale = varying.reduce(0) { max($0, abs($1)) }
        return Spectrum(
            constant: values[0], varying: scale > 0 ? varying.map { 0.5 + 0.5 / scale * $0 } : Array(varying),
            scale: scale)
    }

    /// The sums of a channel times one wave across, times each of up to eight waves down.
    private func products(of channel: [Double], _ across: [Double], _ downs: [SIMD8<Double>]) -> SIMD8<Double> {
        var sums = SIMD8<Double>.zero
        // A channel has `width * height` values, the waves `width` and `height`.
        channel.withUnsafeBufferPointer { channel in
            across.withUnsafeBufferPointer { across in
                for (row, down) in downs.enumerated() {
                    for column in 0..<width { sums += channel[row * width + column] * across[column] * down }
                }
            }
        }
        return sums
    }
}

/// A cosine sampled at pixel centres.
enum Wave {
    static func values(frequency: Int, over length: Int) -> [Double] {
        (0..<length).map { cos(.pi / Double(length) * Double(frequency) * (Double($0) + 0.5)) }
    }

    /// The waves of up to eight frequencies, one in each lane.
    static func values(of frequencies: Range<Int>, over length: Int) -> [SIMD8<Double>] {
        var waves = Array(repeating: SIMD8<Double>.zero, count: length)
        for (lane, frequency) in frequencies.enumerated() {
            for (at, value) in values(frequency: frequency, over: length).enumerated() { waves[at][lane] = value }
        }
        return waves
    }
}
