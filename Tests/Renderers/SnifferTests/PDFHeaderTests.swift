import Media
import TestDeadline
import Testing

@Suite("PDF", .deadline)
struct PDFHeaderTests {
    private static let body = "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"

    @Test("The header may follow up to 1,024 bytes of junk", arguments: [0, 1, 200, 1023, 1024])
    func junk(byteCount: Int) throws {
        #expect(try typeName(zeros(byteCount) + ascii(Self.body)) == "application/pdf")
        #expect(try typeName(String(repeating: "-", count: byteCount) + Self.body) == "application/pdf")
    }

    @Test("Behind more junk the file is no PDF")
    func tooMuchJunk() throws {
        #expect(try typeName(zeros(1025) + ascii(Self.body)) != "application/pdf")
    }

    @Test(
        "A text about PDF, an HTML page and a script are no PDF",
        arguments: [
            ("A PDF file begins with %PDF-1.7 and ends with a mark.", "text/plain"),
            ("<!DOCTYPE html><p>\n" + body, "text/html"), ("<html>" + body, "text/html"),
            ("#!/bin/sh\nexit 0\n" + body, "text/x-shellscript"),
        ])
    func notPDF(text: String, type: String) throws {
        #expect(try typeName(text) == type)
    }
}
