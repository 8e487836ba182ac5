import Media
import TestDeadline
import Testing
import Wire

@Suite("Texts of pages between host and renderers", .deadline)
struct PageTextMessageTests {
    private static let word = PageText.Word(
        "Wort", at: .init(left: 10, top: 20.25, width: 30, height: 12), ending: .line, rotation: 1)

    private static func page(_ words: [PageText.Word]) -> PageText {
        PageText(pageIndex: 2, pageCount: 7, width: 100, height: 200, words: words)
    }

    @Test("Text arrives as it was sent")
    func roundTrip() throws {
        var page = Self.page([Self.word, PageText.Word("שלום", at: Self.word.place)])
        #expect(try PageText(parsing: page.bytes) == page)
        page.isMostlyPicture = true
        #expect(try PageText(parsing: page.bytes) == page)
        #expect(try PageText(parsing: Self.page([]).bytes) == Self.page([]))
    }

    @Test("No cut of a message is one, and neither is a lengthened one")
    func cut() {
        let bytes = Self.page([Self.word]).bytes
        for count in 0..<bytes.count {
            #expect(throws: WireError.self, "\(count)") { try PageText(parsing: Array(bytes.prefix(count))) }
        }
        #expect(throws: WireError.self) { try PageText(parsing: bytes + [0]) }
    }

    @Test("Characters that control a terminal or reorder text do not arrive, nor does white space")
    func printable() throws {
        var word = Self.word
        word.text = "a\u{1B}[1m\u{202E}b c\n\u{A0}\u{7F}d"
        #expect(try PageText(parsing: Self.page([word]).bytes).words.map(\.text) == ["a[1mbcd"])
    }

    @Test("Words without characters or beside the page do not arrive; a line that they ended still ends")
    func leftOut() throws {
        let first = PageText.Word("a", at: Self.word.place)
        let empty = PageText.Word("\u{7}", at: Self.word.place, ending: .line)
        let outside = PageText.Word("b", at: .init(left: 100, top: 0, width: 9, height: 9), ending: .paragraph)
        let page = try PageText(parsing: Self.page([first, empty, outside]).bytes)
        #expect(page.words == [PageText.Word("a", at: Self.word.place, ending: .paragraph)])
    }

    @Test("Places are cut to the page")
    func places() throws {
        let word = PageText.Word("a", at: .init(left: -5, top: 190, width: 1000, height: 1e300))
        #expect(
            try PageText(parsing: Self.page([word]).bytes).words.map(\.place)
                == [PageText.Rectangle(left: 0, top: 190, width: 100, height: 10)])
    }

    @Test(
        "Numbers out of their bounds are no text",
        arguments: [
            PageText(pageIndex: 7, pageCount: 7, width: 1, height: 1),
            PageText(pageIndex: 0, pageCount: 1, width: .nan, height: 1),
            PageText(pageIndex: 0, pageCount: 1, width: 1, height: -1),
            PageText(
                pageIndex: 0, pageCount: 1, width: 1, height: 1,
                words: [PageText.Word("a", at: .init(left: .infinity, top: 0, width: 1, height: 1))]),
            PageText(
                pageIndex: 0, pageCount: 1, width: 1, height: 1,
                words: [PageText.Word("a", at: .init(left: 0, top: 0, width: -1, height: 1))]),
            PageText(
                pageIndex: 0, pageCount: 1, width: 1, height: 1,
                words: [PageText.Word("a", at: .init(left: 0, top: 0, width: 1, height: 1), rotation: 4)]),
        ])
    func bounds(page: PageText) {
        #expect(throws: WireError.self) { try PageText(parsing: page.bytes) }
    }

    @Test("A count of words without the words costs nothing")
    func lyingCount() {
        var bytes = Self.page([]).bytes
        bytes.replaceSubrange((bytes.count - 4)..., with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: WireError.self) { try PageText(parsing: bytes) }
    }

    @Test("A page with too many words or too much text is cut, and says so")
    func tooMuch() throws {
        let many = try PageText(parsing: Self.page(Array(repeating: Self.word, count: PageText.mostWords + 1)).bytes)
        #expect(many.words.count == PageText.mostWords)
        #expect(many.isCut)
        let long = PageText.Word(String(repeating: "語", count: PageText.longestWord), at: Self.word.place)
        let page = Self.page(Array(repeating: long, count: 1000))
        let parsed = try PageText(parsing: page.bytes)
        #expect(parsed.isCut)
        #expect(parsed.words.count == PageText.longestText / (3 * PageText.longestWord))
        #expect(page.bytes.count <= Wire.longestPageText && many.bytes.count <= Wire.longestPageText)
    }

    @Test("A request for text has no targets, and bounded room")
    func requests() throws {
        var request = RenderRequest(
            taskID: 1, mediaType: .pdf, limits: Limits(), pageIndex: 3, textByteCount: Wire.longestPageText)
        #expect(try RenderRequest(parsing: request.bytes) == request)
        request.textByteCount += 1
        #expect(throws: WireError.self) { try RenderRequest(parsing: request.bytes) }
        request.textByteCount = 1
        let box = Box(width: 8, height: 8)!
        request.targets = [
            RenderTarget(box: box, fit: .inside, gravity: .top, enlarge: false, offset: 0, byteCount: 256)
        ]
        #expect(throws: WireError.self) { try RenderRequest(parsing: request.bytes) }
    }

    @Test("A series has pages that follow each other, each in its own bounds")
    func series() throws {
        func page(_ index: Int, of count: Int = 9) -> PageText {
            PageText(
                pageIndex: index, pageCount: count, width: 300, height: 400,
                words: [PageText.Word("w\(index)", at: .init(left: 1, top: 2, width: 3, height: 4))])
        }
        let series = PageSeries([page(3), page(4), page(5)])
        #expect(try PageSeries(parsing: series.bytes) == series)
        for wrong in [[], [page(3), page(5)], [page(3), page(3)], [page(3), page(4, of: 8)]] {
            #expect(throws: WireError.self) { try PageSeries(parsing: PageSeries(wrong).bytes) }
        }
        for count in 0..<series.bytes.count {
            #expect(throws: WireError.self) { try PageSeries(parsing: Array(series.bytes[..<count])) }
        }
        var request = RenderRequest(
            taskID: 1, mediaType: .pdf, limits: Limits(), textByteCount: 1, furtherPageCount: PageSeries.mostPages - 1)
        #expect(try RenderRequest(parsing: request.bytes) == request)
        request.furtherPageCount += 1
        #expect(throws: WireError.self) { try RenderRequest(parsing: request.bytes) }
    }

    @Test("An answer tells how long the text is, up to its bound")
    func answers() throws {
        let facts = Facts(mediaType: .pdf, byteCount: 1)
        let answer = RenderAnswer.text(facts, byteCount: Wire.longestPageText)
        #expect(try RenderAnswer(parsing: answer.bytes) == answer)
        #expect(throws: WireError.self) {
            try RenderAnswer(parsing: RenderAnswer.text(facts, byteCount: Wire.longestPageText + 1).bytes)
        }
    }
}
