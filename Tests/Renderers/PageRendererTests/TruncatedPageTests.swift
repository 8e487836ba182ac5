import Media
import PDFBuilding
import Testing

/// Documents truncated before their trailer are shown as far as they go.
extension PageRendererTests {
    private static let fields = PDFBuilder.fields(width: 100, height: 100)

    /// Catalogue and page tree at the front, as many writers put them, then pages of which each has another colour.
    private static let front: String = {
        var text = "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
        text += "2 0 obj\n<</Type /Pages /Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 100 100]>>\nendobj\n"
        for number in [3, 5] {
            text += "\(number) 0 obj\n<</Type/Page/Parent 2 0 R/Contents \(number + 1) 0 R>>\nendobj\n"
            text += "\(number + 1) 0 obj\n<</Length \(fields.utf8.count)>>\nstream\n\(fields)\nendstream\nendobj\n"
        }
        return text
    }()

    @Test("a document without cross-reference table and trailer opens by its catalogue")
    func noTrailer() throws {
        let page = try RenderedPage(Array(Self.front.utf8), targets: [.inside(50, 50)])
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
        #expect(page.facts.pageCount == 2)
        let second = try RenderedPage(Array(Self.front.utf8), page: 1, targets: [.inside(50, 50)])
        #expect(second.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test("a page truncated within its content is drawn as far as it goes")
    func cutContent() throws {
        let cut = Self.front.byteCount(before: "0 0 1 rg")
        let page = try RenderedPage(Array(Self.front.utf8.prefix(cut)), targets: [.inside(50, 50)])
        #expect(page.pictures[0].quarters == [red, green, white, white])
    }

    @Test("without a catalogue, the remaining pages are shown in the file's order")
    func lostCatalogue() throws {
        let text = Self.front.replacing("/Catalog", with: "/Nothing").replacing("/Kids", with: "/Gone")
        let page = try RenderedPage(Array(text.utf8), targets: [.inside(50, 50)])
        #expect(page.facts.pageCount == 2)
        #expect(page.pictures[0].colour(0.01, 0.99) == blue)
    }

    @Test("a page that may be encrypted is not drawn as noise", arguments: ["/Filter/Standard/V 2", "/Encrypt 8 0 R"])
    func encrypted(entries: String) throws {
        let text = Self.front + "7 0 obj\n<<\(entries)>>\nendobj\n"
        let failure = #expect(throws: Failure.self) { try RenderedPage(Array(text.utf8)) }
        #expect(failure?.code == .corrupt)
    }
}

extension String {
    /// How many bytes lie before the first place of `text`, which must be there.
    fileprivate func byteCount(before text: String) -> Int {
        utf8.distance(from: utf8.startIndex, to: firstRange(of: text)!.lowerBound)
    }
}
