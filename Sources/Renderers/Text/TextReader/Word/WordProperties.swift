internal import Formats

/// The properties of a Word file's paragraphs and characters, by their places in the document's stream ([MS-DOC]
/// 2.4.6.1, 2.4.6.2).
struct WordProperties {
    /// What the properties of a paragraph say.
    struct Paragraph {
        var depth = 0
        var isHeading = false
        var isListItem = false
        /// Whether its mark ends a row, or a cell, of a table within a table.
        var endsNestedRow = false
        var endsNestedCell = false
        /// Whether its mark ends a row.
        var endsRow = false
    }

    private struct Run<Value> {
        let start: Int
        let end: Int
        let value: Value
    }

    private var paragraphs: [Run<Paragraph>] = []
    /// The runs that are hidden, deleted, or symbols in their own font.
    private var hidden: [Run<Void>] = []
    /// Whether the file says what its paragraphs are.
    var isKnown: Bool { !paragraphs.isEmpty }

    /// The maximum number of property pages: each page of a 64 MiB stream once.
    private static let mostPages = 128 << 10

    /// Unknown properties.
    init() {}

    /// Reads all property pages, except damaged ones.
    init(_ header: WordFileHeader, _ stream: Bytes, _ table: Bytes) {
        for page in Self.pages(header.paragraphPages, stream, table) {
            page.runs(entrySize: 13) { start, end, place in
                guard place > 0, let paragraph = Self.paragraph(page.bytes, at: place) else { return }
                paragraphs.append(Run(start: start, end: end, value: paragraph))
            }
        }
        for page in Self.pages(header.characterPages, stream, table) {
            page.runs(entrySize: 1) { start, end, place in
                guard place > 0, Self.isHidden(page.bytes, at: place) else { return }
                hidden.append(Run(start: start, end: end, value: ()))
            }
        }
        paragraphs.sort { $0.start < $1.start }
        hidden.sort { $0.start < $1.start }
    }

    /// The properties of the paragraph whose mark lies at a place.
    func paragraph(at offset: Int) -> Paragraph? { Self.run(at: offset, in: paragraphs)?.value }

    /// Whether the character at a place is hidden.
    func isHidden(at offset: Int) -> Bool { !hidden.isEmpty && Self.run(at: offset, in: hidden) != nil }

    /// The run at a place; runs do not overlap in intact files.
    private static func run<Value>(at offset: Int, in runs: [Run<Value>]) -> Run<Value>? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0, offset < runs[low - 1].end else { return nil }
        return runs[low - 1]
    }

    private static func pages(_ place: WordFileHeader.Place?, _ stream: Bytes, _ table: Bytes) -> [WordPropertyPage] {
        guard let place, let plc = table.part(at: place.offset, count: place.count), plc.count >= 12 else { return [] }
        let count = min((plc.count - 4) / 8, mostPages)
        var seen: Set<UInt32> = []
        return (0..<count).compactMap { index in
            guard let number = plc.little(UInt32.self, at: (count + 1) * 4 + index * 4), seen.insert(number).inserted
            else { return nil }
            return stream.part(
                at: Int(number & 0x3F_FFFF) * WordPropertyPage.byteCount, count: WordPropertyPage.byteCount
            )
            .map(WordPropertyPage.init)
        }
    }

    private static func paragraph(_ page: Bytes, at place: Int) -> Paragraph? {
        guard let count = page[place] else { return nil }
        let (start, size) = count == 0 ? (place + 2, 2 * Int(page[place + 1] ?? 0)) : (place + 1, 2 * Int(count) - 1)
        guard size >= 2, let bytes = page.part(at: start, count: size), let style = bytes.little(UInt16.self, at: 0)
        else {
            return nil
        }
        var paragraph = Paragraph()
        // The styles "heading 1" to "heading 9" have fixed numbers ([MS-DOC] 2.9.271).
        paragraph.isHeading = (1...9).contains(style)
        var isInTable = false
        WordModifier.forEach(in: bytes.dropping(2)) { code, operand in
            let value = operand[0] ?? 0
            switch code {
            case 0x2416: isInTable = value != 0
            case 0x2417: paragraph.endsRow = value != 0
            case 0x6649: paragraph.depth = Int(min(64, operand.little(UInt32.self, at: 0) ?? 0))
            case 0x244B: paragraph.endsNestedCell = value != 0
            case 0x244C: paragraph.endsNestedRow = value != 0
            case 0x460B: paragraph.isListItem = operand.little(UInt16.self, at: 0) != 0
            case 0x2640: paragraph.isHeading = value < 9
            default: break
            }
        }
        if isInTable { paragraph.depth = max(1, paragraph.depth) }
        return paragraph
    }

    private static func isHidden(_ page: Bytes, at place: Int) -> Bool {
        guard let count = page[place], let bytes = page.part(at: place + 1, count: Int(count)) else { return false }
        var isHidden = false
        WordModifier.forEach(in: bytes) { code, operand in
            let value = operand[0] ?? 0
            switch code {
            // Hidden, deleted: on, or the opposite of the style.
            case 0x083C, 0x0800: isHidden = isHidden || value == 1 || value == 0x81
            case 0x6A09: isHidden = true
            default: break
            }
        }
        return isHidden
    }
}

/// A page of 512 bytes with the properties of runs ([MS-DOC] 2.9.33, 2.9.175).
struct WordPropertyPage {
    static let byteCount = 512
    let bytes: Bytes

    /// Calls `body` with each run's beginning and end in the stream, and the place of its properties in the page, 0 for
    /// none.
    func runs(entrySize: Int, _ body: (_ start: Int, _ end: Int, _ place: Int) -> Void) {
        let count = Int(bytes[Self.byteCount - 1] ?? 0)
        for index in 0..<count {
            guard let start = bytes.little(UInt32.self, at: index * 4),
                let end = bytes.little(UInt32.self, at: index * 4 + 4),
                let place = bytes[(count + 1) * 4 + index * entrySize], start < end
            else { continue }
            body(Int(start), Int(end), Int(place) * 2)
        }
    }
}

/// Single property modifiers, one after another ([MS-DOC] 2.2.5.1).
enum WordModifier {
    static func forEach(in bytes: Bytes, _ body: (_ code: UInt16, _ operand: Bytes) -> Void) {
        var offset = 0
        while let code = bytes.little(UInt16.self, at: offset) {
            offset += 2
            let size: Int
            switch code >> 13 {
            case 0, 1: size = 1
            case 2, 4, 5: size = 2
            case 3: size = 4
            case 7: size = 3
            // The length takes two bytes for a table definition, and one for all others.
            case _ where code == 0xD608: size = 1 + Int(bytes.little(UInt16.self, at: offset) ?? 0)
            default: size = 1 + Int(bytes[offset] ?? 0)
            }
            guard let operand = bytes.part(at: offset, count: size) else { return }
            body(code, operand)
            offset += size
        }
    }
}
