/// Header, description and numbers of an ICC profile (ICC.1:2022, clauses 7 and 9.2.41; version 2 profiles as
/// ICC.1:2001-04, 6.5.17). Only for names and choices: lcms2 converts colours.
package struct ICCProfile {
    /// The signature of the device's colour space: `RGB `, `GRAY`, `CMYK`.
    package let deviceSpace: String
    /// The profile's name for people, without non-ASCII characters; empty if it has no readable name.
    package let description: String
    /// Whether its primaries and curve are those of sRGB (IEC 61966-2-1), without tables, whatever its name.
    package let isStandard: Bool
    /// Whether it supports the media-relative intent. A profile whose only table is the perceptual one uses it for
    /// every intent (ICC.1:2022, 8.10.2); libvips ignores such a profile if another intent is requested.
    package let hasRelativeIntent: Bool

    /// `nil` if the bytes are not a profile.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 132, Self.text(bytes, at: 36, count: 4) == "acsp" else { return nil }
        deviceSpace = Self.text(bytes, at: 16, count: 4)
        description = Self.description(in: bytes)
        let hasTables = Self.offset(ofTag: "A2B0", in: bytes) != nil
        isStandard = !hasTables && Self.hasStandardPrimaries(bytes) && Self.hasStandardCurve(bytes)
        hasRelativeIntent = !hasTables || Self.offset(ofTag: "A2B1", in: bytes) != nil
    }

    /// The colour space's name as a fact; `nil` if the profile adds nothing to what the picture says.
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

    /// Parts of profile names in the wild. A profile named sRGB without sRGB's numbers is not trusted: its colours
    /// would stay unconverted.
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
            // The first record: its length and offset; the text is UTF-16.
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

    /// The printable ASCII of a range of at most 100 bytes; in UTF-16 this keeps the letters.
    static func text(_ bytes: [UInt8], at offset: Int, count: Int) -> String {
        guard offset >= 0, offset < bytes.count else { return "" }
        let range = bytes[offset..<min(bytes.count, offset + max(0, min(count, 100)))]
        return String(decoding: range.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self)
    }
}
