/// What the header, the description and the numbers of an ICC profile tell (ICC.1:2022, clauses 7 and 9.2.41; version 2
/// profiles as ICC.1:2001-04, 6.5.17). Only for naming and choosing: colours are lcms2's work.
package struct ICCProfile {
    /// The signature of the device's colour space: `RGB `, `GRAY`, `CMYK`.
    package let deviceSpace: String
    /// The profile's name for people, without what is not ASCII; empty where it has none that can be read.
    package let description: String
    /// Whether its numbers are those of sRGB (IEC 61966-2-1), whatever its name: primaries and curve, and no tables.
    package let isStandard: Bool
    /// Whether a transform relative to the medium's white can be asked of it. One whose only table is the perceptual
    /// one has nothing but that for every intent (ICC.1:2022, 8.10.2); libvips passes such a profile over when asked
    /// for another.
    package let hasRelativeIntent: Bool

    /// `nil` for bytes that are no profile.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 132, Self.text(bytes, at: 36, count: 4) == "acsp" else { return nil }
        deviceSpace = Self.text(bytes, at: 16, count: 4)
        description = Self.description(in: bytes)
        let hasTables = Self.offset(ofTag: "A2B0", in: bytes) != nil
        isStandard = !hasTables && Self.hasStandardPrimaries(bytes) && Self.hasStandardCurve(bytes)
        hasRelativeIntent = !hasTables || Self.offset(ofTag: "A2B1", in: bytes) != nil
    }

    /// The colour space's name as a fact; `nil` where the profile says nothing that the picture does not say itself.
    package var spaceName: String? {
        switch deviceSpace {
        case "GRAY": return "gray"
        case "CMYK": return "cmyk"
        case "RGB ": break
        default: return nil
        }
        if isStandard { return "srgb" }
        let name = description.lowercased()
        return Self.names.first { name.contains($0.part) }?.space ?? "icc-rgb"
    }

    /// Parts of the names that profiles bear in the wild. What calls itself sRGB without its numbers is not believed:
    /// its colours would be left as they are.
    private static let names: [(part: String, space: String)] = [
        ("linear", "icc-rgb"), ("display p3", "display-p3"), ("p3", "display-p3"),
        ("adobe rgb", "adobe-rgb"), ("prophoto", "prophoto-rgb"), ("romm", "prophoto-rgb"), ("2020", "bt2020"),
    ]

    private static func description(in bytes: [UInt8]) -> String {
        guard let tag = offset(ofTag: "desc", in: bytes) else { return "" }
        switch text(bytes, at: tag, count: 4) {
        case "desc":
            return text(bytes, at: tag + 12, count: integer(bytes, at: tag + 8))
        case "mluc":
            // The first record: its length and place, the text in UTF-16.
            return text(bytes, at: tag + integer(bytes, at: tag + 24), count: integer(bytes, at: tag + 20))
        default: return ""
        }
    }

    static func offset(ofTag name: String, in bytes: [UInt8]) -> Int? {
        for index in 0..<min(integer(bytes, at: 128), 100) where text(bytes, at: 132 + index * 12, count: 4) == name {
            return integer(bytes, at: 132 + index * 12 + 4)
        }
        return nil
    }

    /// A big-endian 32-bit integer, 0 beyond the end.
    static func integer(_ bytes: [UInt8], at offset: Int) -> Int {
        guard offset >= 0, offset + 4 <= bytes.count else { return 0 }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The printable ASCII of a range, at most 100 bytes of it; of UTF-16 this leaves the letters.
    static func text(_ bytes: [UInt8], at offset: Int, count: Int) -> String {
        guard offset >= 0, offset < bytes.count else { return "" }
        let range = bytes[offset..<min(bytes.count, offset + max(0, min(count, 100)))]
        return String(decoding: range.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
    }
}
