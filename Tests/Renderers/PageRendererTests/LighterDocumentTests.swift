import Formats
import Foundation
import Linux
import Media
import PDFBuilding
import PageRenderer
import Rendering
import TestSupport
import Testing
import Wire

/// Pages whose images are decoded at a reduced size: Poppler's drawing from the full images is the reference.
extension PageRendererTests {
    /// A page of 480 × 320 points, and on it a picture of as many pixels.
    struct Picture {
        let sample: String
        let entries: String
        static let jpeg = Picture(
            sample: "orientation-1.jpg", entries: "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode")
        static let inks = Picture(
            sample: "cmyk.jpg",
            entries: "/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter[/DCTDecode]/Decode[1 0 1 0 1 0 1 0]")
        static let wavelets = Picture(sample: "card.jp2", entries: "/Filter/JPXDecode")

        func bytes() throws -> [UInt8] {
            let samples = URL(filePath: "\(Checkout.folder)/samples")
            return Array(try Data(contentsOf: samples.appending(path: sample)))
        }
    }

    enum Shape: CaseIterable {
        case plain, compact, turned, inForm, split
    }

    @Test(
        "a page with reduced images looks like the page with full images",
        arguments: [Picture.jpeg, .inks, .wavelets],
        Shape.allCases)
    func sameness(picture: Picture, shape: Shape) throws {
        let file = try Self.document(picture, shape)
        let page =
            shape == .turned ? PixelSize(width: 80, height: 120) : PixelSize(width: 120, height: 80)
        let target = RenderTarget.inside(page.width, page.height)
        let expected = try RenderedPage(file, targets: [target])
        for (drawn, width) in [(nil, 180), (page, 120)] {
            let lighter = try Self.lighter(file, scale: 0.25, drawn: drawn)
            #expect(lighter.count > file.count && lighter.starts(with: file))
            let update = String(decoding: lighter[file.count...].prefix(300), as: UTF8.self)
            #expect(update.contains("/Width \(width)"))
            let shown = try RenderedPage(lighter, targets: [target])
            #expect(shown.facts.pageCount == 1)
            #expect(shown.pictures[0].size == expected.pictures[0].size)
            let differences = zip(shown.pictures[0].bytes, expected.pictures[0].bytes).map { abs(Int($0) - Int($1)) }
            #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 4)
        }
    }

    @Test(
        "only an image that covers the whole page gets exactly one sample per pixel",
        arguments: ["480 0 0 319 0 1", "479 0 0 320 0 0", "240 0 0 320 0 0", "480 1 0 320 0 0"])
    func partOfThePage(matrix: String) throws {
        let file = try Self.document(.jpeg, .plain, matrix: matrix)
        let lighter = try Self.lighter(file, scale: 0.25, drawn: PixelSize(width: 120, height: 80))
        let update = String(decoding: lighter[file.count...].prefix(300), as: UTF8.self)
        #expect(!update.contains("/Width 120"))
    }

    @Test(
        "images whose samples have no meaningful mean stay as they are",
        arguments: [
            "/ColorSpace[/Indexed/DeviceRGB 255(abc)]/BitsPerComponent 8/Filter/DCTDecode",
            "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Mask[1 2 3 4 5 6]",
            "/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode",
            "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter[/ASCIIHexDecode/DCTDecode]",
            "/ImageMask true/BitsPerComponent 1/Filter/DCTDecode",
            "/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/SMask<</Matte[0 0 0]>>",
        ])
    func unusual(entries: String) throws {
        let file = try Self.document(Picture(sample: "orientation-1.jpg", entries: entries), .plain)
        #expect(throws: NotReducible.self) { try Self.lighter(file, scale: 0.25) }
    }

    @Test("an image that is drawn nearly at full size stays as it is")
    func largeDrawing() throws {
        let file = try Self.document(.jpeg, .plain)
        #expect(throws: NotReducible.self) { try Self.lighter(file, scale: 0.5) }
    }

    @Test("an image of infinite size is left to Poppler")
    func boundlessMatrix() throws {
        let side = "1" + String(repeating: "0", count: 30)
        let growing = String(repeating: "\(side) 0 0 \(side) 0 0 cm ", count: 15)
        let file = try Self.document(.jpeg, .plain, matrix: "\(growing) 480 0 0 320 0 0")
        #expect(throws: NotReducible.self) { try Self.lighter(file, scale: 0.25) }
    }

    @Test("an encrypted or truncated document is left to Poppler")
    func notPlain() throws {
        let file = try Self.document(.jpeg, .plain)
        var reasons: Set<String> = []
        let text = String(decoding: file, as: Unicode.ASCII.self)
        let encrypted =
            file.prefix(file.count - 40)
            + Array(
                text.suffix(40).replacing("/Root", with: "/Encrypt 1 0 R/Root").utf8)
        for damaged in [Array(encrypted), Array(file.prefix(file.count - 30))] {
            let reason = #expect(throws: NotReducible.self) { try Self.lighter(damaged, scale: 0.25) }
            reasons.insert(reason?.reason ?? "")
        }
        #expect(reasons.count == 2)
    }

    @Test("a page without a large image is left to Poppler")
    func noPicture() throws {
        let file = PDFBuilder.page("/MediaBox[0 0 100 100]", "0 g 0 0 50 50 re f")
        #expect(throws: NotReducible.self) { try Self.lighter(file, scale: 1) }
    }

    private static func lighter(_ file: [UInt8], scale: Double, drawn: PixelSize? = nil) throws -> [UInt8] {
        let source = try MemoryFile.create(name: "source", byteCount: file.count)
        try source.write(file)
        let document = try LighterDocument.file(
            of: try Source(source), page: 0, scale: scale, drawn: drawn, leastPixelCount: 1000)
        return withExtendedLifetime(document) { Array(document.bytes!) }
    }

    private static func document(
        _ picture: Picture, _ shape: Shape, matrix: String = "480 0 0 320 0 0"
    ) throws -> [UInt8] {
        var builder = PDFBuilder()
        let image = builder.addStream(
            try picture.bytes(), "/Type/XObject/Subtype/Image/Width 480/Height 320\(picture.entries)")
        var drawn = image
        if shape == .inForm {
            drawn = builder.addStream(
                "/Inner Do", "/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</Inner \(image) 0 R>>>>")
        }
        let parts = ["q % a scan\n\(matrix) cm", "BT 3 Tr (a\\)b) Tj ET /Im1 Do Q"]
        let contents = (shape == .split ? parts : [parts.joined(separator: " ")])
            .map { "\(builder.addStream($0)) 0 R" }
        // The page tree's number is one more than the page's.
        let page = builder.add(
            "<</Type/Page/Parent \(1 + (shape == .inForm ? 1 : 0) + contents.count + 2) 0 R/MediaBox[0 0 480 320]"
                + (shape == .turned ? "/Rotate 90" : "") + "/Contents[\(contents.joined(separator: " "))]"
                + "/Resources<</XObject<</Im1 \(drawn) 0 R>>>>>>")
        let tree = builder.add("<</Type/Pages/Kids[\(page) 0 R]/Count 1>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        return shape == .compact ? builder.compactBytes(root: root) : builder.bytes(root: root)
    }
}
