internal import Media

/// Collects paragraphs up to the limits of `DocumentText`.
struct TextCollector {
    private(set) var text = DocumentText()
    private var byteCount = 0
    /// One more than the highest number of a table.
    private var tableCount = 0

    /// Whether no more text is accepted.
    var isFull: Bool { text.isCut }

    /// The number of bytes that still fit.
    var room: Int { max(0, DocumentText.longestText - byteCount) }

    /// Appends a paragraph, cut if the text exceeds its limit.
    mutating func add(_ paragraph: TextParagraph) {
        guard !isFull else { return }
        guard text.paragraphs.count < DocumentText.mostParagraphs else {
            text.isCut = true
            return
        }
        var paragraph = paragraph
        if paragraph.text.utf8.count > room {
            paragraph.text = Self.cut(paragraph.text, to: room)
            text.isCut = true
        }
        byteCount += paragraph.text.utf8.count
        paragraph.cell = paragraph.cell.map(Self.bounded)
        if let cell = paragraph.cell { tableCount = max(tableCount, cell.table + 1) }
        text.paragraphs.append(paragraph)
    }

    /// Appends the paragraphs of a part with its own table numbers.
    mutating func add(part: [TextParagraph]) {
        let first = tableCount
        for var paragraph in part {
            paragraph.cell?.table += first
            add(paragraph)
        }
    }

    /// Appends the collected text of a part with its own table numbers.
    mutating func add(part: TextCollector) {
        add(part: part.text.paragraphs)
        if part.isFull { markCut() }
    }

    /// Notes that text was left out.
    mutating func markCut() { text.isCut = true }

    private static func cut(_ text: String, to byteCount: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= byteCount else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func bounded(_ cell: TextParagraph.Cell) -> TextParagraph.Cell {
        TextParagraph.Cell(
            table: min(cell.table, DocumentText.mostParagraphs), row: min(cell.row, DocumentText.mostParagraphs),
            column: min(cell.column, TextParagraph.Cell.mostColumns - 1))
    }
}

/// The text of a paragraph while it is read, with a limit, so that no single paragraph takes all memory.
struct TextBuffer {
    private(set) var text = ""
    private var byteCount = 0
    /// Whether text was left out.
    private(set) var isCut = false

    mutating func append(_ more: String) {
        guard byteCount <= DocumentText.longestText else {
            isCut = true
            return
        }
        byteCount += more.utf8.count
        text += more
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        guard byteCount <= DocumentText.longestText else {
            isCut = true
            return
        }
        byteCount += UTF8.width(scalar)
        text.unicodeScalars.append(scalar)
    }
}

/// Numbers the tables of a document, and the rows and columns of open tables.
struct TableCounter {
    private struct Table {
        let number: Int
        var row = -1
        var column = -1
        /// The number of columns that the cell spans.
        var span = 1
    }

    private var open: [Table] = []
    private var count = 0

    /// The open cell; `nil` outside tables, and between cells.
    var cell: TextParagraph.Cell? {
        guard let table = open.last, table.row >= 0, table.column >= 0 else { return nil }
        return TextParagraph.Cell(table: table.number, row: table.row, column: table.column)
    }

    mutating func beginTable() {
        open.append(Table(number: count))
        count += 1
    }

    mutating func endTable() { _ = open.popLast() }

    mutating func beginRow() {
        guard let last = open.indices.last else { return }
        open[last].row += 1
        (open[last].column, open[last].span) = (-1, 1)
    }

    mutating func beginCell() {
        guard let last = open.indices.last else { return }
        open[last].column = min(TextParagraph.Cell.mostColumns, open[last].column + open[last].span)
        open[last].span = 1
    }

    /// Notes the number of columns that the open cell spans.
    mutating func setSpan(_ columns: Int) {
        guard let last = open.indices.last else { return }
        open[last].span = max(1, min(columns, TextParagraph.Cell.mostColumns))
    }
}
