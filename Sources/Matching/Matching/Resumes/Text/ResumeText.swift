public import Media

/// The text of a résumé as lines in reading order, whatever format it came in.
///
/// Make it of the pages of a PDF, whose words have places (`init(pages:)`), or of the paragraphs of a word processor's
/// document or of plain text (`init(paragraphs:)`).
public struct ResumeText: Hashable, Sendable {
    /// The text of each page: a line break behind each line, a tab where a wide gap or a cell's border parts a line.
    public internal(set) var pages: [String] = []
    /// In reading order; lines without text are left out.
    public internal(set) var lines: [Line] = []
    /// Where the words of a page stand on it, in the order of their bytes; empty for text without pages.
    var boxes: [[WordBox]] = []

    /// The longest line in bytes: longer ones are parted at a space. Some rules look at all pairs of a line's parts.
    static let longestLine = 4_000
    /// The most text in bytes: a hundred pages. What follows is left out.
    public static let longestText = 400_000

    /// Whether text is left out for its length.
    public internal(set) var isCut = false

    /// A line, or a paragraph where lines are not known.
    public struct Line: Hashable, Sendable {
        /// Without white space around it.
        public var text: String
        /// Where `text` stands as a whole.
        public var place: TextPlace
        /// The column on the page or the cell of a layout's table, counted over the document.
        public var column: Int
        /// Whether a gap, or another column or page, is above the line.
        public var startsBlock: Bool
        /// The height of its letters against those of most text: 1 where it is not known.
        public var size: Double
        /// The left edge in points; `nil` without pages.
        public var left: Double?
        /// Where the right edge is against the widest line of its column, 0...1: lines that were wrapped are near 1.
        public var fullness: Double
        /// What the format says that the line is.
        public var style: TextParagraph.Style

        /// Whether nothing but a break stands between another line and this one.
        func follows(_ other: Line) -> Bool {
            guard place.page == other.place.page else { return place.page > other.place.page }
            return place.bytes.lowerBound == other.place.bytes.upperBound + 1
        }

        /// The place of some bytes of the line.
        func place(of bytes: Range<Int>) -> TextPlace {
            let start = place.bytes.lowerBound
            return TextPlace(page: place.page, bytes: start + bytes.lowerBound..<start + bytes.upperBound)
        }
    }

    /// The bytes of a word and its place on the page.
    struct WordBox: Hashable, Sendable {
        let bytes: Range<Int>
        let place: PageText.Rectangle
    }

    /// The words at a place of the text; empty where the place does not exist.
    public func text(at place: TextPlace) -> String {
        guard pages.indices.contains(place.page), place.bytes.upperBound <= pages[place.page].utf8.count else {
            return ""
        }
        return pages[place.page][bytes: place.bytes]
    }

    /// The rectangles of the words at a place, in points from the page's upper left corner; empty for text without
    /// pages.
    public func rectangles(at place: TextPlace) -> [PageText.Rectangle] {
        guard boxes.indices.contains(place.page) else { return [] }
        return boxes[place.page].filter { $0.bytes.overlaps(place.bytes) }.map(\.place)
    }

    /// The place from one place's beginning to another's end, on one page.
    func place(from first: TextPlace, to last: TextPlace) -> TextPlace {
        guard first.page == last.page, first.bytes.lowerBound <= last.bytes.upperBound else { return first }
        return TextPlace(page: first.page, bytes: first.bytes.lowerBound..<last.bytes.upperBound)
    }
}

extension String {
    /// The text of some bytes of its UTF-8, which begin and end with characters.
    subscript(bytes range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }
}
