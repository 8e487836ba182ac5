import Formats
import Media
import TestDeadline
import Testing

@Suite("A scanner of PDF objects", .deadline)
struct PDFScannerTests {
    private static func objects(_ text: String) -> [String] {
        var scanner = PDFScanner(Array(text.utf8)[...])
        var objects: [String] = []
        while let object = scanner.nextObject() { objects.append(String(decoding: object.bytes, as: UTF8.self)) }
        return objects
    }

    @Test(
        "reads each type of object to its own end",
        arguments: [
            ("12 -3.5/Name true", ["12", "-3.5", "/Name", "true"]),
            ("12 0 R 12 0 obj", ["12 0 R", "12", "0", "obj"]),
            ("(a(b)\\)c)<0aF>", ["(a(b)\\)c)", "<0aF>"]),
            ("[1[2]<</A(])>>]<</B[1]>>", ["[1[2]<</A(])>>]", "<</B[1]>>"]),
            ("1%not 2\n3", ["1", "3"]),
            ("<</A%>>\n>> 4", ["<</A%>>\n>>", "4"]),
        ])
    func types(text: String, expected: [String]) {
        #expect(Self.objects(text) == expected)
    }

    @Test(
        "ends at an object that is not closed, and at a closing bracket",
        arguments: ["1 [2", "1 (2", "1 <</A 2", "1 <0a", "1 ] 2", "1 >> 2", "1 ) 2"])
    func incomplete(text: String) {
        #expect(Self.objects(text) == ["1"])
    }

    @Test("reads deeply nested brackets in one pass")
    func nesting() {
        let depth = 1_000_000
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(Self.objects(text).count == 1)
        #expect(Self.objects(String(repeating: "[", count: depth)).isEmpty)
    }

    @Test("skips the data of an inline image to the operator EI")
    func inlineImage() {
        var scanner = PDFScanner(Array("ID \u{1}(EI[ EI Q".utf8)[...])
        #expect(scanner.nextObject()?.isKeyword("ID") == true)
        scanner.skipInlineImageData()
        #expect(scanner.nextObject()?.isKeyword("Q") == true)
        #expect(scanner.isAtEnd)
    }

    @Test("skips the end-of-line marker in front of a stream's data, and no more", arguments: ["\n", "\r\n"])
    func endOfLine(marker: String) {
        let bytes = Array("stream\(marker)\n".utf8)
        var scanner = PDFScanner(bytes[...])
        _ = scanner.nextObject()
        scanner.skipEndOfLine()
        #expect(scanner.index == bytes.count - 1)
    }
}
