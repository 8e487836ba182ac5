public import Media

/// The text of a résumé in any format, as lines in reading order.
///
/// Create it from the pages of a PDF, whose words have places (`init(pages:)`). For a word processor document or plain
/// text, use its paragraphs (`init(paragraphs:)`).
public struct ResumeText: Hashable, Sendable {
    /// The text of each page, with a line break after each line and a tab at a wide gap or a cell's border.
    public internal(set) var pages: [String] = []
    /// In reading order, without empty lines.
    public internal(set) var lines: [Line] = []
    /// Where the words are on their page, in byte order; empty for text without pages.
    var boxes: [[WordBox]] = []

    /// The maximum length of a line in bytes: longer lines are split at a space. Some rules compare all pairs of a
    /// line's parts.
    static let longestLine = 4_000
    /// The maximum length of a text in bytes: a hundred pages. The rest is dropped.
    public static let longestText = 400_000

    /// Whether text was dropped because of its length.
    public internal(set) var isCut = false

    /// A line, or a paragraph if lines are not known.
    public struct Line: Hashable, Sendable {
        /// Without white space around it.
        public var text: String
        /// The place of the whole `text`.
        public var place: TextPlace
        /// The column on the page or the cell of a layout's table, counted over the document.
        public var column: Int
        /// Whether a gap, or another column or page, is above the line.
        public var startsBlock: Bool
        /// The height of its letters relative to most text; 1 if it is not known.
        public var size: Double
        /// The left edge in points; `nil` without pages.
        public var left: Double?
        /// The right edge relative to the widest line of its column, 0...1; wrapped lines are near 1.
        public var fullness: Double
        /// What the line is according to the format.
        public var style: TextParagraph.Style

        /// Whether only a break separates another line from this one.
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

    /// The words at a place of the text; empty if the place does not exist.
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
    /// The text of some bytes of its UTF-8, which begin and end at character boundaries.
    subscript(bytes range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }
}
