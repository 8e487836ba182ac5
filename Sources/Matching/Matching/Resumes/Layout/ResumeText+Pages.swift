public import Media

extension ResumeText {
    /// A text of pages whose words have places, such as a PDF or recognised text.
    ///
    /// - Parameter pages: in reading order, as `ReadingOrder.arranged` leaves them: columns are read one after another.
    public init(pages: [PageText]) {
        self.init()
        let heights = pages.flatMap { $0.words.map(\.place.height) }.sorted()
        let common = heights.isEmpty ? 1 : max(1, heights[heights.count / 2])
        var column = 0
        var byteCount = 0
        for (index, page) in pages.enumerated() {
            guard byteCount < Self.longestText else {
                isCut = true
                break
            }
            var writer = PageWriter(page: index, common: common)
            for chunks in page.columns {
                writer.write(chunks, column: column)
                column += 1
            }
            self.pages.append(writer.text)
            byteCount += writer.text.utf8.count
            boxes.append(writer.boxes)
            lines += writer.lines
        }
    }
}

/// Writes the columns of a page as lines.
private struct PageWriter {
    let page: Int
    let common: Double
    var text = ""
    var lines: [ResumeText.Line] = []
    var boxes: [ResumeText.WordBox] = []

    init(page: Int, common: Double) {
        self.page = page
        self.common = common
    }

    mutating func write(_ chunks: [TextChunk], column: Int) {
        let rows = Self.rows(of: chunks)
        let right = chunks.map(\.place.right).max() ?? 0
        let left = chunks.map(\.place.left).min() ?? 0
        let steps = zip(rows, rows.dropFirst()).map { $1[0].middle - $0[0].middle }.filter { $0 > 0 }.sorted()
        // Most lines follow each other like lines of a paragraph; the lower third is used in case gaps are the rule.
        let step = steps.isEmpty ? common : steps[steps.count / 3]
        var last: [TextChunk]?
        for row in rows {
            let gap = last.map { row[0].middle - $0[0].middle } ?? .infinity
            let larger = max(row[0].height, last?[0].height ?? 0)
            let startsBlock = gap > max(step * 1.3, larger * 1.25)
            add(row, column: column, startsBlock: startsBlock, left: left, right: right)
            last = row
        }
    }

    /// Chunks on the same baseline, rows from the top, chunks from the left.
    private static func rows(of chunks: [TextChunk]) -> [[TextChunk]] {
        var rows: [[TextChunk]] = []
        for chunk in chunks.sorted(by: { $0.middle < $1.middle }) {
            if let first = rows.last?.first, abs(chunk.middle - first.middle) < min(chunk.height, first.height) * 0.45 {
                rows[rows.count - 1].append(chunk)
            } else {
                rows.append([chunk])
            }
        }
        return rows.flatMap { parted($0.sorted { $0.place.left < $1.place.left }) }
    }

    /// A row as lines of at most `ResumeText.longestLine` bytes.
    private static func parted(_ row: [TextChunk]) -> [[TextChunk]] {
        var rows: [[TextChunk]] = [[]]
        var byteCount = 0
        for chunk in row {
            if byteCount + chunk.byteCount > ResumeText.longestLine, byteCount > 0 {
                rows.append([])
                byteCount = 0
            }
            rows[rows.count - 1].append(chunk)
            byteCount += chunk.byteCount
        }
        return rows
    }

    private mutating func add(_ row: [TextChunk], column: Int, startsBlock: Bool, left: Double, right: Double) {
        let start = text.utf8.count
        for (index, chunk) in row.enumerated() {
            if index > 0 { text += "\t" }
            append(chunk)
        }
        let bytes = start..<text.utf8.count
        let line = text[bytes: bytes]
        text += "\n"
        guard !line.isEmpty else { return }
        let width = max(1, right - left)
        lines.append(
            ResumeText.Line(
                text: line, place: TextPlace(page: page, bytes: bytes), column: column, startsBlock: startsBlock,
                size: row.map(\.height).max()! / common, left: row[0].place.left,
                fullness: (row.last!.place.right - left) / width, style: .body))
    }

    private mutating func append(_ chunk: TextChunk) {
        let gaps = zip(chunk.words, chunk.words.dropFirst()).map { $1.place.left - $0.place.right }
        // Headings with letter spacing appear as words of one letter.
        let single = chunk.words.count { $0.text.count == 1 }
        let isSpread = chunk.words.count >= 4 && single * 10 >= chunk.words.count * 8
        let median = gaps.sorted()[safe: gaps.count / 2] ?? 0
        for (index, word) in chunk.words.enumerated() {
            if index > 0 {
                let gap = gaps[index - 1]
                let isSpace = isSpread ? gap > max(median * 1.6, median + 1) : isSpaced(chunk.words[index - 1], gap)
                if isSpace { text += " " }
            }
            let start = text.utf8.count
            text += word.text
            boxes.append(ResumeText.WordBox(bytes: start..<text.utf8.count, place: word.place))
        }
    }

    private func isSpaced(_ word: PageText.Word, _ gap: Double) -> Bool {
        word.ending != .nothing || gap > word.place.height * 0.12
    }
}

extension Array {
    /// The element, or `nil` if there is none.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
