/// The order in which a person reads the placed words of a page: columns one after the other, rows of a table across.
///
/// The number of words (`PageText.mostWords`) bounds the work, whatever their places: it grows as n log n, and
/// quadratically for words scattered over a page.
public enum ReadingOrder {
    /// The page with its upright words in reading order. Words form chunks, and chunks form columns: `line` follows the
    /// last word of a chunk, `paragraph` the last word of a column. Turned and blank words are omitted.
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
    /// The page may come from a process that read hostile bytes: a chunk ends at `TextChunk.longestText`.
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
