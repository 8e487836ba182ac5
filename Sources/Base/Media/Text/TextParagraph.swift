/// A paragraph of a document without fixed lines: DOCX, DOC, RTF, ODT, or a line of plain text.
public struct TextParagraph: Hashable, Sendable {
    /// The text; line breaks inside the paragraph are `\n`, tabs `\t`.
    public var text: String
    /// The page, from 0; 0 throughout where the format does not know pages.
    public var page: Int
    /// What the format says of it.
    public var style: Style
    /// The cell that it stands in; `nil` outside tables.
    public var cell: Cell?

    /// A paragraph of running text.
    public init(_ text: String, page: Int = 0, style: Style = .body, cell: Cell? = nil) {
        self.text = text
        self.page = page
        self.style = style
        self.cell = cell
    }

    /// What a paragraph is by its style or its numbering.
    public enum Style: UInt8, Hashable, Sendable, CaseIterable {
        case body
        case heading
        case listItem
    }

    /// A cell of a table; nested tables have numbers of their own.
    public struct Cell: Hashable, Sendable {
        /// The table, counted over the document.
        public var table: Int
        /// From 0.
        public var row: Int
        /// From 0.
        public var column: Int

        /// A cell by its numbers.
        public init(table: Int, row: Int, column: Int) {
            self.table = table
            self.row = row
            self.column = column
        }

        /// The most columns of a row. Word has 63; cells beyond count as of the last one.
        public static let mostColumns = 1000

        /// The cell itself; `nil` where a number is out of its bounds: as many tables and rows as paragraphs.
        package var sound: Cell? {
            let bound = 0...DocumentText.mostParagraphs
            return bound.contains(table) && bound.contains(row) && (0..<Self.mostColumns).contains(column) ? self : nil
        }
    }
}
