import Media
import TestDeadline
import Testing

@Suite("Texts of documents", .deadline)
struct DocumentTextTests {
    private static let text = DocumentText(
        paragraphs: [
            TextParagraph("one", style: .heading),
            TextParagraph("a", cell: TextParagraph.Cell(table: 0, row: 0, column: 0)),
            TextParagraph("a2", cell: TextParagraph.Cell(table: 0, row: 0, column: 0)),
            TextParagraph("b", cell: TextParagraph.Cell(table: 0, row: 0, column: 1)),
            TextParagraph("c", cell: TextParagraph.Cell(table: 0, row: 1, column: 0)),
            TextParagraph("two", page: 1, style: .listItem),
        ], isCut: true)

    @Test("Tabs part the cells of a row, form feeds pages, line breaks all else")
    func runningText() {
        #expect(Self.text.text == "one\na\na2\tb\nc\n\u{C}two")
        #expect(DocumentText().text == "")
    }

    @Test("Text is the same behind JSON")
    func json() throws {
        #expect(DocumentText(json: Self.text.json) == Self.text)
        #expect(DocumentText(json: try JSON(parsing: Array(Self.text.json.text.utf8))) == Self.text)
    }

    @Test(
        "JSON that is not of this form is refused",
        arguments: [
            "{}", #"{"paragraphs": []}"#, #"{"paragraphs": [{}], "cut": false}"#,
            #"{"paragraphs": [{"text": "a", "page": 0}], "cut": false}"#,
            #"{"paragraphs": [{"text": "a", "page": "1"}], "cut": false}"#,
            #"{"paragraphs": [{"text": "a", "style": "title"}], "cut": false}"#,
            #"{"paragraphs": [{"text": "a", "cell": [1, 2]}], "cut": false}"#,
            #"{"paragraphs": [{"text": "a", "cell": [1, 2, -1]}], "cut": false}"#,
        ])
    func brokenJSON(text: String) throws {
        #expect(DocumentText(json: try JSON(parsing: Array(text.utf8))) == nil)
    }

    @Test("PDFs are read page by page, documents of word processors and plain text as paragraphs, nothing else")
    func classes() {
        #expect(MediaType.pdf.textClass == .pdf)
        for type in [MediaType.wordOpenXML, .word, .rtf, .plainText, .csv, .encryptedOpenXML] {
            #expect(type.textClass == .text, "\(type)")
            #expect(type.rendererClass == nil, "documents are shown by icons")
        }
        for type in [MediaType.html, .excelOpenXML, .zip, .png, .octetStream] {
            #expect(type.textClass == nil, "\(type)")
        }
    }
}
