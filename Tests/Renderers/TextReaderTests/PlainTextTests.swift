import Media
import TestDeadline
import Testing

@Suite("Plain texts", .deadline)
struct PlainTextTests {
    private func text(_ bytes: [UInt8]) throws -> DocumentText { try Reading.text(bytes, as: .plainText) }

    private static let encoded: [[UInt8]] = {
        let text = "Wört\n日本"
        let wide = text.unicodeScalars.reduce(into: [0xFF, 0xFE, 0, 0] as [UInt8]) { $0 += $1.value.little }
        let little = text.utf16.reduce(into: [0xFF, 0xFE] as [UInt8]) { $0 += $1.little }
        let big = text.utf16.reduce(into: [0xFE, 0xFF] as [UInt8]) { $0 += $1.byteSwapped.little }
        return [Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big, wide]
    }()

    @Test("Encodings by their marks, and sound UTF-8 without one", arguments: encoded)
    func encodings(bytes: [UInt8]) throws { #expect(try text(bytes).paragraphs.map(\.text) == ["Wört", "日本"]) }

    @Test("Bytes that are no UTF-8 are Windows-1252")
    func windows() throws { #expect(try text([0x93, 0xE9, 0x94, 0x0A]).paragraphs.map(\.text) == ["“é”"]) }

    @Test("Lines end in any way; a form feed begins a page")
    func lines() throws {
        let text = try text(Array("a\r\nb\rc\n\nd\u{C}e\n\u{C}\u{C}f".utf8))
        #expect(text.paragraphs.map(\.text) == ["a", "b", "c", "", "d", "e", "f"])
        #expect(text.paragraphs.map(\.page) == [0, 0, 0, 0, 0, 1, 3])
        #expect(text.text == "a\nb\nc\n\nd\n\u{C}e\n\u{C}f")
    }

    @Test("Text and paragraphs over the bounds are cut")
    func cut() throws {
        let long = try text([UInt8](repeating: 0x61, count: 5 << 20))
        #expect(long.isCut && long.paragraphs.map(\.text.utf8.count) == [DocumentText.longestText])
        let many = try text([UInt8](repeating: 0x0A, count: 60_000))
        #expect(many.isCut && many.paragraphs.count == DocumentText.mostParagraphs)
        let pages = try text([UInt8](repeating: 0x0C, count: 60_000) + [0x61])
        #expect(pages.paragraphs.map(\.page) == [DocumentText.mostPages - 1])
    }

    @Test("Bytes that are no text are corrupt")
    func binary() throws { #expect(try Reading.failure([1, 2, 3, 0], as: .plainText) == .corrupt) }
}
