import PDFBuilding
import Testing

/// In a knockout group, each mark composites with the group's backdrop alone.
extension PageRendererTests {
    /// The quarters of a page where a group on yellow paints a red left half and then `content`, both at half alpha.
    ///
    /// - Parameters:
    ///   - mode: the blend mode of the graphics state.
    ///   - others: further resources of the page.
    ///   - entries: the form's box and matrix.
    ///   - first: the content that is painted first.
    private static func colours(
        _ content: String, group: String = "/K true", mode: String = "/BM/Normal", others: String = "",
        form entries: String = "/BBox[0 0 100 100]", first: String = "1 0 0 rg 0 0 50 100 re f"
    ) throws -> [[UInt8]] {
        var builder = PDFBuilder()
        let form = builder.addStream(
            "/H gs \(first) \(content)",
            "/Type/XObject/Subtype/Form\(entries)/Group<</S/Transparency\(group)>>"
                + "/Resources<</ExtGState<</H<</ca .5/CA .5\(mode)>>/O<</ca 1>>>>>>")
        let page = builder.addStream("1 1 0 rg 0 0 100 100 re f /X Do")
        let resources = "/Resources<</XObject<</X \(form) 0 R>>\(others)>>"
        _ = builder.add("<</Type/Page/Parent 4 0 R/MediaBox[0 0 100 100]\(resources)/Contents \(page) 0 R>>")
        _ = builder.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
        let root = builder.add("<</Type/Catalog/Pages 4 0 R>>")
        return try RenderedPage(builder.bytes(root: root), targets: [.inside(100, 100)]).pictures[0].quarters
    }

    /// A resource that only Splash draws correctly.
    private static let noneInk = "/ColorSpace<</N[/Separation/None/DeviceGray 9 0 R]>>"

    /// Red over yellow, blue over yellow, and blue over both, at half alpha.
    private static let orange: [UInt8] = [255, 128, 0]
    private static let gray: [UInt8] = [128, 128, 128]
    private static let purple: [UInt8] = [128, 64, 128]

    private static func isNear(_ colours: [[UInt8]], _ wanted: [[UInt8]]) -> Bool {
        colours.count == wanted.count
            && zip(colours, wanted).allSatisfy { zip($0, $1).allSatisfy { abs(Int($0) - Int($1)) <= 2 } }
    }

    @Test(
        "a translucent area knocks out earlier marks, in any coordinates, by cairo and by Splash",
        arguments: [
            "0 0 1 rg 0 50 100 50 re f", "0 0 1 rg 0 50 m 100 50 l 100 100 l 0 100 l h f*",
            "q 2 0 0 .5 0 50 cm 0 0 1 rg 0 0 50 100 re f Q", "q 0 1 -1 0 100 0 cm 0 0 1 rg 50 0 50 100 re f Q",
            "0 0 1 rg 0 50 m 0 50 100 50 100 50 c 100 100 l 0 100 l f",
            "% f 0 0 100 100 re f\n0 0 1 rg 0 50 100 50 re B",
        ])
    func areas(content: String) throws {
        let wanted = [Self.gray, Self.gray, Self.orange, yellow]
        for group in ["/K true", "/I true/K true"] {
            for mode in ["", "/BM/Normal", "/BM/Compatible"] {
                #expect(Self.isNear(try Self.colours(content, group: group, mode: mode), wanted))
            }
            #expect(Self.isNear(try Self.colours(content, group: group, others: Self.noneInk), wanted))
        }
    }

    @Test("strokes and clipped areas knock out earlier marks")
    func otherMarks() throws {
        let line = "0 0 1 RG 50 w 0 75 m 100 75 l S"
        #expect(Self.isNear(try Self.colours(line), [Self.gray, Self.gray, Self.orange, yellow]))
        let clipped = "q 0 0 50 100 re W n 0 0 1 rg 0 50 100 50 re f Q"
        #expect(Self.isNear(try Self.colours(clipped), [Self.gray, yellow, Self.orange, yellow]))
    }

    @Test("areas with a blend mode blend with the group's backdrop alone")
    func blending() throws {
        // Yellow times red is red, times blue black: half of each.
        let content = "0 0 1 rg 0 50 100 50 re f"
        let half: [UInt8] = [128, 128, 0]
        #expect(
            Self.isNear(try Self.colours(content, mode: "/BM/Multiply"), [half, half, [255, 128, 0], yellow]))
        // Areas are clipped out of a stroke, but a stroke is not clipped out.
        let line = "0 0 1 RG 50 w 75 0 m 75 100 l S 0 0 1 rg 0 50 100 50 re f"
        #expect(Self.isNear(try Self.colours(line, mode: "/BM/Multiply"), [half, half, [255, 128, 0], half]))
    }

    @Test(
        "where areas are clipped out, an opaque area, a clipped one and a path without painting are not",
        arguments: [
            ("/O gs 0 0 1 rg 0 50 100 50 re f", [blue, blue, orange, yellow]),
            ("q 0 0 50 100 re W n 0 0 1 rg 0 50 100 50 re f Q", [purple, yellow, orange, yellow]),
            ("0 0 1 rg 0 50 100 50 re n", [orange, yellow, orange, yellow]),
        ])
    func uncut(content: String, wanted: [[UInt8]]) throws {
        #expect(Self.isNear(try Self.colours(content, others: Self.noneInk), wanted))
    }

    @Test("an operator between a path and its painting acts on later marks too", arguments: ["", noneInk])
    func saidBetween(others: String) throws {
        // Poppler and others take such content, though 8.5.2.1 forbids it; the second area has the first one's colour.
        let content = "0 0 50 50 re 1 0 1 rg f 50 0 50 50 re f 0 0 1 rg 0 50 100 50 re f"
        let colours = try Self.colours(content, others: others)
        #expect(Self.isNear([colours[3]], [[255, 128, 128]]))
    }

    @Test(
        "areas in very fine or coarse coordinates knock out earlier marks",
        arguments: [
            "q .0001 0 0 .0001 0 0 cm 0 1 0 rg 500000 0 500000 1000000 re f Q",
            "q 10000 0 0 10000 0 0 cm 0 1 0 rg .005 0 .005 .01 re f Q",
        ])
    func units(area: String) throws {
        let colours = try Self.colours("\(area) 0 0 1 rg 0 50 100 50 re f", others: Self.noneInk)
        #expect(Self.isNear(colours, [Self.gray, Self.gray, Self.orange, [128, 255, 0]]))
    }

    @Test("areas of a form in very fine coordinates knock out earlier marks")
    func fineForm() throws {
        let colours = try Self.colours(
            "0 0 1 rg 0 500000 1000000 500000 re f", others: Self.noneInk,
            form: "/BBox[0 0 1000000 1000000]/Matrix[.0001 0 0 .0001 0 0]", first: "1 0 0 rg 0 0 500000 1000000 re f")
        #expect(Self.isNear(colours, [Self.gray, Self.gray, Self.orange, yellow]))
    }

    @Test("damaged content, and content that would need too large numbers, stays as it is")
    func uncuttable() throws {
        let area = "0 0 1 rg 0 50 100 50 re f"
        let wanted = [Self.purple, Self.gray, Self.orange, yellow]
        for first in [
            "1 0 0 rg 0 0 50 100 re f 7 200 200 m 210 200 l 210 210 l f",
            "q .00000001 0 0 .00000001 0 0 cm 1 0 0 rg 0 0 5000000000 10000000000 re f Q",
        ] {
            #expect(Self.isNear(try Self.colours(area, others: Self.noneInk, first: first), wanted))
        }
    }

    @Test("a group that does not knock out stays as it is", arguments: ["", "/K false", "/I true"])
    func otherGroups(entries: String) throws {
        let colours = try Self.colours("0 0 1 rg 0 50 100 50 re f", group: entries)
        #expect(Self.isNear(colours, [Self.purple, Self.gray, Self.orange, yellow]))
    }
}
