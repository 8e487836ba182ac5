/// The text of a label: short enough for its place, and harmless within XML.
enum LabelText {
    /// The text, or its beginning and end around an ellipsis if it is too wide.
    ///
    /// The host has no fonts to measure with, so widths are estimates based on DejaVu Sans, a wide font.
    ///
    /// - Parameter width: the width in font sizes.
    static func shortened(_ text: String, toWidth width: Double) -> String {
        let characters = Array(text)
        let widths = characters.map(estimatedWidth)
        guard widths.reduce(0, +) > width else { return text }
        let room = (width - ellipsisWidth) / 2
        func count(_ widths: some Sequence<Double>) -> Int {
            var sum = 0.0
            return widths.prefix { width in
                sum += width
                return sum <= room
            }.count
        }
        // The end is kept because it has the extension.
        return String(characters.prefix(count(widths))) + "…" + String(characters.suffix(count(widths.reversed())))
    }

    private static let ellipsisWidth = 1.0

    /// A character's width, in font sizes.
    private static func estimatedWidth(_ character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
            0x1F000...0x1FAFF, 0x20000...0x3FFFD:
            // East Asian characters and emoji.
            return 1.3
        default: break
        }
        if "ijlIft.,:;'|!()[] ".contains(character) { return 0.37 }
        if "mwMW@%".contains(character) { return 0.95 }
        return character.isUppercase ? 0.72 : 0.62
    }

    /// The text for XML's element content: no markup, and no character that XML 1.0 (clause 2.2) excludes.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: out += "\u{FFFD}"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
