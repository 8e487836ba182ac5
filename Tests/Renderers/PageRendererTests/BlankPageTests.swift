import Media
import PDFBuilding
import Testing

/// The fact that a page is blank.
extension PageRendererTests {
    @Test(
        "a page without visible marks is blank",
        arguments: ["", "1 g 10 10 50 50 re f", "0 g 200 200 50 50 re f", "/None gs 0 g 10 10 50 50 re f"])
    func blank(content: String) throws {
        let entries = "/MediaBox[0 0 100 100]/Resources<</ExtGState<</None<</ca 0>>>>>>"
        let page = try RenderedPage(PDFBuilder.page(entries, content), targets: [.inside(320, 320)])
        #expect(page.facts.isBlank == true)
        #expect(page.pictures[0].bytes.allSatisfy { $0 == 255 })
    }

    @Test(
        "a page with one mark anywhere is not blank",
        arguments: ["0 g 0 0 1 1 re f", "0.97 g 40 40 20 20 re f", "0 w 20 50 m 80 50 l S"])
    func marked(content: String) throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 100]", content)
        let page = try RenderedPage(file, targets: [.cover(240, 100), .inside(100, 100)])
        #expect(page.facts.isBlank == false)
    }

    @Test("blankness is unknown where the page was not drawn, or only a white part of it")
    func unseen() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 300]", "0 g 0 0 100 50 re f")
        #expect(try RenderedPage(file).facts.isBlank == nil)
        #expect(try RenderedPage(file, targets: [.cover(240, 180)]).facts.isBlank == nil)
    }
}
