internal import Glibc
public import Media

extension ThumbHash {
    /// Draws the blurred picture that a hash represents, with 32 pixels on its longer side.
    ///
    /// - Parameters:
    ///   - text: the hash in base64.
    ///   - shape: the proportions of the result, a crop of the picture's middle; `nil` draws all of it.
    /// - Returns: RGB, or RGBA if the hash has alpha; `nil` if the text is not a hash.
    public static func picture(of text: String, shapedAs shape: PixelSize? = nil) -> Bitmap? {
        guard let waves = Waves(Base64.decode(text)) else { return nil }
        let ratio = shape.map { Double($0.width) / Double($0.height) } ?? waves.ratio
        let width = max(1, Int((ratio > 1 ? side : side * ratio).rounded()))
        let height = max(1, Int((ratio > 1 ? side / ratio : side).rounded()))
        // The drawn parts of the whole picture, across and down.
        let across = samples(width, part: min(1, ratio / waves.ratio))
        let down = samples(height, part: min(1, waves.ratio / ratio))
        var bytes: [UInt8] = []
        for y in down { for x in across { bytes += waves.pixel(x, y) } }
        return Bitmap(width: width, height: height, channels: waves.alpha == nil ? 3 : 4, bytes: bytes)
    }

    private static let side = 32.0

    /// The cosines of each frequency at the pixel centres of the middle part of a side.
    private static func samples(_ count: Int, part: Double) -> [[Double]] {
        (0..<count).map { index in
            let place = (1 - part) / 2 + part * (Double(index) + 0.5) / Double(count)
            return (0..<7).map { cos(.pi * Double($0) * place) }
        }
    }

    /// The waves of all channels.
    private struct Waves {
        /// Width divided by height, as precisely as the hash states it.
        let ratio: Double
        let luminance: Channel
        let yellowBlue: Channel
        let redGreen: Channel
        let alpha: Channel?

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 5 else { return nil }
            let head = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
            let form = Int(bytes[3]) | Int(bytes[4]) << 8
            let hasAlpha = head >> 23 & 1 == 1
            let isLandscape = form >> 15 & 1 == 1
            let long = Shape.longSide(hasAlpha: hasAlpha)
            let short = max(3, form & 7)
            guard !hasAlpha || bytes.count >= 6, short <= long else { return nil }
            let grid = isLandscape ? (across: long, down: short) : (across: short, down: long)
            ratio = Double(grid.across) / Double(grid.down)
            var nibbles = bytes[(hasAlpha ? 6 : 5)...].flatMap { [$0 & 15, $0 >> 4] }[...]
            // Colours are boosted, as in the published decoder: rounding to four bits has made them paler.
            let boost = 1.25
            guard
                let luminance = Channel(
                    grid, mean: Double(head & 63) / 63, scale: Double(head >> 18 & 31) / 31, &nibbles),
                let yellowBlue = Channel(
                    Shape.colour, mean: Double(head >> 6 & 63) / 31.5 - 1,
                    scale: Double(form >> 3 & 63) / 63 * boost, &nibbles),
                let redGreen = Channel(
                    Shape.colour, mean: Double(head >> 12 & 63) / 31.5 - 1,
                    scale: Double(form >> 9 & 63) / 63 * boost, &nibbles)
            else { return nil }
            (self.luminance, self.yellowBlue, self.redGreen) = (luminance, yellowBlue, redGreen)
            if hasAlpha {
                let (mean, scale) = (Double(bytes[5] & 15) / 15, Double(bytes[5] >> 4) / 15)
                guard let alpha = Channel(Shape.alpha, mean: mean, scale: scale, &nibbles) else { return nil }
                self.alpha = alpha
            } else {
                alpha = nil
            }
        }

        func pixel(_ across: [Double], _ down: [Double]) -> [UInt8] {
            let (light, yellow) = (luminance.value(across, down), yellowBlue.value(across, down))
            let difference = redGreen.value(across, down)
            let blue = light - 2 / 3 * yellow
            let red = (3 * light - blue + difference) / 2
            let channels = [red, red - difference, blue] + (alpha.map { [$0.value(across, down)] } ?? [])
            return channels.map { UInt8(255 * min(1, max(0, $0))) }
        }
    }

    /// The mean and the waves of one channel.
    private struct Channel {
        private let mean: Double
        private let waves: [(across: Int, down: Int, height: Double)]

        /// Takes the channel's coefficients; `nil` if there are too few.
        init?(_ grid: Shape.Grid, mean: Double, scale: Double, _ nibbles: inout ArraySlice<UInt8>) {
            let frequencies = Shape.frequencies(grid).dropFirst()
            guard nibbles.count >= frequencies.count else { return nil }
            self.mean = mean
            waves = zip(frequencies, nibbles).map { ($0.across, $0.down, (Double($1) / 7.5 - 1) * scale) }
            nibbles.removeFirst(frequencies.count)
        }

        func value(_ across: [Double], _ down: [Double]) -> Double {
            // Each product of two cosines counts twice, as in the published decoder.
            waves.reduce(mean) { $0 + 2 * $1.height * across[$1.across] * down[$1.down] }
        }
    }
}
