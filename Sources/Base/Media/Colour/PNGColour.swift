/// The colour chunks of a PNG in file order, and the chunk that applies.
///
/// Code points (`cICP`) override a profile (`iCCP`), which overrides `sRGB`, which overrides `gAMA` and `cHRM` (W3C
/// PNG, third edition, 4.3).
package struct PNGColour {
    private var bodies: [String: [UInt8]] = [:]
    private var seen: Set<String> = []

    /// The colours of a PNG before its first chunk.
    package init() {}

    /// Whether a chunk's body is needed.
    ///
    /// - Parameter type: the type of any chunk. Repeated colour chunks and those after the palette are ignored.
    package mutating func wants(_ type: String) -> Bool {
        guard !seen.contains("PLTE"), seen.insert(type).inserted else { return false }
        return type == "cICP" || type == "gAMA" || type == "cHRM"
    }

    /// Adds the undamaged body of a chunk that `wants` requested.
    package mutating func take(_ type: String, _ body: [UInt8]) { bodies[type] = body }

    /// The code points of primaries and transfer function (ITU-T H.273); `nil` unless the colours are RGB in full
    /// range.
    package var codePoints: (primaries: Int, transfer: Int)? {
        guard let body = bodies["cICP"], body.count == 4, body[2] == 0, body[3] == 1 else { return nil }
        return (Int(body[0]), Int(body[1]))
    }

    /// The colours from `gAMA` and `cHRM`; `nil` if another chunk overrides them or they are sRGB.
    ///
    /// - Parameter hasProfile: whether the file has a usable profile.
    package func calibrated(hasProfile: Bool) -> CalibratedColour? {
        guard !hasProfile, codePoints == nil, !seen.contains("sRGB"), let gamma = bodies["gAMA"] else { return nil }
        return CalibratedColour(gamma: gamma, chromaticities: bodies["cHRM"])
    }
}
