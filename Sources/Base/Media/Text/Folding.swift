@_spi(_Unicode) import Swift

extension String {
    /// The text without differences of case and accents, for search and sorting in any language.
    ///
    /// Lower case, in Unicode's canonical decomposition (UAX #15), without combining marks. Letters without a
    /// decomposition that people search by a plain form (`ß`, `ø`, `ł`, ligatures) are replaced. `Résumé` and `RESUME`
    /// both fold to `resume`. Folding a folded text changes nothing.
    public var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
        var scalars = Unicode.Scalar.Sequence()
        for scalar in lowercased()._nfd where scalar.properties.generalCategory != .nonspacingMark {
            if let plain = Self.plainForms[scalar] {
                scalars.append(contentsOf: plain.unicodeScalars)
            } else {
                scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    private static let plainForms: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "ı": "i", "ŋ": "n",
        "þ": "th",
        "ς": "σ", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u{2019}": "'",
    ]
}

extension Unicode.Scalar {
    fileprivate typealias Sequence = String.UnicodeScalarView
}
