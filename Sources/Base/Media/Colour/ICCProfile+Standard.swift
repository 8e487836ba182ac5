internal import Glibc

// Detection of profiles that equal sRGB: their pictures need no conversion.
extension ICCProfile {
    /// Whether red, green and blue are sRGB's, adapted to D50 (ICC.1:2022, 9.2: `rXYZ`, `gXYZ`, `bXYZ`).
    static func hasStandardPrimaries(_ bytes: [UInt8]) -> Bool {
        let primaries: [(tag: String, xyz: [Double])] = [
            ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
        ]
        return primaries.allSatisfy { tag, xyz in
            guard let place = offset(ofTag: tag, in: bytes) else { return false }
            return xyz.indices.allSatisfy { index in
                abs(fixed(bytes, at: place + 8 + 4 * index) - xyz[index]) <= 0.005
            }
        }
    }

    /// Whether the curves are sRGB's at the middle and the lower quarter; the exponent 2.2 is close enough.
    static func hasStandardCurve(_ bytes: [UInt8]) -> Bool {
        ["rTRC", "gTRC", "bTRC"].allSatisfy { tag in
            guard let place = offset(ofTag: tag, in: bytes) else { return false }
            return [(0.5, 0.214), (0.25, 0.0509)].allSatisfy { value, light in
                curve(bytes, at: place, value).map { abs($0 - light) <= 0.01 } ?? false
            }
        }
    }

    /// The light that a curve gives for a value, both 0...1 (10.6 and 10.18); `nil` for curve types not used for sRGB.
    private static func curve(_ bytes: [UInt8], at place: Int, _ value: Double) -> Double? {
        switch text(bytes, at: place, count: 4) {
        case "curv":
            let count = integer(bytes, at: place + 8)
            func entry(_ index: Int) -> Double { Double(integer(bytes, at: place + 12 + 2 * index) >> 16) }
            if count < 2 { return count == 1 ? pow(value, entry(0) / 256) : value }
            return entry(Int((value * Double(count - 1)).rounded())) / 65535
        case "para":
            func parameter(_ index: Int) -> Double { fixed(bytes, at: place + 12 + 4 * index) }
            switch integer(bytes, at: place + 8) >> 16 {
            case 0: return pow(value, parameter(0))
            case 1...4: return pow(parameter(1) * value + parameter(2), parameter(0))
            default: return nil
            }
        default: return nil
        }
    }

    /// A signed number with 16 bits before and after the point (4.6).
    private static func fixed(_ bytes: [UInt8], at offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: integer(bytes, at: offset))) / 65536
    }
}
