import ArchiveBuilding
import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// Documents that were made to harm their reader: each ends in a failure or in text, soon and within its bounds.
@Suite("Hostile documents", .deadline)
struct HostileTextTests {
    private func failure(_ document: String, _ name: String = "word/document.xml") throws -> Failure.Code? {
        try Reading.failure(
            ZipBuilder([ZipBuilder.File(name, document, isDeflated: true)]).bytes(),
            as: name == "content.xml" ? Reading.openDocument : .wordOpenXML)
    }

    private let names = WordPackage.names

    @Test("A document type declaration is refused, and with it every entity")
    func entities() throws {
        let laughs = """
            <!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
            <w:document \(names)><w:body><w:p><w:r><w:t>&b;&x;</w:t></w:r></w:p></w:body></w:document>
            """
        #expect(try failure(laughs) == .corrupt)
        #expect(try failure(laughs, "content.xml") == .corrupt)
        #expect(try failure("<w:document \(names)><w:body>&unknown;</w:body></w:document>") == .corrupt)
    }

    @Test("A part that decompresses without end is too large")
    func bomb() throws {
        let bomb = "<w:document \(names)><w:body>" + String(repeating: " ", count: 110 << 20)
        #expect(try failure(bomb) == .tooLarge)
    }

    @Test("A text without end is cut as soon as the bound is reached")
    func longText() throws {
        let paragraph = WordPackage.paragraph(String(repeating: "word ", count: 2000))
        var package = WordPackage(String(repeating: paragraph, count: 2000))
        package.isDeflated = true
        let text = try Reading.text(package.bytes(), as: .wordOpenXML)
        #expect(text.isCut)
    }

    @Test("Elements nested without end are too large; deep ones are read")
    func nesting() throws {
        func nested(_ count: Int) -> String {
            "<w:document \(names)><w:body>" + String(repeating: "<w:sdt>", count: count) + WordPackage.paragraph("x")
                + String(repeating: "</w:sdt>", count: count) + "</w:body></w:document>"
        }
        #expect(try failure(nested(1_000_000)) == .tooLarge)
        #expect(try failure(nested(3_000)) == nil)
        let tables = String(repeating: "<w:tbl><w:tr><w:tc><w:p><w:r>", count: 700)
        let ends = String(repeating: "</w:r></w:p></w:tc></w:tr></w:tbl>", count: 700)
        #expect(try failure("<w:document \(names)><w:body>\(tables)\(ends)</w:body></w:document>") == nil)
    }

    @Test("Numbers beyond all measure are bounded")
    func numbers() throws {
        let huge = "99999999999999999999"
        let row =
            "<w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"2147483647\"/></w:tcPr><w:p/></w:tc><w:tc><w:p/></w:tc></w:tr>"
        let body =
            "<w:tbl>\(String(repeating: row, count: 100))</w:tbl><w:p><w:pPr><w:outlineLvl w:val=\"\(huge)\"/></w:pPr></w:p>"
        let text = try Reading.text(WordPackage(body).bytes(), as: .wordOpenXML)
        #expect(text.paragraphs.compactMap(\.cell?.column).allSatisfy { $0 < TextParagraph.Cell.mostColumns })
        let spaces = OpenDocumentTests.package(
            "<text:p><text:s text:c=\"2000000000\"/>x</text:p><table:table><table:table-row><table:table-cell table:number-columns-repeated=\"\(huge)\"><text:p/></table:table-cell></table:table-row></table:table>"
        )
        #expect(try Reading.text(spaces, as: Reading.openDocument).paragraphs[0].text.utf8.count <= 1001)
    }

    @Test("Parts that refer to themselves, to the outside or to nothing are read once, or not at all")
    func references() throws {
        var package = WordPackage(
            WordPackage.paragraph("body")
                + "<w:sectPr><w:headerReference r:id=\"p0\"/><w:headerReference r:id=\"p1\"/></w:sectPr>")
        package.parts = [("document.xml", "header", ""), ("../../../../etc/passwd", "header", "")]
        #expect(try Reading.lines(package.bytes(), as: .wordOpenXML).contains("body"))
        #expect(
            try Reading.failure(ZipBuilder([ZipBuilder.File("other.xml", "a")]).bytes(), as: .wordOpenXML) == .corrupt)
    }

    @Test("A chain of sectors that goes in a circle ends")
    func circle() throws {
        let file = WordFile(String(repeating: "text\r", count: 3000)).bytes()
        // Each sector of the allocation table in turn becomes a circle.
        for sector in stride(from: 512, to: file.count - 512, by: 512) {
            var broken = file
            for place in stride(from: sector, to: sector + 512, by: 4) {
                broken.replaceSubrange(place..<place + 4, with: UInt32((place - sector) / 4 & ~1).little)
            }
            _ = try? Reading.text(broken, as: .word)
        }
    }

    @Test("Headers and pieces by the ten thousands are read in a time that grows with their number")
    func manyHeaders() throws {
        let count = 50_000
        var file = WordFile("body\r")
        file.pieces += (0..<count).map { WordFile.Piece(text: "\($0 % 10)\r", isNarrow: true) }
        file.lengths = [5, 0, count * 2]
        file.headerPlaces = (0...count).map { $0 * 2 }
        var lines: [String] = []
        let time = try ProcessorTime.measure { lines = try Reading.lines(file.bytes(), as: .word) }
        #expect(lines.contains("body"))
        #expect(time < .seconds(4))
    }

    @Test("References to headers by the hundred thousands are read in a time that grows with their number")
    func manyReferences() throws {
        let sections = String(
            repeating: "<w:sectPr>\(String(repeating: "<w:headerReference r:id=\"x\"/>", count: 60))</w:sectPr>",
            count: 5_000)
        var package = WordPackage(sections + WordPackage.paragraph("body"))
        package.parts = (0..<9_000).map { _ in ("header1.xml", "header", "") }
        var lines: [String] = []
        let time = try ProcessorTime.measure { lines = try Reading.lines(package.bytes(), as: .wordOpenXML) }
        #expect(lines == ["body"])
        #expect(time < .seconds(10))
    }

    @Test("Pieces that name the same bytes again and again are too large")
    func overlappingPieces() throws {
        var stream = zeros(0x800)
        func put(_ value: [UInt8], at offset: Int) {
            stream.replaceSubrange(offset..<offset + value.count, with: value)
        }
        put(UInt16(0xA5EC).little + UInt16(0xC1).little, at: 0)
        put(UInt32(0x0FFF_FFFF).little, at: 0x4C)
        let pieces = UInt32(0).little + UInt32(0x0FFF_FFFF).little + zeros(2) + UInt32(0x4000_0000).little + zeros(2)
        put(zeros(4) + UInt32(pieces.count + 5).little, at: 0x1A2)
        let table = [UInt8(2)] + UInt32(pieces.count).little + pieces
        let file = CompoundFileBuilder([.stream("WordDocument", stream), .stream("0Table", table)]).bytes()
        #expect(try Reading.failure(file, as: .word) == .tooLarge)
    }

    @Test("A file that is cut anywhere gives text or a failure", arguments: Sample.all)
    func cut(sample: Sample) throws {
        let bytes = try sample.bytes
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
            _ = try? Reading.text(Array(bytes.prefix(count)), as: sample.type)
        }
    }

    @Test("A file that is changed anywhere gives text or a failure", arguments: Sample.all)
    func changed(sample: Sample) throws {
        let bytes = try sample.bytes
        var random = SplitMix(seed: 7)
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Reading.text(changed, as: sample.type)
        }
    }

    /// A sound document to damage.
    struct Sample: CustomTestStringConvertible, Sendable {
        let name: String
        let type: MediaType

        static let all = [
            Sample(name: "accountant.docx", type: .wordOpenXML),
            Sample(name: "electrician.odt", type: Reading.openDocument),
            Sample(name: "customer-service.rtf", type: .rtf), Sample(name: "made.doc", type: .word),
            Sample(name: "data-analyst.txt", type: .plainText),
        ]

        var bytes: [UInt8] {
            get throws {
                guard name != "made.doc" else {
                    var file = WordFile("head\ra\u{7}b\u{7}\u{7}\u{13}X\u{14}y\u{15}\rhidden\r")
                    file.paragraphs = [(4, 1, []), (6, 0, WordFile.inTable), (9, 0, WordFile.rowEnd)]
                    file.characters = [(16..<20, [0x3C, 0x08, 1])]
                    return file.bytes()
                }
                return Array(try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("jobs/resumes/\(name)"))))
            }
        }

        var testDescription: String { name }
    }
}
