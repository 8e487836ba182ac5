import Media
import PDFBuilding
import Testing

/// A page is an isolated group, which is composited with paper when it is complete (ISO 32000-1, 11.4.7).
extension PageRendererTests {
    private static let modes = [
        "Normal", "Multiply", "Screen", "Overlay", "Darken", "Lighten", "ColorDodge", "ColorBurn", "HardLight",
        "SoftLight", "Difference", "Exclusion", "Hue", "Saturation", "Color", "Luminosity",
    ]

    @Test("an area with a blend mode on an empty page keeps its colour", arguments: modes)
    func onPaper(mode: String) throws {
        let content = "/G gs 1 0 0 rg 0 50 50 50 re f 0 1 0 rg 50 50 50 50 re f"
        let page = try RenderedPage(
            PDFBuilder.page("/MediaBox[0 0 100 100]/Resources<</ExtGState<</G<</BM/\(mode)>>>>>>", content),
            targets: [.inside(100, 100)])
        #expect(page.pictures[0].quarters == [red, green, white, white])
        #expect(page.facts.isBlank == false)
    }

    /// The colorant None leaves no marks, and only Splash draws it correctly.
    @Test("Splash keeps the colour too", arguments: modes)
    func bySplash(mode: String) throws {
        let none = "/ColorSpace<</N[/Separation/None/DeviceGray<</FunctionType 2/Domain[0 1]/N 1/C0[1]/C1[0]>>]>>"
        let file = PDFBuilder.page(
            "/MediaBox[0 0 100 100]/Resources<</ExtGState<</G<</BM/\(mode)>>>>\(none)>>",
            "/N cs 1 scn 0 0 100 100 re f /G gs 1 0 0 rg 0 50 50 50 re f 0 1 0 rg 50 50 50 50 re f")
        #expect(
            try RenderedPage(file, targets: [.inside(100, 100)]).pictures[0].quarters == [red, green, white, white])
    }

    @Test("a group with blending inside does not blend with the paper")
    func group() throws {
        var builder = PDFBuilder()
        _ = builder.add("<</Type/Pages/Kids[2 0 R]/Count 1/MediaBox[0 0 100 100]>>")
        _ = builder.add(
            "<</Type/Page/Parent 1 0 R/Contents 5 0 R"
                + "/Resources<</XObject<</X 4 0 R>>/ExtGState<</D<</BM/Difference>>>>>>>>")
        let root = builder.add("<</Type/Catalog/Pages 1 0 R>>")
        _ = builder.addStream(
            "/D gs 1 0 0 rg 0 0 50 100 re f 1 1 0 rg 0 0 100 50 re f",
            "/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Group<</S/Transparency/I true>>"
                + "/Resources<</ExtGState<</D<</BM/Difference>>>>>>")
        _ = builder.addStream("/D gs /X Do")
        let page = try RenderedPage(builder.bytes(root: root), targets: [.inside(100, 100)])
        #expect(page.pictures[0].quarters == [red, white, green, yellow])
    }
}
