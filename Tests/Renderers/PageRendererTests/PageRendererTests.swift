import Linux
import Media
import PDFBuilding
import PageRenderer
import TestDeadline
import Testing

/// Poppler keeps global state, so the tests run one after the other.
@Suite("The renderer of PDF pages", .serialized, .deadline)
struct PageRendererTests {
    @Test("states the libraries that it draws with")
    func build() throws {
        let build = try PageRenderer(as: .pdf).build
        #expect(build.count == 2)
        #expect(build.first?.hasPrefix("poppler 2") == true)
        #expect(build.last?.hasPrefix("cairo 1.") == true)
    }

    @Test("states page count, size and title without drawing where only facts are requested")
    func factsOnly() throws {
        let file = PDFBuilder.document(
            [("/MediaBox[0 0 300 200]", ""), ("/MediaBox[0 0 100 400]", "")], title: "Zwei Seiten")
        let first = try RenderedPage(file)
        #expect(first.pictures.isEmpty)
        #expect(first.facts.pageCount == 2)
        #expect(first.facts.title == "Zwei Seiten")
        #expect(first.facts.byteCount == Int64(file.count))
        #expect(first.facts.kind == .pdf)
        #expect([first.facts.pageWidth, first.facts.pageHeight] == [300, 200])
        #expect(first.facts.width == nil && first.facts.height == nil)
        let second = try RenderedPage(file, page: 1)
        #expect([second.facts.pageWidth, second.facts.pageHeight] == [100, 400])
    }

    @Test("draws the requested page")
    func anyPage() throws {
        let colours = ["1 0 0", "0 1 0", "0 0 1"]
        let file = PDFBuilder.document(colours.map { ("/MediaBox[0 0 100 100]", "\($0) rg 0 0 100 100 re f") })
        for (index, colour) in [red, green, blue].enumerated() {
            let page = try RenderedPage(file, page: index, targets: [.inside(50, 50)])
            #expect(page.pictures[0].colour(0.5, 0.5) == colour)
        }
    }

    @Test("a page beyond the last is the caller's mistake")
    func pageOutOfRange() throws {
        let file = PDFBuilder.document([("/MediaBox[0 0 9 9]", ""), ("/MediaBox[0 0 9 9]", "")])
        let failure = #expect(throws: Failure.self) { try RenderedPage(file, page: 2) }
        #expect(failure?.code == .usage)
        #expect(failure?.message == "The document has 2 pages; page 3 was requested.")
    }

    @Test("up to a kilobyte of junk may precede the header")
    func leadingJunk() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 100]", PDFBuilder.fields(width: 100, height: 100))
        let page = try RenderedPage([UInt8](repeating: 0x2A, count: 1000) + file, targets: [.inside(100, 100)])
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test("an annotation with an appearance is shown, a hidden one is not", arguments: [(4, blue), (2, white)])
    func annotations(flags: Int, colour: [UInt8]) throws {
        var builder = PDFBuilder()
        let look = builder.addStream("0 0 1 rg 0 0 50 50 re f", "/Type/XObject/Subtype/Form/BBox[0 0 50 50]")
        let note = builder.add("<</Type/Annot/Subtype/Stamp/Rect[25 25 75 75]/F \(flags)/AP<</N \(look) 0 R>>>>")
        let page = builder.add("<</Type/Page/Parent 4 0 R/MediaBox[0 0 100 100]/Annots[\(note) 0 R]>>")
        let tree = builder.add("<</Type/Pages/Kids[\(page) 0 R]/Count 1>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        let picture = try RenderedPage(builder.bytes(root: root), targets: [.inside(100, 100)]).pictures[0]
        #expect(picture.colour(0.5, 0.5) == colour)
        #expect(picture.colour(0.1, 0.1) == white)
    }

    @Test("text in a font that is not embedded is drawn with a font of the machine")
    func substitutedFont() throws {
        let content = "BT /F 80 Tf 10 20 Td (HHH) Tj ET"
        let entries = "/MediaBox[0 0 200 100]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
        let picture = try RenderedPage(PDFBuilder.page(entries, content), targets: [.inside(200, 100)]).pictures[0]
        let dark = picture.bytes.count { $0 < 64 }
        #expect(dark > picture.bytes.count / 10)
        #expect(dark < picture.bytes.count / 2)
    }
}
