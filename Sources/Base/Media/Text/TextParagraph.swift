/// A paragraph of a document without fixed lines: DOCX, DOC, RTF, ODT, or a line of plain text.
public struct TextParagraph: Hashable, Sendable {
    /// The text; line breaks inside the paragraph are `\n`, tabs `\t`.
    public var text: String
    /// The page, from 0; always 0 if the format has no pages.
    public var page: Int
    /// The style that the format states.
    public var style: Style
    /// The cell that contains it; `nil` outside tables.
    public var cell: Cell?

    /// A paragraph of running text.
    public init(_ text: String, page: Int = 0, style: Style = .body, cell: Cell? = nil) {
        self.text = text
        self.page = page
        self.style = style
        self.cell = cell
    }

    /// The role of a paragraph by its style or its numbering.
    public enum Style: UInt8, Hashable, Sendable, CaseIterable {
        case body
        case heading
        case listItem
    }

    /// A cell of a table; nested tables have numbers of their own.
    public struct Cell: Hashable, Sendable {
        /// The table's number within the document.
        public var table: Int
        /// From 0.
        public var row: Int
        /// From 0.
        public var column: Int

        /// A cell from its numbers.
        public init(table: Int, row: Int, column: Int) {
            self.table = table
            self.row = row
            self.column = column
        }

        /// The most columns of a row; further cells count as the last column. Word has 63.
        public static let mostColumns = 1000

        /// The cell itself; `nil` if a number is out of bounds: at most as many tables and rows as paragraphs.
        package var sound: Cell? {
            let bound = 0...DocumentText.mostParagraphs
            return bound.contains(table) && bound.contains(row) && (0..<Self.mostColumns).contains(column) ? self : nil
        }
    }
}
