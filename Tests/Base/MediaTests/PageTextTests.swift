import Media
import TestDeadline
import Testing

@Suite("Texts of pages", .deadline)
struct PageTextTests {
    /// A page of lines, each of words of ten points a character; a trailing `|` ends a paragraph.
    private static func page(_ lines: String...) -> PageText {
        var page = PageText(pageIndex: 0, pageCount: 1, width: 500, height: 700)
        for (row, line) in lines.enumerated() {
            var left = 0.0
            let words = line.split(separator: " ")
            for (index, part) in words.enumerated() {
                let isParagraph = part.hasSuffix("|")
                let text = String(isParagraph ? part.dropLast() : part)
                let width = Double(text.unicodeScalars.count) * 10
                let ending: PageText.Ending =
                    index + 1 < words.count ? .space : isParagraph ? .paragraph : .line
                page.words.append(
                    PageText.Word(
                        text, at: .init(left: left, top: Double(row) * 20, width: width, height: 15), ending: ending))
                left += width + 10
            }
        }
        return page
    }

    @Test("The running text has the lines and paragraphs of the page")
    func runningText() {
        let page = Self.page("One two", "three|", "Four")
        #expect(page.text == "One two\nthree\n\nFour")
        #expect(page.text(of: 1..<3) == "two\nthree")
        #expect(page.text(of: 2..<2) == "")
    }

    @Test("JSON gives the same text back")
    func json() throws {
        var page = Self.page("Ça “va” \\ bien|", "non")
        page.words[0].rotation = 3
        page.words[1].place.left = 7.25
        page.isCut = true
        let text = page.json.text
        #expect(PageText(json: try JSON(parsing: Array(text.utf8))) == page)
        #expect(text.contains(#"["non", 0, 20, 30, 15, 2]"#))
    }

    @Test("The bytes for the cache are those of the JSON object")
    func jsonBytes() {
        var page = Self.page("Ça “va” \"\\ bien|", "non", "\u{85}")
        #expect(page.jsonBytes == page.json.utf8)
        page.words[0].rotation = 3
        page.words[1].place = .init(left: 0.01, top: 1234.5, width: 1_000_000.25, height: 1e17)
        page.isRecognized = true
        page.isMostlyPicture = true
        #expect(page.jsonBytes == page.json.utf8)
        #expect(PageText(json: page.json)?.isMostlyPicture == true)
        page.words = []
        #expect(page.jsonBytes == page.json.utf8)
    }

    @Test("A page without words, or with a stamp over a picture, awaits recognition, once")
    func awaiting() {
        var page = Self.page()
        #expect(page.awaitsRecognition)
        page = Self.page("Scanned by", "Harrow Scan|", "Page 1 of 3")
        #expect(!page.awaitsRecognition && page.hasFewWords)
        page.isMostlyPicture = true
        #expect(page.awaitsRecognition)
        page.isRecognized = true
        #expect(!page.awaitsRecognition)
        page = Self.page(String(repeating: "word ", count: 21))
        page.isMostlyPicture = true
        #expect(!page.awaitsRecognition && !page.hasFewWords)
    }

    @Test(
        "JSON of another shape is no text",
        arguments: [
            #"{}"#, #"{"page":0,"pageCount":1,"width":1,"height":1,"cut":false,"words":[]}"#,
            #"{"page":2,"pageCount":1,"width":1,"height":1,"cut":false,"words":[]}"#,
            #"{"page":1,"pageCount":1,"width":0,"height":1,"cut":false,"words":[]}"#,
            #"{"page":1,"pageCount":1,"width":1,"height":1,"cut":false,"words":[["a",0,0,1,1]]}"#,
            #"{"page":1,"pageCount":1,"width":1,"height":1,"cut":false,"words":[["a",0,0,1,1,4]]}"#,
            #"{"page":1,"pageCount":1,"width":1,"height":1,"cut":false,"words":[["a",0,0,"1",1,1]]}"#,
            #"{"page":1,"pageCount":1,"width":1,"height":1,"cut":false,"words":[["a",0,0,1,1,1,4]]}"#,
        ])
    func brokenJSON(text: String) throws { #expect(PageText(json: try JSON(parsing: Array(text.utf8))) == nil) }

    @Test(
        "A query is found in any case, with or without accents, across spaces and line ends",
        arguments: [
            ("RESUME", 0..<1), ("résumé", 0..<1), ("esum", 0..<1), ("of the", 1..<3), ("  the \n quick ", 2..<4),
            ("office", 5..<6), ("OFFICE of", 5..<7), ("document", 8..<10), ("docu-ment", 8..<10), ("don't", 11..<12),
            ("strasse", 12..<13),
        ])
    func found(query: String, words: Range<Int>) throws {
        let page = Self.page("Résumé of the", "quick brown oﬃce of|", "a docu-", "ment", "we don’t Straße")
        let matches = page.matches(query)
        #expect(matches.map(\.words) == [words], "\(query)")
    }

    @Test("What is not there is not found", arguments: ["", "   ", "x", "ofthe", "of  x", "quickbrown", "theof"])
    func notFound(query: String) { #expect(Self.page("of the", "quick brown").matches(query).isEmpty) }

    @Test("Words without a space between them are found together, and lines of Chinese too")
    func unspaced() {
        var page = Self.page("中文", "字典")
        #expect(page.matches("文字").map(\.words) == [0..<2])
        page = Self.page("foot note")
        page.words[0].ending = .nothing
        #expect(page.matches("footnote").map(\.words) == [0..<2])
        #expect(page.matches("foot note").isEmpty)
    }

    @Test("A match has one place for each line, and the share of a word that it covers")
    func places() {
        let page = Self.page("ab cdef", "gh ij")
        #expect(
            page.matches("ef gh i").map(\.places) == [
                [
                    PageText.Rectangle(left: 50, top: 0, width: 20, height: 15),
                    PageText.Rectangle(left: 0, top: 20, width: 40, height: 15),
                ]
            ])
        #expect(page.matches("b c")[0].places == [PageText.Rectangle(left: 10, top: 0, width: 30, height: 15)])
    }

    @Test("A part of a word lies where the word's direction has it")
    func directions() {
        var page = Self.page("abcd")
        func place(_ query: String) -> PageText.Rectangle? { page.matches(query).first?.places.first }
        page.words[0].rotation = 2
        #expect(place("a") == PageText.Rectangle(left: 30, top: 0, width: 10, height: 15))
        page.words[0].place = PageText.Rectangle(left: 0, top: 0, width: 15, height: 40)
        page.words[0].rotation = 1
        #expect(place("a") == PageText.Rectangle(left: 0, top: 0, width: 15, height: 10))
        page.words[0].rotation = 3
        #expect(place("a") == PageText.Rectangle(left: 0, top: 30, width: 15, height: 10))
        page.words[0] = PageText.Word("سلام", at: PageText.Rectangle(left: 0, top: 0, width: 40, height: 15))
        #expect(place("س") == PageText.Rectangle(left: 30, top: 0, width: 10, height: 15))
    }

    @Test("Matches do not overlap, and no more are told than asked for")
    func bounded() {
        let page = Self.page("aaaaaa aaa")
        #expect(page.matches("aa").count == 4)
        #expect(page.matches("aa", most: 2).count == 2)
    }

    @Test(
        "A place is cut to the page, rounded, and stays as it is when it is placed again",
        arguments: [
            (-5.0, 10.0, 30.0), (90.004, 200, 30), (99.999, 100.5, 30), (0, 0.001, 30), (100, 120, 30),
            (33.333, 66.666, 595.276), (594.9, 595.276, 595.276), (0, 0.02, 0.01),
        ])
    func placed(start: Double, end: Double, side: Double) {
        let place = PageText.Rectangle(left: start, top: 0, width: end - start, height: 1)
        guard let placed = place.placed(onPageOfWidth: side, height: 10) else {
            #expect(start >= side)
            return
        }
        #expect(placed.left >= 0 && placed.right <= side + 0.01 && placed.width >= 0.01)
        #expect(placed.placed(onPageOfWidth: side, height: 10) == placed)
    }
}
