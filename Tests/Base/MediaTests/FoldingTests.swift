import Media
import TestDeadline
import Testing

@Suite("Folding of texts for search and order", .deadline)
struct FoldingTests {
    @Test(
        "Case and accents make no difference, in any script",
        arguments: [
            ("Résumé", "RESUME"), ("Straße", "STRASSE"), ("Ørsted", "orsted"), ("ŁÓDŹ", "lodz"), ("Ærø", "AERO"),
            ("œuvre", "Oeuvre"),
            ("Ελλάδα", "ελλαδα"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("МОСКВА", "москва"), ("Ёлка", "елка"), ("ﬁnal", "FINAL"),
            ("İstanbul", "istanbul"),
            ("Izmir", "ızmir"), ("naïve", "nai\u{308}ve"), ("O’Brien", "o'brien"), ("Đặng", "dang"), ("Þór", "thor"),
            ("東京", "東京"),
            ("e\u{301}\u{323}", "E"),
        ])
    func alike(left: String, right: String) { #expect(left.folded == right.folded, "\(left.folded) \(right.folded)") }

    @Test(
        "Different letters stay different",
        arguments: [("a", "b"), ("東", "京"), ("и", "н"), ("1", "2"), ("_", "%"), ("α", "a")])
    func different(left: String, right: String) { #expect(left.folded != right.folded) }

    @Test("A folded text folds to itself, for every letter of Unicode's first planes")
    func stable() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let folded = String(scalar).folded
            if folded.folded.unicodeScalars.elementsEqual(folded.unicodeScalars) { continue }
            Issue.record("U+\(String(value, radix: 16)) folds to \(folded), and that to \(folded.folded)")
        }
    }

    @Test("ASCII and other texts fold alike: a letter beside an accented one folds as it does alone")
    func mixed() {
        for value in UInt8(0)..<0x80 {
            let character = String(Unicode.Scalar(value))
            #expect((character + "東").folded == character.folded + "東")
        }
    }
}
