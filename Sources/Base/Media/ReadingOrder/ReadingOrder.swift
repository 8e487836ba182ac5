/// The order in which a person reads the words of a page whose words have places: columns one after the other, rows of a
/// table across.
///
/// The work is bounded by the number of words (`PageText.mostWords`), whatever their places are: it grows as n log n,
/// and with the square for words that are scattered over a page.
public enum ReadingOrder {
    /// The page with its upright words in reading order. Words stand in chunks, and chunks in columns: `line` follows the last
    /// word of a chunk, `paragraph` the last one of a column. Turned and blank words are left out.
    public static func arranged(_ page: PageText) -> PageText {
        var arranged = page
        arranged.words = []
        arranged.words.reserveCapacity(page.words.count)
        for column in ColumnOrder(ChunkBuilder.chunks(of: page.words)).columns {
            for chunk in column {
                for word in chunk.words {
                    arranged.words.append(word)
                    if word.ending != .nothing { arranged.words[arranged.words.count - 1].ending = .space }
                }
                arranged.words[arranged.words.count - 1].ending = .line
            }
            arranged.words[arranged.words.count - 1].ending = .paragraph
        }
        return arranged
    }
}

extension PageText {
    /// The chunks of each column of an arranged page (`ReadingOrder.arranged`), in reading order.
    ///
    /// The page may come from a process that has read hostile bytes: a chunk over `TextChunk.longestText` ends there.
    public var columns: [[TextChunk]] {
        var columns: [[TextChunk]] = []
        var column: [TextChunk] = []
        var start = 0
        var byteCount = 0
        for (index, word) in words.enumerated() {
            byteCount += word.text.utf8.count
            guard word.ending.endsLine || byteCount >= TextChunk.longestText || index + 1 == words.count else {
                continue
            }
            column.append(TextChunk(Array(words[start...index])))
            (start, byteCount) = (index + 1, 0)
            if word.ending == .paragraph || index + 1 == words.count {
                columns.append(column)
                column = []
            }
        }
        return columns
    }
}
