/// Colours defined by a gamma exponent and by chromaticities, as a PNG states them in the chunks `gAMA` and `cHRM` (W3C
/// PNG, third edition, 11.3.2.2 and 11.3.2.1).
package struct CalibratedColour {
    /// The exponent that converts a value to light, both 0...1.
    package let exponent: Double
    /// Red, green and blue; sRGB's if the file states none.
    package let primaries: Primaries

    /// `nil` if the colours are practically sRGB or the stated values are impossible.
    ///
    /// Chromaticities without `gAMA` are ignored, as in browsers: the exponent would be a guess.
    ///
    /// - Parameters:
    ///   - gamma: the body of `gAMA`.
    ///   - chromaticities: the body of `cHRM`; ignored if no screen could have them.
    package init?(gamma: [UInt8], chromaticities: [UInt8]?) {
        guard gamma.count == 4 else { return nil }
        let stated = Self.fraction(gamma, 0)
        guard Self.sane.contains(stated) else { return nil }
        exponent = 1 / stated
        primaries = chromaticities.flatMap { Primaries($0) } ?? .standard
        if abs(stated * 2.2 - 1) <= Self.insignificant, primaries.isStandard { return nil }
    }

    /// Other values show only black or white.
    private static let sane = 0.1...10.0

    /// The distance from 2.2 that still counts as sRGB's curve: as in libpng, and so in browsers.
    private static let insignificant = 0.05

    /// The name in the facts.
    package func spaceName(isGray: Bool) -> String { isGray ? "gray" : "calibrated-rgb" }

    /// A description for people.
    package var words: String {
        let power = (exponent * 1000).rounded() / 1000
        return "by gAMA\(primaries.isStandard ? "" : " and cHRM"), a power of \(power)"
    }

    /// The number at an index of a chunk's body; it is stored in hundred-thousandths.
    fileprivate static func fraction(_ body: [UInt8], _ index: Int) -> Double {
        Double(body[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }) / 100_000
    }
}

extension CalibratedColour {
    /// Three primaries and the white that they mix to.
    package struct Primaries {
        let white, red, green, blue: Chromaticity

        struct Chromaticity {
            let x, y: Double

            /// CIE XYZ with Y = 1.
            var xyz: SIMD3<Double> { [x / y, 1, (1 - x - y) / y] }
        }

        /// IEC 61966-2-1.
        static let standard = Primaries(
            white: Chromaticity(x: 0.3127, y: 0.3290), red: Chromaticity(x: 0.64, y: 0.33),
            green: Chromaticity(x: 0.30, y: 0.60), blue: Chromaticity(x: 0.15, y: 0.06))

        private var all: [Chromaticity] { [white, red, green, blue] }

        /// Whether these are sRGB's, up to rounding.
        var isStandard: Bool {
            zip(all, Self.standard.all).allSatisfy { abs($0.x - $1.x) <= 0.002 && abs($0.y - $1.y) <= 0.002 }
        }
    }
}

extension CalibratedColour.Primaries {
    /// - Parameter body: of `cHRM`; `nil` if these are invalid or cannot mix to the white.
    fileprivate init?(_ body: [UInt8]) {
        guard body.count == 32 else { return nil }
        let all = (0..<4).map {
            Chromaticity(x: CalibratedColour.fraction(body, $0 * 2), y: CalibratedColour.fraction(body, $0 * 2 + 1))
        }
        guard all.allSatisfy({ $0.y > 0 && $0.x + $0.y <= 1 }) else { return nil }
        self.init(white: all[0], red: all[1], green: all[2], blue: all[3])
        // Larger columns come from whites and primaries that no screen has.
        guard let columns, columns.allSatisfy({ $0.max() < 4 && $0.min() > -4 }) else { return nil }
    }
}
