/// The text of a document without fixed lines: its paragraphs in reading order.
///
/// Headers come before the body; footers, footnotes and endnotes come after it. Hidden text, text marked as deleted,
/// comments and field codes are omitted.
public struct DocumentText: Hashable, Sendable {
    /// In reading order; an empty paragraph is an empty line.
    public var paragraphs: [TextParagraph]
    /// Whether the document has more text than is kept: `mostParagraphs`, `longestText`.
    public var isCut: Bool

    /// The text of a document; by default without paragraphs.
    public init(paragraphs: [TextParagraph] = [], isCut: Bool = false) {
        self.paragraphs = paragraphs
        self.isCut = isCut
    }

    /// The most paragraphs of a document, empty ones included.
    public static let mostParagraphs = 50_000
    /// The most text of a document, in bytes of UTF-8 over all paragraphs: a novel.
    public static let longestText = 1 << 20
    /// The most pages of a text whose format has pages.
    public static let mostPages = 10_000
}

extension DocumentText {
    /// The running text: a line break after each paragraph, but a tab between the cells of a table's row, and a form
    /// feed before each further page; nothing follows the last paragraph.
    public var text: String {
        var text = ""
        for (index, paragraph) in paragraphs.enumerated() {
            text += paragraph.text
            guard index + 1 < paragraphs.count else { break }
            let next = paragraphs[index + 1]
            text += paragraph.isBesides(next) ? "\t" : "\n"
            if next.page > paragraph.page { text += "\u{0C}" }
        }
        return text
    }
}

extension TextParagraph {
    /// Whether another paragraph is in another cell of the same row.
    fileprivate func isBesides(_ other: TextParagraph) -> Bool {
        guard let cell, let otherCell = other.cell else { return false }
        return (cell.table, cell.row) == (otherCell.table, otherCell.row) && cell.column != otherCell.column
    }
}

/// A part of a source whose text is read in one piece.
public enum TextPart: Hashable, Sendable {
    /// A page of a PDF, from 0.
    case page(Int)
    /// The whole document, as paragraphs.
    case document
}

/// The text of a part of a source.
public enum SourceText: Hashable, Sendable {
    case page(PageText)
    case document(DocumentText)

    /// The part that it was read from: a page by its number, or the whole.
    public var part: TextPart {
        switch self {
        case .page(let text): .page(text.pageIndex)
        case .document: .document
        }
    }
}
