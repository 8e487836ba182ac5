import Media
import PDFBuilding
import Testing

/// The part of a page that is shown, and its rotation.
extension PageRendererTests {
    private static let fields = PDFBuilder.fields(width: 100, height: 200)

    @Test(
        "a page is turned clockwise by its rotation",
        arguments: [
            (0, [red, green, blue, yellow]), (90, [blue, red, yellow, green]), (180, [yellow, blue, green, red]),
            (270, [green, yellow, red, blue]), (-90, [green, yellow, red, blue]), (450, [blue, red, yellow, green]),
        ])
    func rotation(degrees: Int, quarters: [[UInt8]]) throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 200]/Rotate \(degrees)", Self.fields)
        let page = try RenderedPage(file, targets: [.inside(400, 400)])
        #expect(page.pictures[0].quarters == quarters)
        let isLying = degrees % 180 != 0
        #expect([page.facts.pageWidth, page.facts.pageHeight] == (isLying ? [200, 100] : [100, 200]))
        #expect(page.pictures[0].size == PixelSize(width: isLying ? 400 : 200, height: isLying ? 200 : 400))
    }

    @Test("box and rotation are inherited from the page tree")
    func inherited() throws {
        let file = PDFBuilder.document([("", Self.fields)], treeEntries: "/MediaBox[0 0 100 200]/Rotate 90")
        let page = try RenderedPage(file, targets: [.inside(400, 400)])
        #expect([page.facts.pageWidth, page.facts.pageHeight] == [200, 100])
        #expect(page.pictures[0].quarters == [blue, red, yellow, green])
    }

    @Test(
        "the crop box is shown, at any position and with its corners in any order",
        arguments: [
            "/MediaBox[0 0 500 500]/CropBox[100 200 200 400]", "/MediaBox[100 200 200 400]",
            "/MediaBox[200 400 100 200]", "/MediaBox[100 400 200 200]",
            "/MediaBox[100 200 200 400]/CropBox[0 0 900 900]",
            "/MediaBox[100 200 200 400]/UserUnit 10",
        ])
    func boxes(entries: String) throws {
        let content = "0 g 0 0 500 500 re f " + PDFBuilder.fields(x: 100, y: 200, width: 100, height: 200)
        let page = try RenderedPage(PDFBuilder.page(entries, content), targets: [.inside(200, 200)])
        #expect([page.facts.pageWidth, page.facts.pageHeight] == [100, 200])
        #expect(page.pictures[0].size == PixelSize(width: 100, height: 200))
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
        #expect(page.pictures[0].colour(0, 0) == red)
        #expect(page.pictures[0].colour(1, 1) == yellow)
    }

    @Test("a box may lie left of and below the origin")
    func negativeOrigin() throws {
        let content = PDFBuilder.fields(x: -50, y: -100, width: 100, height: 200)
        let page = try RenderedPage(PDFBuilder.page("/MediaBox[-50 -100 50 100]", content), targets: [.inside(80, 80)])
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test("tiny and huge pages fill their box", arguments: [1, 72, 14_400, 1_000_000])
    func extremes(side: Int) throws {
        let content = "1 0 0 rg 0 0 \(side) \(side) re f"
        let file = PDFBuilder.page("/MediaBox[0 0 \(side) \(side)]", content)
        let page = try RenderedPage(file, targets: [.inside(320, 240), .cover(64, 36)])
        #expect(page.facts.pageWidth == Double(side))
        #expect(page.pictures.map(\.size) == [PixelSize(width: 240, height: 240), PixelSize(width: 64, height: 36)])
        #expect(page.pictures.allSatisfy { $0.colour(0.5, 0.5) == red })
    }

    @Test("an extremely narrow page stays within its box")
    func extremeShape() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 1 100000]", "1 0 0 rg 0 0 1 100000 re f")
        let page = try RenderedPage(file, targets: [.inside(300, 300), .cover(40, 30)])
        #expect(page.pictures.map(\.size) == [PixelSize(width: 1, height: 300), PixelSize(width: 40, height: 30)])
        #expect(page.pictures[1].colour(0.5, 0.5) == red)
    }
}
