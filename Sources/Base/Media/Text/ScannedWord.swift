/// A word of a text, as compared in titles and skills.
public struct ScannedWord: Hashable, Sendable {
    /// The word without case and accents (`String.folded`), with the signs of `c++` and `c#`, without a plural `s`.
    public let key: String
    /// The place in the text, in bytes of its UTF-8.
    public let bytes: Range<Int>
    /// Whether a sign that ends a phrase precedes this word: a comma, a bar, a line end.
    public let startsPhrase: Bool

    /// The words of a text, from its beginning.
    ///
    /// A word is a run of letters and digits. `+` and `#` belong to the word that they follow; hyphens, points and
    /// slashes only separate words, so that `Node.js` and `Node JS` have the same words.
    public static func all(of text: String) -> [ScannedWord] {
        var text = text
        return text.withUTF8 { WordScanner(bytes: $0).words() }
    }

    /// A folded word without the `s` of a plural or possessive, if the rest is still a word.
    public static func stem(_ word: String) -> String {
        let bytes = word.utf8
        guard bytes.count > 3, bytes.last == UInt8(ascii: "s") else { return word }
        let before = bytes[bytes.index(bytes.endIndex, offsetBy: -2)]
        guard ![UInt8(ascii: "s"), UInt8(ascii: "i"), UInt8(ascii: "u")].contains(before), before < 0x80 else {
            return word
        }
        return String(word.dropLast())
    }
}

/// Splits text into words by its bytes: most text of résumés and postings is ASCII.
private struct WordScanner {
    let bytes: UnsafeBufferPointer<UInt8>

    func words() -> [ScannedWord] {
        var words: [ScannedWord] = []
        words.reserveCapacity(bytes.count / 6)
        var index = 0
        var startsPhrase = true
        while index < bytes.count {
            guard isLetter(at: index) else {
                if endsPhrase(at: index) { startsPhrase = true }
                index += 1
                continue
            }
            let start = index
            var isPlain = true
            while index < bytes.count, isLetter(at: index) {
                if bytes[index] >= 0x80 { isPlain = false }
                index += 1
            }
            while index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "#") {
                index += 1
            }
            words.append(
                ScannedWord(key: key(start..<index, isPlain: isPlain), bytes: start..<index, startsPhrase: startsPhrase)
            )
            startsPhrase = false
        }
        return words
    }

    private func key(_ range: Range<Int>, isPlain: Bool) -> String {
        if isPlain {
            let word = String(unsafeUninitializedCapacity: range.count) { target in
                for (offset, index) in range.enumerated() {
                    let byte = bytes[index]
                    target[offset] = (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
                }
                return range.count
            }
            return ScannedWord.stem(word)
        }
        return ScannedWord.stem(String(decoding: bytes[range], as: UTF8.self).folded)
    }

    /// Bytes of non-ASCII letters count as letters; those of general punctuation and spaces (`C2`, `E2 80`…`E2 AF`) do
    /// not.
    private func isLetter(at index: Int) -> Bool {
        let byte = bytes[index]
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case ..<0x80, 0xC2: return false
        case 0x80..<0xC0:
            // A continuation byte counts as its lead.
            var lead = index - 1
            while lead >= 0, bytes[lead] & 0xC0 == 0x80, index - lead < 3 { lead -= 1 }
            return lead >= 0 && bytes[lead] >= 0xC0 && isLetter(at: lead)
        case 0xE2: return index + 1 < bytes.count && bytes[index + 1] >= 0xB0
        case 0xEF: return false
        default: return true
        }
    }

    private func endsPhrase(at index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "\n"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: ":"), UInt8(ascii: "\t"):
            true
        // Bullets and dashes. The middle dot is C2 B7.
        case 0xE2, 0xC2: true
        default: false
        }
    }
}
