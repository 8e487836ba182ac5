extension PageText {
    /// A place where the text of a page matches a query.
    public struct Match: Hashable, Sendable {
        /// The words that the match touches.
        public var words: Range<Int>
        /// One rectangle for each line that the match touches, in reading order.
        ///
        /// A part of a word gets the share of the word's width that its characters have: for highlighting, not for
        /// measuring.
        public var places: [Rectangle]
    }

    /// The places that match a query, from the first word on: at most `most`, without overlaps.
    ///
    /// Case, accents and ligatures make no difference (`String.folded`). White space in the query matches a space or a
    /// line end. A word hyphenated at a line end matches with and without its hyphen. A query without characters
    /// matches nothing.
    public func matches(_ query: String, most: Int = 1000) -> [Match] {
        let wanted = FoldedWords.query(query)
        guard !wanted.isEmpty else { return [] }
        var ranges = FoldedWords(words, joinsHyphens: true).ranges(of: wanted, most: most)
        if words.contains(where: \.isHyphenated) {
            ranges += FoldedWords(words, joinsHyphens: false).ranges(of: wanted, most: most)
            ranges.sort { $0.first < $1.first }
        }
        var matches: [Match] = []
        var end: FoldedWords.Position?
        for range in ranges where matches.count < most {
            if let end, range.first <= end { continue }
            end = range.last
            matches.append(match(from: range.first, to: range.last))
        }
        return matches
    }

    private func match(from first: FoldedWords.Position, to last: FoldedWords.Position) -> Match {
        var places: [Rectangle] = []
        var isNewLine = true
        for index in first.word...last.word {
            let word = words[index]
            let start = index == first.word ? first.scalar : 0
            let end = index == last.word ? last.scalar + 1 : Int.max
            let place = word.place(ofScalarsFrom: start, to: end)
            if isNewLine { places.append(place) } else { places[places.count - 1] = places.last!.union(place) }
            isNewLine = word.ending.endsLine
        }
        return Match(words: first.word..<last.word + 1, places: places)
    }
}

extension PageText.Word {
    /// Whether the word ends with a hyphen, after another character, at the end of a line.
    fileprivate var isHyphenated: Bool {
        guard ending.endsLine, let last = text.unicodeScalars.last, text.unicodeScalars.count > 1 else { return false }
        return FoldedWords.isHyphen(last)
    }

    /// The part of the word's place that some scalars occupy, by their share of all.
    fileprivate func place(ofScalarsFrom start: Int, to end: Int) -> PageText.Rectangle {
        let count = text.unicodeScalars.count
        let end = min(end, count)
        guard start > 0 || end < count, count > 0 else { return place }
        var (near, far) = (Double(start) / Double(count), Double(end) / Double(count))
        let isRightToLeft = text.unicodeScalars.contains(where: \.isRightToLeft)
        // Lines turned by 180 or 270 degrees run towards the left or upper edge.
        if isRightToLeft != (rotation >= 2) { (near, far) = (1 - far, 1 - near) }
        var part = place
        if rotation % 2 == 0 {
            part.left += place.width * near
            part.width = place.width * (far - near)
        } else {
            part.top += place.height * near
            part.height = place.height * (far - near)
        }
        return part
    }
}

extension Unicode.Scalar {
    /// Whether it belongs to a right-to-left script: Hebrew, Arabic and their relatives (by Unicode block).
    public var isRightToLeft: Bool {
        switch value {
        case 0x660...0x669, 0x6F0...0x6F9: false  // Digits run from left to right.
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

/// The folded scalars of a page's words with single spaces between them, and the origin of each.
private struct FoldedWords {
    /// A scalar of a word.
    struct Position: Comparable {
        let word: Int
        let scalar: Int

        static func < (first: Position, second: Position) -> Bool {
            (first.word, first.scalar) < (second.word, second.scalar)
        }
    }

    private static let space: UInt32 = 0x20
    private var scalars: [UInt32] = []
    private var positions: [Position] = []

    /// - Parameter joinsHyphens: whether hyphens at line ends are omitted.
    init(_ words: [PageText.Word], joinsHyphens: Bool) {
        var folding = Folding()
        for (index, word) in words.enumerated() {
            let isHyphenated = word.isHyphenated
            let count = word.text.unicodeScalars.count
            for (offset, scalar) in word.text.unicodeScalars.enumerated() {
                if isHyphenated && joinsHyphens && offset == count - 1 { break }
                for folded in folding.folded(scalar) {
                    scalars.append(folded)
                    positions.append(Position(word: index, scalar: offset))
                }
            }
            guard index + 1 < words.count, !isHyphenated, Self.isSpaced(word, words[index + 1]) else { continue }
            scalars.append(Self.space)
            positions.append(Position(word: index, scalar: max(0, count - 1)))
        }
    }

    /// A query's folded scalars, trimmed and with single spaces.
    static func query(_ text: String) -> [UInt32] {
        var folding = Folding()
        var out: [UInt32] = []
        for scalar in text.unicodeScalars.prefix(PageText.longestWord) {
            if scalar.properties.isWhitespace {
                if out.last != space { out.append(space) }
            } else {
                out += folding.folded(scalar)
            }
        }
        if out.first == space { out.removeFirst() }
        if out.last == space { out.removeLast() }
        return out
    }

    static func isHyphen(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || scalar == "\u{2010}" || scalar == "\u{AD}"
    }

    /// Whether a space separates two words: Chinese or Japanese lines continue without one.
    private static func isSpaced(_ word: PageText.Word, _ next: PageText.Word) -> Bool {
        if word.ending == .nothing { return false }
        guard word.ending.endsLine, let last = word.text.unicodeScalars.last, let first = next.text.unicodeScalars.first
        else { return true }
        return !(isUnspaced(last) && isUnspaced(first))
    }

    /// Ideographs, kana, and their punctuation.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2E80...0x30FF, 0x31F0...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// The first and last scalar of each match, from the beginning on; matches do not overlap.
    func ranges(of wanted: [UInt32], most: Int) -> [(first: Position, last: Position)] {
        var ranges: [(first: Position, last: Position)] = []
        var index = 0
        let end = scalars.count - wanted.count
        while index <= end, ranges.count < most {
            if scalars[index] == wanted[0], scalars[index..<index + wanted.count].elementsEqual(wanted) {
                ranges.append((positions[index], positions[index + wanted.count - 1]))
                index += wanted.count
            } else {
                index += 1
            }
        }
        return ranges
    }
}

/// Folds scalar by scalar and caches the results of `String.folded`.
private struct Folding {
    private var known: [Unicode.Scalar: [UInt32]] = [:]

    mutating func folded(_ scalar: Unicode.Scalar) -> [UInt32] {
        if scalar.value < 0x80 {
            return [(0x41...0x5A).contains(scalar.value) ? scalar.value + 0x20 : scalar.value]
        }
        if let known = known[scalar] { return known }
        let folded: [UInt32] =
            switch scalar.value {
            case 0xAD: []
            case 0x2010...0x2015: [0x2D]
            case 0x2018...0x201B: [0x27]
            case 0x201C...0x201F: [0x22]
            default: String(scalar).folded.unicodeScalars.map(\.value)
            }
        known[scalar] = folded
        return folded
    }
}
