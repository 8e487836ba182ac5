import ArchiveBuilding
import Media
import TestDeadline
import Testing

@Suite("Texts of Word files of versions 6 to 2003", .deadline)
struct WordTests {
    private func lines(_ file: WordFile) throws -> [String] { try Reading.lines(file.bytes(), as: .word) }

    @Test("Pieces of both widths, marks, breaks and fields")
    func pieces() throws {
        var file = WordFile("Жab\u{B}c\u{9}d\u{1E}e\u{1F}\u{D}")
        file.pieces.append(WordFile.Piece(text: "caf\u{E9} \u{93}x\u{94}\u{1}\u{8}\r", isNarrow: true))
        file.pieces.append(WordFile.Piece(text: "\u{13}HYPERLINK \u{13}X\u{14}Y\u{15}\u{14}shown\u{15}\u{C}last"))
        #expect(try lines(file) == ["Жab\nc\td-e", "café “x”", "shown", "last"])
    }

    @Test("A field without an end hides nothing")
    func openField() throws { #expect(try lines(WordFile("a\u{13}b\rc\r")) == ["ab", "c"]) }

    @Test("Headings, list items and hidden characters, by the properties")
    func properties() throws {
        var file = WordFile("head\rmine\ritem\rxhiddeny\r")
        file.paragraphs = [
            (4, 1, []), (9, 30, [0x40, 0x26, 2]), (14, 0, [0x0B, 0x46, 1, 0]), (23, 0, []),
        ]
        file.characters = [(16..<22, [0x3C, 0x08, 1])]
        let text = try Reading.text(file.bytes(), as: .word)
        #expect(text.paragraphs.map(\.text) == ["head", "mine", "item", "xy"])
        #expect(text.paragraphs.map(\.style) == [.heading, .heading, .listItem, .body])
    }

    @Test("Cells and rows, with and without properties")
    func tables() throws {
        var file = WordFile("a\u{7}b\u{7}\u{7}c\u{7}\u{7}out\r")
        let cells = [[0, 0, 0], [0, 0, 1], [0, 1, 0], nil]
        func found() throws -> [[Int]?] {
            try Reading.text(file.bytes(), as: .word).paragraphs.map { $0.cell.map { [$0.table, $0.row, $0.column] } }
        }
        #expect(try found() == cells)
        file.paragraphs = [1, 3, 6].map { ($0, 0, WordFile.inTable) } + [4, 7].map { ($0, 0, WordFile.rowEnd) }
        file.paragraphs.sort { $0.mark < $1.mark }
        #expect(try found() == cells)
        #expect(try lines(file) == ["a", "b", "c", "out"])
    }

    @Test("Headers come first, boxes and notes behind the body, footers last; comments are left out")
    func stories() throws {
        // Body, footnotes, headers, comments, endnotes, boxes.
        let parts = ["body\r", "\u{2} note\r", "odd\rfoot\r", "comment\r", "end\r", "box\r"]
        var file = WordFile(parts.joined())
        file.lengths = parts.map(\.utf16.count)
        file.headerPlaces = [0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 9, 9, 9, 10]
        #expect(try lines(file) == ["odd", "body", "box", " note", "end", "foot"])
    }

    @Test("A protected file says so")
    func encrypted() throws {
        var file = WordFile("a\r")
        file.flags = 0x0100
        #expect(try Reading.failure(file.bytes(), as: .word) == .encrypted)
        #expect(try Reading.failure([], as: .encryptedOpenXML) == .encrypted)
    }

    @Test("A file of Word 95 in one piece")
    func old() throws {
        let text = Array("caf\u{E9}\r".unicodeScalars.map { UInt8($0.value) })
        var stream = UInt16(0xA5DC).little + UInt16(101).little + zeros(0x14)
        stream += UInt32(0x400).little + UInt32(0x400 + text.count).little + zeros(0x34 - 0x20)
        stream += UInt32(text.count).little + zeros(0x400 - 0x38) + text + zeros(5000)
        let file = CompoundFileBuilder([.stream("WordDocument", stream)]).bytes()
        #expect(try Reading.lines(file, as: .word) == ["café"])
    }

    @Test("Streams shorter than 4,096 bytes lie in the root's")
    func shortStreams() throws {
        var stream = zeros(0x800)
        let text = Array("short\r".utf8)
        func put(_ value: [UInt8], at offset: Int) {
            stream.replaceSubrange(offset..<offset + value.count, with: value)
        }
        put(UInt16(0xA5EC).little + UInt16(0xC1).little, at: 0)
        put(UInt32(text.count).little, at: 0x4C)
        let pieces = UInt32(0).little + UInt32(text.count).little + zeros(2) + UInt32(0x4000_1000).little + zeros(2)
        let table = [UInt8(2)] + UInt32(pieces.count).little + pieces
        put(zeros(4) + UInt32(table.count).little, at: 0x1A2)
        let file = CompoundFileBuilder([
            .stream("Other", zeros(700)), .stream("WordDocument", stream + text), .stream("0Table", table),
        ]).bytes()
        #expect(try Reading.lines(file, as: .word) == ["short"])
    }
}
