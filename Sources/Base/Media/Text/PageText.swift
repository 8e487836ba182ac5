/// The words of one page of a document in reading order, and their places on the page as it is drawn.
///
/// Lengths are points (1/72 inch, `/UserUnit` not applied) from the upper left corner of the page as shown: the crop
/// box, turned as the page says. Divided by `width` or `height`, a place is therefore the same fraction of a page
/// picture of any size.
public struct PageText: Hashable, Sendable {
    /// The page, from 0.
    public var pageIndex: Int
    /// The number of pages of the document.
    public var pageCount: Int
    /// Points from the left to the right edge.
    public var width: Double
    /// Points from the top to the bottom edge.
    public var height: Double
    /// The words in reading order.
    public var words: [Word]
    /// Whether the page has more text than is kept: `mostWords`, `longestText`, `longestWord`.
    public var isCut: Bool
    /// Whether words were searched for in the page's picture, since its file has none or few; a child's answer does not
    /// tell.
    public var isRecognized: Bool
    /// Whether pictures cover most of the page; set only for pages with few words in the file.
    public var isMostlyPicture = false

    /// The text of a page; by default without words.
    public init(
        pageIndex: Int, pageCount: Int, width: Double, height: Double, words: [Word] = [], isCut: Bool = false,
        isRecognized: Bool = false
    ) {
        self.pageIndex = pageIndex
        self.pageCount = pageCount
        self.width = width
        self.height = height
        self.words = words
        self.isCut = isCut
        self.isRecognized = isRecognized
    }

    /// Whether the page may be a scan that still awaits recognition. A scan with a stamp, a page number or a fax header
    /// has some words in its file.
    public var awaitsRecognition: Bool { !isRecognized && (words.isEmpty || hasFewWords && isMostlyPicture) }

    /// Whether the page has some words, but no more than may be added to a scan.
    public var hasFewWords: Bool { !words.isEmpty && words.count <= Self.mostWordsOnScan }

    /// A fax header has fifteen words.
    private static let mostWordsOnScan = 20
    /// The most words of a page. A newspaper's page has 10,000.
    public static let mostWords = 50_000
    /// The most text of a page, in bytes of UTF-8 over all words.
    public static let longestText = 1 << 20
    /// The longest word, in Unicode scalars.
    public static let longestWord = 500
}

extension PageText {
    /// A word of a page; in scripts without spaces, a part of a line.
    public struct Word: Hashable, Sendable {
        /// The word in logical order, of printable characters.
        public var text: String
        /// The word's place on the page as shown.
        public var place: Rectangle
        /// What follows the word.
        public var ending: Ending
        /// The quarter turns clockwise from upright to the direction of the word's line, 0...3.
        public var rotation: Int

        /// A word, upright by default.
        public init(_ text: String, at place: Rectangle, ending: Ending = .space, rotation: Int = 0) {
            self.text = text
            self.place = place
            self.ending = ending
            self.rotation = rotation
        }
    }

    /// What follows a word in the running text.
    public enum Ending: UInt8, Hashable, Sendable, CaseIterable {
        /// The next word follows without a space.
        case nothing
        case space
        /// Another line of the paragraph follows.
        case line
        /// The line and its paragraph or column end.
        case paragraph

        /// Whether a line break follows, within a paragraph or after it.
        public var endsLine: Bool { self == .line || self == .paragraph }

        /// The white space in the running text: nothing, a space, one line break or two.
        public var text: String {
            switch self {
            case .nothing: ""
            case .space: " "
            case .line: "\n"
            case .paragraph: "\n\n"
            }
        }
    }

    /// An upright rectangle on the page as shown, in points.
    public struct Rectangle: Hashable, Sendable {
        /// Points from the page's left edge.
        public var left: Double
        /// Points from the page's top edge.
        public var top: Double
        /// Points to the right.
        public var width: Double
        /// Points downwards.
        public var height: Double

        /// A rectangle with this upper left corner.
        public init(left: Double, top: Double, width: Double, height: Double) {
            self.left = left
            self.top = top
            self.width = width
            self.height = height
        }

        /// Points from the page's left edge to the right side.
        public var right: Double { left + width }
        /// Points from the page's top edge to the lower side.
        public var bottom: Double { top + height }

        /// The smallest rectangle around both.
        public func union(_ other: Rectangle) -> Rectangle {
            let (left, top) = (min(left, other.left), min(top, other.top))
            return Rectangle(
                left: left, top: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
        }

        /// The part on a page of this size, with sides rounded to hundredths of a point; `nil` if nothing remains.
        public func placed(onPageOfWidth pageWidth: Double, height pageHeight: Double) -> Rectangle? {
            guard let (left, width) = Self.side(from: left, to: right, within: pageWidth),
                let (top, height) = Self.side(from: top, to: bottom, within: pageHeight)
            else { return nil }
            return Rectangle(left: left, top: top, width: width, height: height)
        }

        /// A side clipped to the page, at least a hundredth of a point long; clipping it again changes nothing.
        private static func side(
            from start: Double, to end: Double, within length: Double
        ) -> (start: Double, length: Double)? {
            // As `rounded()` without a call: no value is negative here.
            func rounded(_ value: Double) -> Double {
                let hundredths = value * 100
                return hundredths < 1e15 ? Double(Int64(hundredths + 0.5)) / 100 : value
            }
            let end = min(length, end)
            guard max(0, start) < end else { return nil }
            let first = min(rounded(max(0, start)), rounded(rounded(length) - 0.01))
            return (first, max(0.01, rounded(end - first)))
        }
    }
}

extension PageText {
    /// The running text of the page: lines end with a line break, paragraphs with two; nothing follows the last word.
    public var text: String { text(of: words.indices) }

    /// The running text of some words, for a selection that is copied or read aloud.
    ///
    /// - Precondition: the words exist.
    public func text(of range: Range<Int>) -> String {
        var text = ""
        for word in words[range].dropLast() {
            text += word.text
            text += word.ending.text
        }
        return text + (words[range].last?.text ?? "")
    }
}
