@_spi(_Unicode) internal import Swift

/// File names from outside, made safe for a path, a header and a person's disk.
public enum FileName {
    /// The longest name that `safe` returns, in bytes.
    public static let longest = 120
    /// The longest ending that counts as an extension, in bytes.
    private static let longestExtension = 12

    /// A person's file name made safe: one name of letters and digits of any script, emoji, spaces and a little
    /// punctuation.
    ///
    /// Only the last name of a path with `/` or `\` counts. Control characters, direction marks and invisible
    /// characters are dropped, white space becomes single spaces, and all other characters become `_`. Spaces and dots
    /// at the ends are removed. The name has at most `longest` bytes in normal form C. It is cut between two
    /// characters, and before its extension. If no letter, digit or emoji remains before the extension, `file` stands
    /// there. A safe name is unchanged.
    public static func safe(_ name: String) -> String { settled(name, keepsMarks: false) }

    /// A person's file name for display, and for the name of a download: as `safe`, but keeps every punctuation mark
    /// and symbol except `/` and `\`.
    public static func shown(_ name: String) -> String { settled(name, keepsMarks: true) }

    private static func settled(_ name: String, keepsMarks: Bool) -> String {
        let result = once(name, keepsMarks)
        // A cut may leave a shorter extension, with a dot or space before it.
        return result == name ? result : settled(result, keepsMarks: keepsMarks)
    }

    private static func once(_ name: String, _ keepsMarks: Bool) -> String {
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? ""
        let clean = cleaned(last, keepsMarks).trimmingEnd
        guard let dot = clean.lastIndex(of: "."), isExtension(clean[clean.index(after: dot)...]) else {
            return stem(clean, atMost: longest)
        }
        let ending = clean[dot...]
        return stem(clean[..<dot], atMost: longest - ending.utf8.count) + ending
    }

    private static func isExtension(_ text: Substring) -> Bool {
        (1...longestExtension).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }

    /// The part before the extension, truncated and trimmed.
    private static func stem(_ text: Substring, atMost limit: Int) -> String {
        var stem = ""
        for character in text.trimmingEnds {
            guard stem.utf8.count + character.utf8.count <= limit else { break }
            stem.append(character)
        }
        let trimmed = String(stem.trimmingEnds)
        return trimmed.unicodeScalars.contains(where: isVisible) ? trimmed : "file"
    }

    private static func cleaned(_ text: String, _ keepsMarks: Bool) -> String {
        var scalars = String.UnicodeScalarView()
        var wasSpace = false
        for scalar in text._nfc {
            if scalar.properties.isWhitespace {
                wasSpace = true
                continue
            }
            guard let kept = kept(scalar, keepsMarks) else { continue }
            if wasSpace { scalars.append(" ") }
            wasSpace = false
            scalars.append(kept)
        }
        // A dropped character may have stood between a letter and its accent.
        return String(scalars).inNormalForm
    }

    /// The character itself, `_` in its place, or `nil` if it is dropped.
    private static func kept(_ scalar: Unicode.Scalar, _ keepsMarks: Bool) -> Unicode.Scalar? {
        if keepsMarks, isMark(scalar) { return scalar }
        if scalar.isASCII {
            if scalar.properties.generalCategory == .control { return nil }
            return isVisible(scalar) || "-_.,()+=@!&'$~[]".unicodeScalars.contains(scalar) ? scalar : "_"
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark, .otherSymbol, .modifierSymbol:
            return scalar
        case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: return nil
        case .format: return joiners.contains(scalar) || (0xE0020...0xE007F).contains(scalar.value) ? scalar : nil
        default: return "_"
        }
    }

    /// Whether the scalar is a punctuation mark or a symbol.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .connectorPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            true
        default: false
        }
    }

    /// The joiners of Persian and Indian scripts and of emoji. Flags of regions also have tags (U+E0020 to U+E007F).
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .otherSymbol:
            true
        default: false
        }
    }
}

extension String {
    /// The text in Unicode's normal form C (UAX #15).
    package var inNormalForm: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without spaces and dots at its end.
    fileprivate var trimmingEnd: Substring {
        var rest = self[...]
        while let last = rest.last, last == " " || last == "." { rest.removeLast() }
        return rest
    }

    /// The text without spaces and dots at both ends.
    fileprivate var trimmingEnds: Substring { trimmingEnd.drop { $0 == " " || $0 == "." } }
}
