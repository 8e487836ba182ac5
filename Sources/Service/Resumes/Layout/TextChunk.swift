internal import Media

/// Words next to each other on one baseline, with no more than a space between them.
struct TextChunk {
    var words: [PageText.Word]
    var place: PageText.Rectangle
    /// Of the words' text in UTF-8.
    private(set) var byteCount: Int

    init(_ word: PageText.Word) {
        words = [word]
        place = word.place
        byteCount = word.text.utf8.count
    }

    var middle: Double { place.top + place.height / 2 }

    /// The median height of the words: a larger initial does not make a heading.
    var height: Double {
        let heights = words.map(\.place.height).sorted()
        return heights[heights.count / 2]
    }

    mutating func append(_ word: PageText.Word) {
        words.append(word)
        place = place.union(word.place)
        byteCount += word.text.utf8.count
    }

    /// Upright words with letters, at places that a page can have: a PDF's largest page has 14,400 points.
    private static func isRead(_ word: PageText.Word) -> Bool {
        let edges = [word.place.left, word.place.top, word.place.right, word.place.bottom]
        return word.rotation == 0 && !word.text.isBlank && edges.allSatisfy { abs($0) < 100_000 }
    }

    /// The chunks of a page's upright words. A gap of over 0.9 of the letters' height parts them.
    static func all(of words: [PageText.Word]) -> [TextChunk] {
        var chunks: [TextChunk] = []
        /// The chunks by the middle of their last word, in steps of four points.
        var rows: [Int: [Int]] = [:]
        for word in words.filter(isRead).sorted(by: { $0.place.left < $1.place.left }) {
            let middle = word.place.top + word.place.height / 2
            let row = Int(middle / 4)
            var best: (chunk: Int, gap: Double)?
            for index in (row - 2...row + 2).flatMap({ rows[$0] ?? [] }) {
                let last = chunks[index].words.last!.place
                let (small, large) = (min(last.height, word.place.height), max(last.height, word.place.height))
                let gap = word.place.left - last.right
                guard abs(last.top + last.height / 2 - middle) < small * 0.45, gap < large * 0.9, gap > -small * 0.6,
                    chunks[index].byteCount < ResumeText.longestLine / 2,
                    gap < best?.gap ?? .infinity
                else { continue }
                best = (index, gap)
            }
            if let best {
                let old = Int(
                    (chunks[best.chunk].words.last!.place.top + chunks[best.chunk].words.last!.place.height / 2) / 4)
                if old != row {
                    rows[old]?.removeAll { $0 == best.chunk }
                    rows[row, default: []].append(best.chunk)
                }
                chunks[best.chunk].append(word)
            } else {
                rows[row, default: []].append(chunks.count)
                chunks.append(TextChunk(word))
            }
        }
        return chunks
    }

    /// Whether the chunk announces a section.
    var isHeading: Bool { words.count <= 5 && HeadingWords.kind(of: words.map(\.text).joined(separator: " ")) != nil }

    /// Whether the chunk is a date or a range of dates and nothing else, as in a column beside the entries.
    var isDate: Bool {
        let text = words.map(\.text).joined(separator: " ")
        let mentions = DateMention.all(in: text)
        guard !mentions.isEmpty else { return false }
        return text.utf8.count - mentions.reduce(0) { $0 + $1.bytes.count } <= 4
    }
}
