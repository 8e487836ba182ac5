import Linux
import Media
import PDFBuilding
import TestSupport
import Testing

/// Documents that cannot be shown end in the right failure, never in a crash.
extension PageRendererTests {
    @Test(
        "a file that is not a document, or has no page, is corrupt",
        arguments: [
            [], Array("no PDF".utf8), Array("%PDF-1.7\n".utf8), PDFBuilder.document([]),
            PDFBuilder.page("/MediaBox[0 0 0 100]", ""),
            PDFBuilder.page("/MediaBox[0 0 999999999999 999999999999]", ""),
        ])
    func corrupt(file: [UInt8]) throws {
        let failure = #expect(throws: Failure.self) { try RenderedPage(file, targets: [.inside(10, 10)]) }
        #expect(failure?.code == .corrupt)
        #expect(failure?.message == "Unable to load file. File may be corrupt.")
        #expect(failure?.detail.isEmpty == false)
    }

    @Test("a page tree that contains itself is corrupt")
    func loop() throws {
        var builder = PDFBuilder()
        let tree = builder.add("<</Type/Pages/Kids[1 0 R 1 0 R]/Count 2>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        let failure = #expect(throws: Failure.self) { try RenderedPage(builder.bytes(root: root)) }
        #expect(failure?.code == .corrupt)
    }

    @Test("a truncated file is corrupt, and the detail is Poppler's message")
    func truncated() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 100]", PDFBuilder.fields(width: 100, height: 100))
        let failure = #expect(throws: Failure.self) { try RenderedPage(Array(file.prefix(file.count / 3))) }
        #expect(failure?.code == .corrupt)
        #expect(failure?.detail.contains("damaged") == true)
    }

    @Test("a damaged cross-reference table is rebuilt")
    func damagedTable() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 100]", PDFBuilder.fields(width: 100, height: 100))
        let text = String(decoding: file, as: UTF8.self).split(separator: "startxref")[0] + "startxref\n7\n%%EOF\n"
        let page = try RenderedPage(Array(text.utf8), targets: [.inside(50, 50)])
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test("a document with a password is encrypted")
    func password() throws {
        let failure = #expect(throws: Failure.self) { try RenderedPage(sample("password.pdf")) }
        #expect(failure?.code == .encrypted)
    }

    @Test("a document with an owner password alone opens")
    func ownerPassword() throws {
        let page = try RenderedPage(sample("owner-password.pdf"), targets: [.inside(792, 792)])
        #expect(page.facts.title == "Recommendation")
        let corner = page.pictures[0].colour(0.01, 0.01)
        #expect(corner[0] > 200 && corner[1] < 50 && corner[2] < 50)
    }

    private func sample(_ name: String) throws -> Descriptor {
        try Descriptor.open(Checkout.sample(name), 0)
    }
}
