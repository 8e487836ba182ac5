import Formats
import Linux
import Media
import PDFBuilding
import PageRenderer
import Rendering
import TestDeadline
import Testing
import Wire

/// The words of a page and their places.
@Suite("Texts of pages by Poppler", .deadline)
struct PageTextTests {
    /// A page's text as the host would read it from the child.
    private static func text(_ file: [UInt8], page pageIndex: Int = 0) throws -> PageText {
        let (facts, message) = try message(file, page: pageIndex, further: 0)
        let text = try PageText(parsing: message)
        #expect([facts.pageWidth, facts.pageHeight] == [text.width, text.height])
        return text
    }

    /// What the child writes for a page and those that may come along.
    private static func message(
        _ file: [UInt8], page pageIndex: Int, further: Int, skipsShortcuts: Bool = false
    ) throws -> (facts: Facts, bytes: [UInt8]) {
        let source = try MemoryFile.create(name: "source", byteCount: max(file.count, 1))
        let copy = try Mapping(of: source.number, byteCount: max(file.count, 1), writable: true)
        withExtendedLifetime(copy) { $0.bytes.copyBytes(from: file) }
        let room = Wire.longestPageText
        let memory = try MemoryFile.create(name: "text", byteCount: room)
        let mapping = try Mapping(of: memory.number, byteCount: room, writable: true)
        let request = RenderRequest(
            taskID: 1, mediaType: .pdf, limits: Limits(), pageIndex: pageIndex, skipsShortcuts: skipsShortcuts,
            textByteCount: room, furtherPageCount: further)
        let job = RenderJob(request: request, source: try Source(source), memory: mapping)
        guard case .text(let facts, let byteCount) = try PageRenderer(as: .pdf).render(job) else {
            Issue.record("an answer without text")
            throw Failure(.crashed)
        }
        return (facts, withExtendedLifetime(mapping) { Array($0.bytes[..<byteCount]) })
    }

    @Test("Pages that come along have the texts that they have alone")
    func further() throws {
        let font = "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/MediaBox[0 0 300 400]"
        func page(_ number: Int) -> (String, String) {
            ("\(font)/Rotate \(number % 4 * 90)", "BT /F 12 Tf 20 200 Td (Page number \(number)) Tj ET")
        }
        let file = PDFBuilder.document((0..<12).map(page))
        for skips in [false, true] {
            for (first, further, count) in [(0, 5, 6), (3, 63, 9), (11, 5, 1)] {
                let message = try Self.message(file, page: first, further: further, skipsShortcuts: skips).bytes
                let pages = try PageSeries(parsing: message).pages
                #expect(pages.count == count, "\(first) \(further)")
                for (offset, page) in pages.enumerated() { #expect(try Self.text(file, page: first + offset) == page) }
            }
        }
    }

    @Test(
        "A few words over a picture of the page tell of it, on each page; a logo, and a page of words, do not",
        arguments: [
            ("q 300 0 0 400 0 0 cm /I Do Q", 3, true), ("q 0 400 -300 0 300 0 cm /I Do Q", 3, true),
            ("q 280 0 0 300 10 50 cm /I Do Q", 20, true),
            ("q 300 0 0 200 0 0 cm /I Do 1 0 0 1 0 1 cm /I Do Q", 3, true),
            ("q 300 0 0 400 0 0 cm /I Do Q", 21, false), ("q 300 0 0 400 0 0 cm /I Do Q", 0, false),
            ("q 300 0 0 400 400 0 cm /I Do Q", 3, false), ("q 60 0 0 60 20 300 cm /I Do Q", 3, false),
            ("0 0 300 400 re f", 3, false), ("q 300 0 0 400 0 0 cm /Unknown Do Q", 3, false),
        ])
    func pictures(drawing: String, wordCount: Int, isMostlyPicture: Bool) throws {
        var builder = PDFBuilder()
        let image = builder.addStream(
            [UInt8](repeating: 0xFF, count: 5_000),
            "/Type/XObject/Subtype/Image/Width 200/Height 200/BitsPerComponent 1/ColorSpace/DeviceGray")
        let lines = (0..<wordCount).map { "1 0 0 1 20 \(390 - 18 * $0) Tm (word) Tj" }.joined(separator: "\n")
        let content = builder.addStream("\(drawing) BT /F 12 Tf \(lines) ET")
        let pages = (0..<2).map { _ in
            builder.add(
                """
                <</Type/Page/Parent \(content + 3) 0 R/MediaBox[0 0 300 400]/Contents \(content) 0 R/Resources<<
                /XObject<</I \(image) 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>
                """)
        }
        let tree = builder.add("<</Type/Pages/Kids[\(pages[0]) 0 R \(pages[1]) 0 R]/Count 2>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        let file = builder.bytes(root: root)
        let series = try PageSeries(parsing: Self.message(file, page: 0, further: 1).bytes).pages
        #expect(series.map(\.words.count) == [wordCount, wordCount])
        #expect(series.map(\.isMostlyPicture) == [isMostlyPicture, isMostlyPicture])
    }

    @Test("A document without pages is damaged: no page of it can be asked for")
    func noPages() {
        var builder = PDFBuilder()
        let tree = builder.add("<</Type/Pages/Kids[]/Count 0>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        let file = builder.bytes(root: root)
        for skips in [false, true] {
            do {
                _ = try Self.message(file, page: 0, further: 3, skipsShortcuts: skips)
                Issue.record("a page of none was read")
            } catch {
                #expect((error as? Failure)?.code == .corrupt, "\(error)")
            }
        }
    }

    /// A document of one page with fonts `/F` (Helvetica) and `/S`, whose glyphs are squares of one em.
    ///
    /// - Parameter unicode: what each code of `/S` stands for, in UTF-16 as hexadecimal digits.
    private static func page(
        _ entries: String, _ content: String, unicode: [Character: String] = [:],
        catalogue: String = "", resources: String = ""
    ) -> [UInt8] {
        var builder = PDFBuilder()
        let square = builder.addStream("1000 0 d0 0 0 1000 1000 re f")
        let pairs = unicode.map { "<\(String($0.key.asciiValue!, radix: 16))><\($0.value)>" }.sorted()
        let map = builder.addStream(
            """
            /CIDInit/ProcSet findresource begin 12 dict begin begincmap /CMapName/U def /CMapType 2 def
            1 begincodespacerange <00><FF> endcodespacerange
            \(pairs.count) beginbfchar \(pairs.joined(separator: "\n")) endbfchar
            endcmap CMapName currentdict/CMap defineresource pop end end
            """)
        let names = (33...126).map { "/g\($0)" }
        let font = builder.add(
            """
            <</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 33/LastChar 126
            /Widths[\(names.map { _ in "1000" }.joined(separator: " "))]/CharProcs<<\(names.map { "\($0) \(square) 0 R" }.joined())>>
            /Encoding<</Type/Encoding/Differences[33\(names.joined())]>>/Resources<<>>\(unicode.isEmpty ? "" : "/ToUnicode \(map) 0 R")>>
            """)
        let group = builder.add("<</Type/OCG/Name(Layer)>>")
        precondition(group == 4, "contents name it by its number")
        let stream = builder.addStream(content)
        let page = builder.add(
            """
            <</Type/Page/Parent \(font + 4) 0 R/Contents \(stream) 0 R\(entries)/Resources<<\(resources)
            /Font<</S \(font) 0 R/F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>>>>>
            """)
        let tree = builder.add("<</Type/Pages/Kids[\(page) 0 R]/Count 1>>")
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R\(catalogue)>>")
        return builder.bytes(root: root)
    }

    /// A page of 300 × 400 points.
    private static func page(
        _ content: String, unicode: [Character: String] = [:], catalogue: String = "", resources: String = ""
    ) -> [UInt8] {
        page("/MediaBox[0 0 300 400]", content, unicode: unicode, catalogue: catalogue, resources: resources)
    }

    @Test("Words, lines and blocks come in reading order")
    func lines() throws {
        let text = try Self.text(
            Self.page("BT /F 12 Tf 14 TL 20 350 Td (Good morning,) Tj T* (world!) Tj 0 -100 Td (Far below) Tj ET"))
        #expect(text.text == "Good morning,\nworld!\n\nFar below")
        #expect(text.words.map(\.ending) == [.space, .line, .paragraph, .space, .paragraph])
        #expect([text.width, text.height] == [300, 400])
        #expect((text.pageIndex, text.pageCount) == (0, 1))
    }

    @Test("Of two columns, the left one is read to its end first")
    func columns() throws {
        let lines = (0..<8).map { row in
            "1 0 0 1 20 \(350 - row * 14) Tm (left column, row) Tj 1 0 0 1 170 \(350 - row * 14) Tm (right column, row) Tj"
        }
        let text = try Self.text(Self.page("BT /F 12 Tf \(lines.joined(separator: "\n")) ET"))
        let sides = text.words.map(\.text).filter { $0 == "left" || $0 == "right" }
        #expect(sides == Array(repeating: "left", count: 8) + Array(repeating: "right", count: 8))
    }

    @Test(
        "A word lies where it is drawn, whatever the page's rotation, box and unit",
        arguments: [
            "/MediaBox[0 0 300 400]", "/MediaBox[0 0 300 400]/Rotate 90", "/MediaBox[0 0 300 400]/Rotate 180",
            "/MediaBox[0 0 300 400]/Rotate 270", "/MediaBox[0 0 300 400]/Rotate -90",
            "/MediaBox[0 0 300 400]/CropBox[40 90 290 310]", "/MediaBox[0 0 300 400]/CropBox[40 90 290 310]/Rotate 90",
            "/MediaBox[-100 -50 300 400]/CropBox[-20 10 280 390]/Rotate 270", "/MediaBox[0 0 300 400]/UserUnit 2.5",
            "/MediaBox[0 0 300.5 400.25]/CropBox[900 900 901 901]",
        ],
        [
            ("1 0 0 1 100 200 Tm", 0), ("0 1 -1 0 150 150 Tm", 3), ("-1 0 0 -1 200 200 Tm", 2),
            ("0 -1 1 0 100 250 Tm", 1),
        ])
    func places(entries: String, line: (matrix: String, rotation: Int)) throws {
        let file = Self.page(entries, "BT /F 20 Tf \(line.matrix) (HHH) Tj ET")
        let text = try Self.text(file)
        #expect(text.words.map(\.text) == ["HHH"])
        let word = try #require(text.words.first)
        let turns = entries.contains("/Rotate -90") ? 3 : (1...3).first { entries.contains("/Rotate \($0 * 90)") } ?? 0
        #expect(word.rotation == (line.rotation + turns) % 4)
        let picture = try RenderedPage(file, targets: [.inside(600, 600)]).pictures[0]
        let drawn = try #require(picture.darkPart)
        // Poppler's boxes span from descent to ascent, which capitals do not fill, and have the width of the glyphs with
        // their bearings.
        let (across, upright) = word.rotation % 2 == 0 ? (3.0, 6.0) : (6.0, 3.0)
        let scale = (x: text.width / Double(picture.size.width), y: text.height / Double(picture.size.height))
        #expect(abs(word.place.left - Double(drawn.left) * scale.x) <= across, "\(word) \(drawn)")
        #expect(abs(word.place.right - Double(drawn.right) * scale.x) <= across, "\(word) \(drawn)")
        #expect(abs(word.place.top - Double(drawn.top) * scale.y) <= upright, "\(word) \(drawn)")
        #expect(abs(word.place.bottom - Double(drawn.bottom) * scale.y) <= upright, "\(word) \(drawn)")
    }

    @Test("Text beside the crop box is left out")
    func outside() throws {
        let content =
            "BT /F 12 Tf 1 0 0 1 50 200 Tm (inside) Tj 1 0 0 1 50 20 Tm (below) Tj 1 0 0 1 250 200 Tm (right) Tj ET"
        let file = Self.page("/MediaBox[0 0 300 400]/CropBox[0 100 200 400]", content)
        #expect(try Self.text(file).text == "inside")
    }

    @Test("Ligatures and letters of one shape are spelt out")
    func ligatures() throws {
        let unicode: [Character: String] = ["a": "006F", "b": "FB03", "c": "00630065", "d": "FEFB"]
        let words = try Self.text(Self.page("BT /S 10 Tf 20 350 Td (abc) Tj 0 -50 Td (d) Tj ET", unicode: unicode))
            .words
        #expect(words.map(\.text) == ["office", "لا"])
    }

    @Test("Arabic and Hebrew are read from the right, the numbers and Latin words in them from the left")
    func rightToLeft() throws {
        // As seen, from the left: م ا ل س | 42 | PDF | ה ל א .
        let unicode: [Character: String] = [
            "a": "0645", "b": "0627", "c": "0644", "d": "0633", "1": "0034", "2": "0032", "P": "0050", "D": "0044",
            "F": "0046", "x": "05D4", "y": "05DC", "z": "05D0",
        ]
        func line(_ content: String) throws -> String {
            try Self.text(Self.page("BT /S 10 Tf 20 350 Td [\(content)] TJ ET", unicode: unicode)).text
        }
        #expect(try line("(abcd)") == "سلام")
        #expect(try line("(xyz) -500 (12) -500 (abcd)") == "سلام 42 אלה")
        #expect(try line("(xyz) -500 (PDF) -500 (12) -500 (abcd)") == "سلام PDF 42 אלה")
        #expect(try line("(PDF) -500 (xyz) -500 (abcd) -500 (F) -500 (D)") == "PDF سلام אלה F D")
        #expect(try line("(xyz12)") == "42אלה")
    }

    @Test("Invisible text of a scan is read, hidden layers are not")
    func hidden() throws {
        #expect(try Self.text(Self.page("BT 3 Tr /F 12 Tf 20 350 Td (recognised) Tj ET")).text == "recognised")
        let layers = Self.page(
            "/OC/H BDC BT /F 12 Tf 20 350 Td (hidden) Tj ET EMC BT /F 12 Tf 20 200 Td (shown) Tj ET",
            catalogue: "/OCProperties<</OCGs[4 0 R]/D<</OFF[4 0 R]>>>>", resources: "/Properties<</H 4 0 R>>")
        #expect(try Self.text(layers).text == "shown")
    }

    @Test("A page without text has no words, and no word has control characters or halves of characters")
    func empty() throws {
        #expect(try Self.text(Self.page("0 0 100 100 re f")).words.isEmpty)
        let unicode: [Character: String] = ["a": "0007", "b": "D800", "c": "000A", "d": "0064"]
        let words = try Self.text(Self.page("BT /S 10 Tf 20 350 Td (abcd) Tj ET", unicode: unicode)).words
        let text = words.map(\.text).joined()
        #expect(text.hasSuffix("d"))
        #expect(text.unicodeScalars.allSatisfy { $0.value > 0x20 })
    }

    @Test("Any page of a document is read, and one that does not exist is a mistake of the call")
    func pages() throws {
        let file = PDFBuilder.document(
            (1...3).map { number in
                (
                    "/MediaBox[0 0 100 100]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>",
                    "BT /F 12 Tf 10 50 Td (page \(number)) Tj ET"
                )
            })
        for index in 0..<3 {
            let text = try Self.text(file, page: index)
            #expect((text.text, text.pageIndex, text.pageCount) == ("page \(index + 1)", index, 3))
        }
        let failure = #expect(throws: Failure.self) { try Self.text(file, page: 3) }
        #expect(failure?.code == .usage)
        // Without the table and the trailer.
        let cut = Array(file.prefix(file.count - 420))
        #expect(try Self.text(cut, page: 1).text == "page 2")
    }

    @Test("A file that is no document is corrupt", arguments: ["", "%PDF-1.4\n", "%PDF-1.4\ntrailer<</Root 1 0 R>>"])
    func damaged(content: String) {
        let failure = #expect(throws: Failure.self) { try Self.text(Array(content.utf8)) }
        #expect(failure?.code == .corrupt)
    }
}

extension RenderedPage.Picture {
    /// The smallest rectangle around all dark pixels, in pixels from the upper left corner.
    fileprivate var darkPart: (left: Int, top: Int, right: Int, bottom: Int)? {
        var (columns, rows) = (Set<Int>(), Set<Int>())
        for row in 0..<size.height {
            for column in 0..<size.width where bytes[(row * size.width + column) * 3] < 128 {
                columns.insert(column)
                rows.insert(row)
            }
        }
        guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
            return nil
        }
        return (left, top, right + 1, bottom + 1)
    }
}
