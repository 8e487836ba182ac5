/// What a PNG's chunks say of its colours, taken up in their order, and which of them counts.
///
/// Code points (`cICP`) go before a profile (`iCCP`), that before the word that colours are sRGB (`sRGB`), that before `gAMA`
/// and `cHRM` (W3C PNG, third edition, 4.3).
package struct PNGColour {
    private var bodies: [String: [UInt8]] = [:]
    private var seen: Set<String> = []

    package init() {}

    /// Whether a chunk's body is needed.
    ///
    /// - Parameter type: of a chunk of any kind. Behind the palette these chunks say nothing, a second one neither.
    package mutating func wants(_ type: String) -> Bool {
        guard !seen.contains("PLTE"), seen.insert(type).inserted else { return false }
        return type == "cICP" || type == "gAMA" || type == "cHRM"
    }

    /// - Parameter body: of a chunk that was wanted and is not damaged.
    package mutating func take(_ type: String, _ body: [UInt8]) { bodies[type] = body }

    /// The code points of primaries and of the transfer (ITU-T H.273) of colours that are RGB in full range.
    package var codePoints: (primaries: Int, transfer: Int)? {
        guard let body = bodies["cICP"], body.count == 4, body[2] == 0, body[3] == 1 else { return nil }
        return (Int(body[0]), Int(body[1]))
    }

    /// By `gAMA` and `cHRM`, where nothing that goes before them is there; `nil` where that is sRGB.
    ///
    /// - Parameter hasProfile: whether there is a profile that can be used.
    package func calibrated(hasProfile: Bool) -> CalibratedColour? {
        guard !hasProfile, codePoints == nil, !seen.contains("sRGB"), let gamma = bodies["gAMA"] else { return nil }
        return CalibratedColour(gamma: gamma, chromaticities: bodies["cHRM"])
    }
}
