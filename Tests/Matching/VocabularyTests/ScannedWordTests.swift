import Matching
import Media
import TestDeadline
import Testing

@Suite("ScannedWord", .deadline)
struct ScannedWordTests {
    private func keys(_ text: String) -> [String] { ScannedWord.all(of: text).map(\.key) }

    @Test(
        "Words are runs of letters and digits, without case, accents and a plural's s",
        arguments: [
            ("Senior iOS Engineers", ["senior", "ios", "engineer"]), ("C++, C# and C", ["c++", "c#", "and", "c"]),
            ("Node.js", ["node", "js"]), ("Node JS", ["node", "js"]), ("Résumé Łódź", ["resume", "lodz"]),
            ("CI/CD", ["ci", "cd"]), ("boss analysis bus", ["boss", "analysis", "bus"]), ("", []), (" \n–•", []),
            ("日本語", ["日本語"]), ("Привет, мир", ["привет", "мир"]), ("50+ 5k", ["50+", "5k"]),
        ])
    func words(text: String, expected: [String]) {
        #expect(keys(text) == expected)
    }

    @Test("Commas, bars, brackets, colons, line breaks and bullets begin a phrase; hyphens and slashes do not")
    func phrases() {
        let words = ScannedWord.all(of: "Lead Nurse, ICU | ward (nights): front-end\nC/C++ • x")
        let starting = words.filter(\.startsPhrase).map(\.key)
        #expect(starting == ["lead", "icu", "ward", "night", "front", "c", "x"])
    }

    @Test(
        "The bytes of every word lie in the text, in order, and hold the word",
        arguments: [
            "Senior iOS Engineer", "Résumé – Größe „ß“", "\u{0}a\u{0}b", "\u{202E}drow\u{202C} אבג",
            "e\u{301}te\u{301}",
            "a\u{200B}b\u{FEFF}c", "👩‍👩‍👧‍👦 x", "\u{FFFD}\u{FFFF}", String(repeating: "x", count: 100_000),
            String(repeating: "– ", count: 10_000), "999999999999999999999999999999",
        ])
    func places(text: String) {
        let bytes = Array(text.utf8)
        var last = 0
        for word in ScannedWord.all(of: text) {
            #expect(word.bytes.lowerBound >= last && word.bytes.upperBound <= bytes.count && !word.bytes.isEmpty)
            let part = String(decoding: bytes[word.bytes], as: UTF8.self)
            #expect(ScannedWord.all(of: part).map(\.key) == [word.key])
            last = word.bytes.upperBound
        }
    }
}
