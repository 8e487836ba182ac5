/// Words next to each other on one baseline, with no more than a space between them.
public struct TextChunk: Sendable {
    /// From the left; at least one.
    public let words: [PageText.Word]
    /// Around all words.
    public let place: PageText.Rectangle
    /// The median height of the words: a larger initial does not make a heading.
    public let height: Double
    /// The text's length in UTF-8.
    public let byteCount: Int

    /// The bytes of UTF-8 from which a chunk takes no further word.
    public static let longestText = 2_000

    /// A chunk of one or more words.
    init(_ words: [PageText.Word]) {
        self.words = words
        place = words.dropFirst().reduce(words[0].place) { $0.union($1.place) }
        byteCount = words.reduce(0) { $0 + $1.text.utf8.count }
        let heights = words.map(\.place.height).sorted()
        height = heights[heights.count / 2]
    }

    /// Halfway between the upper and the lower edge.
    public var middle: Double { place.top + place.height / 2 }
}

/// Joins words that stand side by side.
struct ChunkBuilder {
    private var chunks: [[PageText.Word]] = []
    private var byteCounts: [Int] = []
    /// The row of each chunk's last word.
    private var rowOfChunk: [Int] = []
    /// The chunks by the middle of their last word, in steps of four points; a chunk that continues in another row
    /// stays listed here.
    private var rows: [Int: [Int]] = [:]

    /// A word is compared with the last listed chunks of each row. A row of a résumé has a few, a row of a table some
    /// dozens.
    private static let mostCandidates = 128

    /// The chunks of a page's upright words, from the left. A gap over 0.9 of the letters' height separates chunks.
    static func chunks(of words: [PageText.Word]) -> [TextChunk] {
        var builder = ChunkBuilder()
        for word in words.filter(isRead).sorted(by: { $0.place.left < $1.place.left }) { builder.add(word) }
        return builder.chunks.map(TextChunk.init)
    }

    /// Whether a word is upright, not blank and at a possible place: the largest PDF page has 14,400 points.
    private static func isRead(_ word: PageText.Word) -> Bool {
        let edges = [word.place.left, word.place.top, word.place.right, word.place.bottom]
        return word.rotation == 0 && !word.text.allSatisfy(\.isWhitespace) && edges.allSatisfy { abs($0) < 100_000 }
    }

    private mutating func add(_ word: PageText.Word) {
        let row = Int(Self.middle(of: word.place) / 4)
        guard let chunk = nearest(to: word, row) else {
            rows[row, default: []].append(chunks.count)
            rowOfChunk.append(row)
            byteCounts.append(word.text.utf8.count)
            chunks.append([word])
            return
        }
        if rowOfChunk[chunk] != row {
            rows[row, default: []].append(chunk)
            rowOfChunk[chunk] = row
        }
        byteCounts[chunk] += word.text.utf8.count
        chunks[chunk].append(word)
    }

    /// The chunk with the smallest gap before a word; `nil` if the word begins a chunk.
    private func nearest(to word: PageText.Word, _ row: Int) -> Int? {
        let middle = Self.middle(of: word.place)
        var best: (chunk: Int, gap: Double)?
        for candidates in (row - 2...row + 2) {
            for index in rows[candidates, default: []].suffix(Self.mostCandidates) where rowOfChunk[index] == candidates
            {
                let last = chunks[index].last!.place
                let (small, large) = (min(last.height, word.place.height), max(last.height, word.place.height))
                let gap = word.place.left - last.right
                guard abs(Self.middle(of: last) - middle) < small * 0.45, gap < large * 0.9, gap > -small * 0.6,
                    byteCounts[index] < TextChunk.longestText, gap < best?.gap ?? .infinity
                else { continue }
                best = (index, gap)
            }
        }
        return best?.chunk
    }

    private static func middle(of place: PageText.Rectangle) -> Double { place.top + place.height / 2 }
}
