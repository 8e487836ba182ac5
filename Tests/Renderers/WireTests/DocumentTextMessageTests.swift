import Media
import TestDeadline
import Testing
import Wire

@Suite("Messages with a document's text", .deadline)
struct DocumentTextMessageTests {
    private static let text = DocumentText(
        paragraphs: [
            TextParagraph("Wört\tzwei\ndrei", style: .heading), TextParagraph("", page: 3, style: .listItem),
            TextParagraph("x", cell: TextParagraph.Cell(table: 1, row: 2, column: 3)),
        ], isCut: true)

    @Test("Text is the same behind the wire")
    func roundTrip() throws {
        #expect(try DocumentText(parsing: Self.text.bytes) == Self.text)
        #expect(try DocumentText(parsing: DocumentText().bytes) == DocumentText())
    }

    @Test("Every cut message is refused, and so is one with more")
    func cut() {
        let bytes = Self.text.bytes
        for count in bytes.indices {
            #expect(throws: WireError.self, "\(count)") { try DocumentText(parsing: Array(bytes.prefix(count))) }
        }
        #expect(throws: WireError.self) { try DocumentText(parsing: bytes + [0]) }
    }

    @Test("Of what is not printable, line breaks and tabs are left")
    func printable() throws {
        let text = DocumentText(paragraphs: [TextParagraph("a\u{1B}[1m\u{202E}b\u{0}\u{2028}\r\n\tc\u{A0}d")])
        #expect(try DocumentText(parsing: text.bytes).paragraphs.map(\.text) == ["a[1mb\n\tc\u{A0}d"])
    }

    @Test(
        "Numbers out of their bounds are refused",
        arguments: [
            TextParagraph("a", page: DocumentText.mostPages),
            TextParagraph("a", cell: TextParagraph.Cell(table: DocumentText.mostParagraphs + 1, row: 0, column: 0)),
            TextParagraph("a", cell: TextParagraph.Cell(table: 0, row: DocumentText.mostParagraphs + 1, column: 0)),
            TextParagraph("a", cell: TextParagraph.Cell(table: 0, row: 0, column: TextParagraph.Cell.mostColumns)),
        ])
    func bounds(paragraph: TextParagraph) {
        let text = DocumentText(paragraphs: [paragraph])
        #expect(throws: WireError.self) { try DocumentText(parsing: text.bytes) }
        #expect(DocumentText(json: text.json) == nil)
    }

    @Test("What is over the bounds is cut by the sender, and refused by the receiver")
    func longest() throws {
        let many = DocumentText(
            paragraphs: Array(repeating: TextParagraph("a"), count: DocumentText.mostParagraphs + 1))
        let parsed = try DocumentText(parsing: many.bytes)
        #expect(parsed.paragraphs.count == DocumentText.mostParagraphs && parsed.isCut)
        let cell = TextParagraph.Cell(table: 0, row: 0, column: 0)
        let longest = DocumentText(
            paragraphs: Array(
                repeating: TextParagraph(String(repeating: "語", count: 6), cell: cell),
                count: DocumentText.mostParagraphs))
        #expect(longest.bytes.count <= Wire.longestPageText)
        let long = TextParagraph(String(repeating: "a", count: DocumentText.longestText / 2 + 1))
        #expect(try DocumentText(parsing: DocumentText(paragraphs: [long, long]).bytes).paragraphs.count == 1)
        var bytes = DocumentText(paragraphs: [TextParagraph("a")]).bytes
        bytes.replaceSubrange(2..<6, with: [0xFF, 0xFF, 0xFF, 0x7F])
        #expect(throws: WireError.self) { try DocumentText(parsing: bytes) }
    }
}
