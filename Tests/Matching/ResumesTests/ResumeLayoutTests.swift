import Matching
import Media
import TestDeadline
import Testing

@Suite("ResumeText of pages and paragraphs", .deadline)
struct ResumeLayoutTests {
    /// A page on which each text stands at a place, its words side by side, six points a letter.
    private func page(_ texts: [(x: Double, y: Double, text: String)]) -> PageText {
        var words: [PageText.Word] = []
        for (x, y, text) in texts {
            var left = x
            for word in text.split(separator: " ") {
                let width = Double(word.count) * 5
                words.append(
                    PageText.Word(
                        String(word), at: PageText.Rectangle(left: left, top: y, width: width, height: 10)))
                left += width + 3
            }
        }
        return PageText(pageIndex: 0, pageCount: 1, width: 612, height: 792, words: words)
    }

    @Test("Two columns are read one after the other, whatever the order of the words in the file")
    func columns() {
        var texts = [(x: 50.0, y: 60.0, text: "Maya Okonkwo")]
        for row in 0..<8 {
            let y = 100 + Double(row) * 14
            texts.append((50, y, "left line \(row) with words"))
            texts.append((330, y, "right line \(row) with words"))
        }
        let text = ResumeText(pages: [ReadingOrder.arranged(page(texts))])
        let lines = text.lines.map(\.text)
        #expect(lines.first == "Maya Okonkwo")
        #expect(lines.dropFirst().prefix(8).allSatisfy { $0.hasPrefix("left") })
        #expect(lines.suffix(8).allSatisfy { $0.hasPrefix("right") })
    }

    @Test("Dates at the right edge stay in the line of their entry")
    func dates() {
        var rows: [(x: Double, y: Double, text: String)] = []
        for row in 0..<6 {
            let y = 100 + Double(row) * 40
            rows += [(50, y, "Line Cook"), (450, y, "2019 – 2020"), (50, y + 14, "Harrow Bistro")]
        }
        let text = ResumeText(pages: [ReadingOrder.arranged(page(rows))])
        #expect(text.lines.filter { $0.text == "Line Cook\t2019 – 2020" }.count == 6)
    }

    @Test("A place gives the rectangles of its words")
    func rectangles() {
        let text = ResumeText(pages: [ReadingOrder.arranged(page([(50, 60, "Maya Okonkwo"), (50, 80, "Austin, TX")]))])
        let line = text.lines[1]
        #expect(text.text(at: line.place) == "Austin, TX")
        #expect(text.rectangles(at: line.place).map(\.top) == [80, 80])
    }

    @Test("A table's row of one line each is one line; other cells are columns of their own")
    func tables() {
        func cell(_ text: String, _ row: Int, _ column: Int) -> TextParagraph {
            TextParagraph(text, cell: TextParagraph.Cell(table: 1, row: row, column: column))
        }
        let table = [cell("2019 – 2021", 0, 0), cell("Line Cook", 0, 1)]
        #expect(ResumeText(paragraphs: table).lines.map(\.text) == ["2019 – 2021\tLine Cook"])
        let layout = [cell("Skills", 0, 0), cell("Grill", 0, 0), cell("Work", 0, 1), cell("Line Cook", 0, 1)]
        let lines = ResumeText(paragraphs: layout).lines
        #expect(lines.map(\.text) == ["Skills", "Grill", "Work", "Line Cook"])
        #expect(lines[0].column == lines[1].column && lines[1].column != lines[2].column)
    }

    @Test("Plain text: control characters, invisible spaces and form feeds")
    func plain() {
        let text = ResumeText(plainText: "a\u{0}b\u{200B}c  d    e\r\n\u{C}next\tcell\u{FEFF}")
        #expect(text.lines.map(\.text) == ["ab c d\te", "next\tcell"] && text.pages.count == 2)
        #expect(ResumeText(plainText: "").lines.isEmpty && ResumeText(pages: []).lines.isEmpty)
    }
}
