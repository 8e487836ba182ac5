import Formats
import Linux
import Media
import PDFBuilding
import PageRenderer
import Rendering
import Testing
import Wire

/// Features that cairo draws wrong are found, and drawn by Splash.
extension PageRendererTests {
    /// A document of one page: its content, its resources and annotations, and objects from number 4 on that they name.
    private static func document(
        _ content: String, _ resources: String, annotations: String = "", _ parts: [(content: String, entries: String)]
    ) -> [UInt8] {
        var builder = PDFBuilder()
        _ = builder.add("<</Type/Pages/Kids[2 0 R]/Count 1/MediaBox[0 0 100 100]>>")
        let number = 4 + parts.count
        _ = builder.add(
            "<</Type/Page/Parent 1 0 R/Contents \(number) 0 R/Resources<<\(resources)>>/Annots[\(annotations)]>>")
        let root = builder.add("<</Type/Catalog/Pages 1 0 R>>")
        for part in parts { _ = builder.addStream(part.content, part.entries) }
        _ = builder.addStream(content)
        return builder.bytes(root: root)
    }

    private static let form = "/Type/XObject/Subtype/Form/BBox[0 0 100 100]"
    private static let open = "/Group<</S/Transparency>>"
    private static let isolated = "/Group<</S/Transparency/I true>>"
    private static let multiply = "/Resources<</ExtGState<</M<</BM/Multiply>>>>>>"

    private static func gap(in file: [UInt8]) throws -> CairoGap? {
        let memory = try MemoryFile.create(name: "source", byteCount: file.count)
        try memory.write(file)
        return try CairoGap.first(onPage: 0, of: Source(memory))
    }

    @Test("a non-isolated group blends with the page")
    func blendingGroup() throws {
        let paint = "/M gs 0 1 1 rg 0 0 50 100 re f"
        let ground = "1 1 0 rg 0 50 100 50 re f "
        let file = Self.document(
            "\(ground) /X Do", "/XObject<</X 4 0 R>>", [(paint, "\(Self.form)\(Self.open)\(Self.multiply)")])
        #expect(try Self.gap(in: file) == .blendingGroup)
        let picture = try RenderedPage(file, targets: [.inside(100, 100)]).pictures[0]
        #expect(picture.quarters == [green, yellow, [0, 255, 255], white])
    }

    @Test("a Type 3 glyph keeps its own colours")
    func colouredGlyphs() throws {
        let font =
            "/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</S 4 0 R>>/Encoding<</Differences[65/S]>>"
            + "/FirstChar 65/LastChar 65/Widths[1]/Resources<<>>"
        let resources = "/Font<</F<</Type/Font/Subtype\(font)>>>>"
        let glyph = "1 0 d0 1 0 0 rg 0 .5 1 .5 re f 0 0 1 rg 0 0 1 .5 re f"
        let file = Self.document("BT /F 100 Tf (A) Tj ET", resources, [(glyph, "")])
        #expect(try Self.gap(in: file) == .colouredGlyphs)
        #expect(
            try RenderedPage(file, targets: [.inside(100, 100)]).pictures[0].quarters == [red, red, blue, blue])
        // cairo draws glyphs without colours, and glyphs whose colours are to be ignored.
        for glyph in ["1 0 d0 0 0 1 1 re f", "1 0 0 0 1 1 d1 1 0 0 rg 0 0 1 1 re f"] {
            #expect(try Self.gap(in: Self.document("BT /F 100 Tf (A) Tj ET", resources, [(glyph, "")])) == nil)
        }
    }

    @Test("the colorant None leaves no marks", arguments: ["/Separation/None", "/DeviceN[/None/None]"])
    func noneInk(space: String) throws {
        let inks = space.contains("DeviceN") ? 2 : 1
        let domain = String(repeating: "0 1 ", count: inks)
        let file = Self.document(
            "1 0 0 rg 0 0 50 100 re f /N cs \(String(repeating: "1 ", count: inks))scn 0 50 100 50 re f",
            "/ColorSpace<</N[\(space)/DeviceRGB 4 0 R]>>",
            [("{ \(inks == 2 ? "pop " : "")dup dup }", "/FunctionType 4/Domain[\(domain)]/Range[0 1 0 1 0 1]")])
        #expect(try Self.gap(in: file) == .noneInk)
        #expect(
            try RenderedPage(file, targets: [.inside(100, 100)]).pictures[0].quarters == [red, white, red, white])
    }

    @Test("an image with a matte is divided by its soft mask")
    func matte() throws {
        let entries = "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8"
        let file = Self.document(
            "100 0 0 100 0 0 cm /I Do", "/XObject<</I 4 0 R>>",
            [
                ("\u{40}\u{00}\u{00}", "\(entries)/ColorSpace/DeviceRGB/SMask 5 0 R"),
                ("\u{40}", "\(entries)/ColorSpace/DeviceGray/Matte[0 0 0]"),
            ])
        #expect(try Self.gap(in: file) == .matte)
        let colour = try RenderedPage(file, targets: [.inside(100, 100)]).pictures[0].colour(0.5, 0.5)
        // A quarter of red on white, not of a dark red.
        #expect(colour[0] == 255 && (190...193).contains(colour[1]) && colour[1] == colour[2])
    }

    @Test(
        "blending is found wherever a non-isolated group uses it",
        arguments: [
            ("", "/XObject<</X 4 0 R>>", open, multiply),
            ("", "/XObject<</X 4 0 R>>", open, "/Resources<</ExtGState<</M<</BM[/Multiply/Normal]>>>>>>"),
            // In a form inside the group, and in an annotation.
            ("", "/XObject<</X 4 0 R>>", open, "/Resources<</XObject<</Y 5 0 R>>>>"),
            ("<</Subtype/Stamp/AP<</N 4 0 R>>>>", "", "", "/Resources<</XObject<</Y 6 0 R>>>>"),
            ("", "/Pattern<</P 4 0 R>>", isolated, "/Resources<</XObject<</Y 6 0 R>>>>"),
        ])
    func blending(annotations: String, resources: String, group: String, inner: String) throws {
        let file = Self.document(
            "", resources, annotations: annotations,
            [
                ("", "\(Self.form)\(group)\(inner)"), ("", "\(Self.form)\(Self.multiply)"),
                ("", "\(Self.form)\(Self.open)\(Self.multiply)"),
            ])
        #expect(try Self.gap(in: file) == .blendingGroup)
    }

    @Test(
        "a non-separable blend mode needs Splash where there is transparency",
        arguments: [
            ("/XObject<</X 4 0 R>>", isolated, "/Resources<</ExtGState<</M<</BM/Hue>>>>>>"),
            ("/XObject<</X 4 0 R>>/ExtGState<</G<</BM/Color>>>>", isolated, ""),
            ("/ExtGState<</G<</BM/Luminosity/SMask<</G 4 0 R>>>>>>", "", ""),
        ])
    func nonSeparableMode(resources: String, group: String, inner: String) throws {
        #expect(
            try Self.gap(in: Self.document("", resources, [("", "\(Self.form)\(group)\(inner)")])) == .nonSeparableMode)
    }

    @Test(
        "cairo draws pages without such features, and objects that cannot be followed",
        arguments: [
            ("/XObject<</X 4 0 R>>", isolated, multiply), ("/XObject<</X 4 0 R>>", "", multiply),
            ("/XObject<</X 4 0 R>>", open, "/Resources<</ExtGState<</M<</BM/Normal>>>>>>"),
            ("/XObject<</X 4 0 R>>", open, ""),
            // A soft mask's group starts from nothing.
            ("/ExtGState<</G<</SMask<</G 4 0 R>>>>>>", open, multiply),
            // A non-separable blend mode without transparency.
            ("/ExtGState<</G<</BM/Saturation>>>>", "", ""),
            // A form that draws itself, and one that does not exist.
            ("/XObject<</X 4 0 R>>", open, "/Resources<</XObject<</X 4 0 R>>>>"),
            ("/XObject<</X 99 0 R>>", open, ""), ("/XObject 99 0 R", open, ""),
        ])
    func shownByCairo(resources: String, group: String, inner: String) throws {
        #expect(try Self.gap(in: Self.document("", resources, [("", "\(Self.form)\(group)\(inner)")])) == nil)
    }

    @Test(
        "Splash shows the same part of a page in the same place as cairo",
        arguments: [
            "/MediaBox[0 0 100 200]", "/MediaBox[0 0 100 200]/Rotate 90", "/MediaBox[0 0 100 200]/Rotate -90",
            "/MediaBox[0 0 100 200]/CropBox[25 20 75 180]",
            "/MediaBox[-30 -60 100 200]/CropBox[0 0 100 200]/Rotate 180",
            "/MediaBox[0 0 100 200]/UserUnit 3",
        ])
    func sameGeometry(entries: String) throws {
        let content = PDFBuilder.fields(width: 100, height: 200)
        let ink = "/Resources<</ColorSpace<</N[/Separation/None/DeviceGray 9 0 R]>>>>"
        let targets: [RenderTarget] = [.inside(200, 200), .cover(60, 150), .cover(150, 60), .cover(33, 33, .centre)]
        let byCairo = try RenderedPage(PDFBuilder.page(entries, content), targets: targets)
        let bySplash = try RenderedPage(PDFBuilder.page(entries + ink, content), targets: targets)
        #expect(try Self.gap(in: PDFBuilder.page(entries + ink, content)) == .noneInk)
        for (ours, theirs) in zip(byCairo.pictures, bySplash.pictures) {
            #expect(ours.size == theirs.size)
            let differing = zip(ours.bytes, theirs.bytes).count { abs(Int($0) - Int($1)) > 2 }
            // A line of pixels may be smoothed by one and not by the other.
            #expect(differing <= (ours.size.width + ours.size.height) * 6, "\(differing) of \(ours.size)")
        }
    }

    @Test("cairo draws parts beyond Splash's range of integers")
    func beyondSplash() throws {
        let entries = "/MediaBox[0 0 100000000 10]/Resources<</ColorSpace<</N[/Separation/None/DeviceGray 9 0 R]>>>>"
        let page = try RenderedPage(
            PDFBuilder.page(entries, "0 0 1 rg 0 0 100000000 10 re f"), targets: [.cover(64, 1000, .centre)])
        #expect(page.pictures[0].colour(0.5, 0.5) == blue)
    }

    @Test("hostile resources end the search without a crash")
    func hostile() throws {
        let nested = String(repeating: "[/Indexed", count: 20_000) + String(repeating: "]", count: 20_000)
        #expect(try Self.gap(in: Self.document("", "/ColorSpace<</N\(nested)>>", [])) == nil)
        let glyph = "/DecodeParms<</Predictor 12/Columns 4000000000000/Colors 4000000000000>>/Filter/FlateDecode"
        let font = "/Font<</F<</Subtype/Type3/CharProcs<</A 4 0 R>>>>>>"
        #expect(try Self.gap(in: Self.document("", font, [("x", glyph)])) == nil)
    }
}
