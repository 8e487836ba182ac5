import Media
import PDFBuilding
import Testing
import Wire

/// Objects that Poppler does not understand, and other viewers do, are rewritten for Poppler.
extension PageRendererTests {
    private static let fields = PDFBuilder.fields(width: 100, height: 200)

    @Test(
        "pages are counted where the stated count is impossible",
        arguments: ["/Count 0", "/Count -1", "", "/Count 1000000", "/Count/Two", "/Count 99999999999999999999"])
    func counts(said: String) throws {
        let file = PDFBuilder.tree("/Kids[3 0 R 5 0 R]\(said)", Self.fields)
        let page = try RenderedPage(file, page: 1, targets: [.inside(200, 200)])
        #expect(page.facts.pageCount == 2)
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test(
        "a rotation written as a real number counts, inherited or not", arguments: ["90.0", "90.", "+90.0", "-270.00"])
    func rotation(angle: String) throws {
        let own = PDFBuilder.page("/MediaBox[0 0 100 200]/Rotate \(angle)", Self.fields)
        let inherited = PDFBuilder.document(
            [("", Self.fields)], treeEntries: "/MediaBox[0 0 100 200]/Rotate \(angle)")
        for file in [own, inherited] {
            let page = try RenderedPage(file, targets: [.inside(200, 200)])
            #expect([page.facts.pageWidth, page.facts.pageHeight] == [200, 100])
            #expect(page.pictures[0].quarters == [blue, red, yellow, green])
        }
    }

    @Test(
        "a crop box that does not overlap the media box is ignored",
        arguments: ["[300 300 400 400]", "[-50 -50 -10 -10]", "[10 10 10 90]", "[100 0 200 200]"])
    func cropBox(box: String) throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 200]/CropBox\(box)", Self.fields)
        let page = try RenderedPage(file, targets: [.inside(200, 200)])
        #expect([page.facts.pageWidth, page.facts.pageHeight] == [100, 200])
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test(
        "a layer that its usage hides on screen is not drawn, whichever object holds the configuration",
        arguments: ["direct", "properties", "configuration"])
    func layers(place: String) throws {
        let configuration = "<</AS[<</Event/View/Category[/View]/OCGs[1 0 R 2 0 R]>>]/OFF[2 0 R]>>"
        var builder = PDFBuilder()
        let hidden = builder.add("<</Type/OCG/Name(a)/Usage<</View<</ViewState/OFF>>>>>>")
        let shown = builder.add("<</Type/OCG/Name(b)/Usage<</View<</ViewState/ON>>>>>>")
        let content = builder.addStream(
            "/OC/A BDC 1 0 0 rg 0 0 50 100 re f EMC /OC/B BDC 0 0 1 rg 50 0 50 100 re f EMC")
        let page = builder.add(
            "<</Type/Page/Parent 5 0 R/MediaBox[0 0 100 100]/Contents \(content) 0 R/Resources<</Properties"
                + "<</A \(hidden) 0 R/B \(shown) 0 R>>>>>>")
        _ = builder.add("<</Type/Pages/Kids[\(page) 0 R]/Count 1>>")
        let inner = place == "configuration" ? "\(builder.add(configuration)) 0 R" : configuration
        let whole = "<</OCGs[1 0 R 2 0 R]/D \(inner)>>"
        let properties = place == "properties" ? "\(builder.add(whole)) 0 R" : whole
        let root = builder.add("<</Type/Catalog/Pages 5 0 R/OCProperties \(properties)>>")
        let picture = try RenderedPage(builder.bytes(root: root), targets: [.inside(100, 100)]).pictures[0]
        #expect(picture.quarters == [white, blue, white, blue])
    }

    @Test("an object in an object stream is rewritten")
    func packed() throws {
        let file = PDFBuilder.compact(pageEntries: "/MediaBox[0 0 100 200]/Rotate 90.0", Self.fields)
        let page = try RenderedPage(file, targets: [.inside(200, 200)])
        #expect(page.pictures[0].quarters == [blue, red, yellow, green])
    }

    @Test("a page with more annotations than Poppler accepts is drawn with those that have an appearance")
    func manyAnnotations() throws {
        var builder = PDFBuilder()
        let content = builder.addStream("1 0 0 rg 0 0 100 50 re f")
        let appearance = builder.addStream("0 0 1 rg 0 0 100 50 re f", "/Type/XObject/Subtype/Form/BBox[0 0 100 50]")
        let stamp = "<</Type/Annot/Subtype/Stamp/Rect[0 50 100 100]/F 4/AP<</N \(appearance) 0 R>>>>"
        let links = String(repeating: "<</Type/Annot/Subtype/Link/Rect[0 0 1 1]>>", count: 10_001)
        let page = builder.add(
            "<</Type/Page/Parent \(appearance + 2) 0 R/MediaBox[0 0 100 100]/Contents \(content) 0 R/Annots[\(links)\(stamp)]>>"
        )
        let tree = builder.add("<</Type/Pages/Kids[\(page) 0 R]/Count 1>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        let picture = try RenderedPage(builder.bytes(root: root), targets: [.inside(100, 100)]).pictures[0]
        #expect(picture.quarters == [blue, blue, red, red])
    }

    @Test("an object stream with a PNG predictor over several colours is read", arguments: 0...4)
    func predicted(filter: UInt8) throws {
        let file = PDFBuilder.compact(pageEntries: "/MediaBox[0 0 100 200]/Rotate 90.0", Self.fields, filter: filter)
        let page = try RenderedPage(file, targets: [.inside(200, 200)])
        #expect(page.pictures[0].quarters == [blue, red, yellow, green])
    }

    @Test(
        "objects at other indices than their cross-reference entries state are found by their numbers",
        arguments: [[0, 1, 0], [0, 0, 2], [2, 0, 1]])
    func misplaced(indices: [Int]) throws {
        let file = PDFBuilder.compact(pageEntries: "/MediaBox[0 0 100 200]", Self.fields, indices: indices)
        let page = try RenderedPage(file, targets: [.inside(200, 200)])
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
        // Other objects are rewritten too.
        let turned = PDFBuilder.compact(
            pageEntries: "/MediaBox[0 0 100 200]/Rotate 90.0", Self.fields, indices: indices)
        let other = try RenderedPage(turned, targets: [.inside(200, 200)])
        #expect(other.pictures[0].quarters == [blue, red, yellow, green])
    }

    @Test("an index that overflows its field, in a large object stream, is corrected")
    func overflowedIndex() throws {
        let file = PDFBuilder.compact(
            pageEntries: "/MediaBox[0 0 100 200]/Rotate 90.0", Self.fields, indices: [256, 257, 258].map { $0 & 255 },
            before: 256)
        let page = try RenderedPage(file, targets: [.inside(200, 200)])
        #expect(page.pictures[0].quarters == [blue, red, yellow, green])
    }

    @Test(
        "a document with object streams opens without its end, and without its cross-reference stream",
        arguments: ["startxref", "5 0 obj"])
    func packedAndCut(word: String) throws {
        let file = PDFBuilder.compact(pageEntries: "/MediaBox[0 0 100 200]", Self.fields)
        let end = file.indices.last { file[$0...].starts(with: word.utf8) }!
        let page = try RenderedPage(Array(file[..<end]), targets: [.inside(200, 200)])
        #expect(page.facts.pageCount == 1)
        #expect(page.pictures[0].quarters == [red, green, blue, yellow])
    }

    @Test(
        "hostile cross-reference sections end in a picture or a failure, never in a crash",
        arguments: [
            "/Prev 9", "/Prev 9223372036854775807", "/Prev -1", "/XRefStm 15", "/XRefStm 9223372036854775807",
            "/Size 99999999999999999999", "/Root 9223372036854775807 0 R", "/Junk [[[[[[[[((((<<<<<<",
        ])
    func hostileTables(entries: String) throws {
        var builder = PDFBuilder()
        let tree = builder.add("<</Type/Pages/Kids[1 0 R 3 0 R 3 0 R]/Count 0>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R/OCProperties 2 0 R/D 2 0 R/AS 2 0 R>>")
        _ = builder.add("<</Type/Page/Parent 1 0 R/MediaBox[0 0 1e9 3 0 R]/CropBox 3 0 R/Rotate 9e999>>")
        let text = String(decoding: builder.bytes(root: root, entries), as: UTF8.self)
        for place in ["", "9223372036854775807", "-1", "15"] {
            let file = place.isEmpty ? text : text.replacing(/startxref\n\d+/, with: "startxref\n\(place)")
            do {
                _ = try RenderedPage(Array(file.utf8), targets: [.inside(20, 20)])
            } catch let failure as Failure {
                #expect([.corrupt, .tooLarge].contains(failure.code))
            }
        }
    }
}

extension PDFBuilder {
    /// A document of two equal pages of 100 × 200 points, 3 and 5, whose tree has these entries.
    static func tree(_ entries: String, _ content: String) -> [UInt8] {
        var builder = PDFBuilder()
        let tree = builder.add("<</Type/Pages/MediaBox[0 0 100 200]\(entries)>>")
        for _ in 0..<2 {
            let content = builder.addStream(content)
            _ = builder.add("<</Type/Page/Parent \(tree) 0 R/Contents \(content) 0 R>>")
        }
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        return builder.bytes(root: root)
    }
}

/// Scans cut into strips.
extension PageRendererTests {
    @Test("no white lines appear between the strips of a scan", arguments: ["", "/Rotate 90"])
    func strips(entries: String) throws {
        var builder = PDFBuilder()
        // 25 strips of 100 × 8 black pixels, as high as the page together; at most sizes they end within a pixel.
        let black = String(repeating: "0", count: 1600) + ">"
        let names = (0..<25).map { "/I\($0) \(builder.addStream(black, Self.strip)) 0 R" }
        let content = builder.addStream(
            (0..<25).map { "q 100 0 0 8 0 \($0 * 8) cm /I\($0) Do Q\n" }.joined())
        let tree = builder.add("<</Type/Pages/Kids[\(content + 2) 0 R]/Count 1>>")
        _ = builder.add(
            "<</Type/Page/Parent \(tree) 0 R/MediaBox[0 0 100 200]/Contents \(content) 0 R\(entries)"
                + "/Resources<</XObject<<\(names.joined())>>>>>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        for side in [37, 64, 99] {
            let targets = [RenderTarget.inside(side, side), .inside(side / 2, side / 2)]
            let page = try RenderedPage(builder.bytes(root: root), targets: targets)
            #expect(page.pictures.allSatisfy { picture in picture.bytes.allSatisfy { $0 < 8 } })
        }
    }

    private static let strip =
        "/Type/XObject/Subtype/Image/Width 100/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode"
}
