/// Puts the chunks of a page into the order in which a person reads them: columns one after the other, rows of a table
/// across.
///
/// A gutter is a left edge that several chunks share, with a gap to everything left of it over a range of the page. The
/// best gutter divides the page into the part above, the left side, the right side and the part below; each part is
/// divided again (G. Nagy and S. Seth's XY cut, but gutters are tried before gaps between lines).
///
/// An edge is judged in one pass over the chunks from the top. A part of the page has at most `mostEdges` edges, and
/// divisions nest at most `mostDivisions` deep. A page with more shared edges, unlike any résumé, is divided at the
/// commonest ones.
struct ColumnOrder {
    /// The columns in reading order; each is read line by line.
    private(set) var columns: [[TextChunk]] = []
    private let chunks: [PlacedChunk]
    private let lineHeight: Double

    /// The most edges that are tried in a part: those that most chunks share.
    private static let mostEdges = 64
    private static let mostDivisions = 8

    init(_ chunks: [TextChunk]) {
        let heights = chunks.map(\.height).sorted()
        lineHeight = heights.isEmpty ? 10 : heights[heights.count / 2]
        self.chunks = chunks.map(PlacedChunk.init)
        divide(Array(chunks.indices), chunks, depth: 0)
    }

    private mutating func divide(_ members: [Int], _ all: [TextChunk], depth: Int) {
        guard !members.isEmpty else { return }
        guard depth < Self.mostDivisions, let gutter = bestGutter(of: members) else {
            columns.append(members.map { all[$0] })
            return
        }
        let inside = members.filter { gutter.contains(chunks[$0]) }
        let outside = members.filter { !gutter.contains(chunks[$0]) }
        divide(outside.filter { chunks[$0].middle < gutter.top }, all, depth: depth + 1)
        divide(inside.filter { chunks[$0].left < gutter.edge }, all, depth: depth + 1)
        divide(inside.filter { chunks[$0].left >= gutter.edge }, all, depth: depth + 1)
        divide(outside.filter { chunks[$0].middle >= gutter.top }, all, depth: depth + 1)
    }

    /// A left edge with free space before it, over a range of the page.
    private struct Gutter {
        let edge: Double
        let top: Double
        let bottom: Double
        let score: Double

        func contains(_ chunk: PlacedChunk) -> Bool { chunk.middle >= top && chunk.middle < bottom }
    }

    private func bestGutter(of members: [Int]) -> Gutter? {
        let sorted = members.map { chunks[$0] }.sorted { $0.middle < $1.middle }
        var best: Gutter?
        for edge in sharedEdges(of: sorted) {
            for gutter in gutters(at: edge, sorted) where gutter.score > best?.score ?? 0 { best = gutter }
        }
        return best
    }

    /// The left edges that at least four chunks share, within three points.
    private func sharedEdges(of chunks: [PlacedChunk]) -> [Double] {
        let lefts = chunks.map(\.left).sorted()
        var edges: [(place: Double, count: Int)] = []
        var start = 0
        for index in lefts.indices {
            while lefts[index] - lefts[start] > 3 { start += 1 }
            let isLast = index + 1 == lefts.count || lefts[index + 1] - lefts[start] > 3
            if isLast, index - start >= 3 { edges.append((lefts[start] - 0.5, index - start + 1)) }
        }
        if edges.count > Self.mostEdges {
            edges = edges.sorted { ($1.count, $0.place) < ($0.count, $1.place) }.prefix(Self.mostEdges)
                .sorted { $0.place < $1.place }
        }
        return edges.map(\.place)
    }

    /// The ranges of the page in which nothing crosses an edge and both sides are columns.
    ///
    /// - Parameter sorted: the chunks from the top.
    private func gutters(at edge: Double, _ sorted: [PlacedChunk]) -> [Gutter] {
        let space = max(7, lineHeight * 0.7)
        var gutters: [Gutter] = []
        var sides = ColumnSides(edge: edge)
        /// The middle of the last chunk that crosses the edge; chunks beside it belong to no range.
        var crossing = -Double.infinity
        func close() {
            if let (first, last) = sides.range, sides.areColumns(lineHeight) {
                // Above a side that begins far below the other, both may have headings: the range starts at the higher
                // side.
                let (top, bottom) = (first - 0.1, last + 0.1)
                let score = Double(min(sides.left.count, sides.right.count)) * (bottom - top)
                gutters.append(Gutter(edge: edge, top: top, bottom: bottom, score: score))
            }
            sides = ColumnSides(edge: edge)
        }
        for chunk in sorted {
            if chunk.left < edge - 1, chunk.right > edge - space {
                // Earlier chunks with the same middle do not count either.
                sides.removeLast(at: chunk.middle)
                close()
                crossing = chunk.middle
            } else if chunk.middle > crossing {
                sides.add(chunk)
            }
        }
        close()
        return gutters
    }
}

/// What the column order uses of a chunk, computed once.
struct PlacedChunk {
    let left: Double
    let right: Double
    let top: Double
    let bottom: Double
    let middle: Double
    /// Whether the chunk announces a section.
    let isHeading: Bool
    /// Whether the chunk is a date or a range of dates and nothing else, as in a column beside the entries.
    let isDate: Bool
    /// Whether it has few words, like the label of a value.
    let isShort: Bool
    let endsWithColon: Bool

    init(_ chunk: TextChunk) {
        (left, right) = (chunk.place.left, chunk.place.right)
        (top, bottom, middle) = (chunk.place.top, chunk.place.bottom, chunk.middle)
        let text = chunk.words.map(\.text).joined(separator: " ")
        isHeading = chunk.words.count <= 5 && HeadingWords.kind(of: text) != nil
        let mentions = DateMention.all(in: text)
        isDate = !mentions.isEmpty && text.utf8.count - mentions.reduce(0) { $0 + $1.bytes.count } <= 4
        isShort = chunk.words.count <= 4
        endsWithColon = chunk.words.last?.text.hasSuffix(":") == true
    }
}
