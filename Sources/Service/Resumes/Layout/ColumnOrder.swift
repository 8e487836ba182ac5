internal import Media

/// Puts the chunks of a page into the order in which a person reads them: columns one after the other, rows of a table
/// across.
///
/// A gutter is a left edge that several chunks share, with a gap to everything left of it over a range of the page. The
/// page is divided at its best gutter into what is above, the left side, the right side and what is below, and each
/// part again (G. Nagy and S. Seth's XY cut, with the gutters looked for before the gaps between lines).
struct ColumnOrder {
    /// The parts in reading order: each is read line by line.
    private(set) var parts: [[TextChunk]] = []
    private let lineHeight: Double

    init(_ chunks: [TextChunk]) {
        let heights = chunks.map(\.height).sorted()
        lineHeight = heights.isEmpty ? 10 : heights[heights.count / 2]
        divide(chunks, depth: 0)
    }

    private mutating func divide(_ chunks: [TextChunk], depth: Int) {
        guard !chunks.isEmpty else { return }
        guard depth < 8, let gutter = bestGutter(of: chunks) else {
            parts.append(chunks)
            return
        }
        let inside = chunks.filter { gutter.contains($0) }
        divide(chunks.filter { !gutter.contains($0) && $0.middle < gutter.top }, depth: depth + 1)
        divide(inside.filter { $0.place.left < gutter.edge }, depth: depth + 1)
        divide(inside.filter { $0.place.left >= gutter.edge }, depth: depth + 1)
        divide(chunks.filter { !gutter.contains($0) && $0.middle >= gutter.top }, depth: depth + 1)
    }

    /// A left edge with free space before it, over a range of the page.
    private struct Gutter {
        let edge: Double
        let top: Double
        let bottom: Double
        let score: Double

        func contains(_ chunk: TextChunk) -> Bool { chunk.middle >= top && chunk.middle < bottom }
    }

    private func bestGutter(of chunks: [TextChunk]) -> Gutter? {
        var best: Gutter?
        for edge in sharedEdges(of: chunks) {
            for gutter in gutters(at: edge, chunks) where gutter.score > best?.score ?? 0 { best = gutter }
        }
        return best
    }

    /// The left edges that at least four chunks share, within three points.
    private func sharedEdges(of chunks: [TextChunk]) -> [Double] {
        let lefts = chunks.map(\.place.left).sorted()
        var edges: [Double] = []
        var start = 0
        for index in lefts.indices {
            while lefts[index] - lefts[start] > 3 { start += 1 }
            let isLast = index + 1 == lefts.count || lefts[index + 1] - lefts[start] > 3
            if isLast, index - start >= 3 { edges.append(lefts[start] - 0.5) }
        }
        return edges
    }

    /// The ranges of the page in which nothing crosses an edge, as far as both sides are columns.
    private func gutters(at edge: Double, _ chunks: [TextChunk]) -> [Gutter] {
        let space = max(7, lineHeight * 0.7)
        let crossing = chunks.filter { $0.place.left < edge - 1 && $0.place.right > edge - space }.map(\.middle)
            .sorted()
        let bounds = [-Double.infinity] + crossing + [.infinity]
        return zip(bounds, bounds.dropFirst()).compactMap { above, below in
            let inside = chunks.filter { $0.middle > above && $0.middle < below }
            let left = inside.filter { $0.place.left < edge }
            let right = inside.filter { $0.place.left >= edge }
            guard areColumns(left, right) else { return nil }
            // A side that begins far below the other one has headings of both above it: all from the higher one on.
            let top = inside.map(\.middle).min()! - 0.1
            let bottom = inside.map(\.middle).max()! + 0.1
            return Gutter(
                edge: edge, top: top, bottom: bottom, score: Double(min(left.count, right.count)) * (bottom - top))
        }
    }

    /// Whether two sides are read one after the other, and not across.
    private func areColumns(_ left: [TextChunk], _ right: [TextChunk]) -> Bool {
        guard left.count >= 3, right.count >= 4, rows(left).count >= 3, rows(right).count >= 4 else { return false }
        // Headings stand at the left edge of both columns and tables.
        let leftItems = left.filter { !$0.isHeading && isBeside($0, right) }
        let rightItems = right.filter { !$0.isHeading && isBeside($0, left) }
        guard !leftItems.isEmpty, !rightItems.isEmpty else { return false }
        for side in [leftItems, rightItems] {
            // Dates beside the entries are read with them.
            if Double(side.count(where: \.isDate)) >= Double(side.count) * 0.34 { return false }
        }
        let (leftRows, rightRows) = (rows(leftItems), rows(rightItems))
        let height = min(extent(left), extent(right))
        guard height > lineHeight * 5 else { return false }
        let alignedLeft = share(of: leftRows, beside: rightRows)
        let alignedRight = share(of: rightRows, beside: leftRows)
        // What stands right only beside something, in few lines: dates, places and the like at the right edge.
        if alignedRight > 0.85, Double(rightRows.count) < Double(leftRows.count) * 0.6 { return false }
        // Labels in front of their values.
        let labels = leftItems.count { $0.words.count <= 4 || $0.isDate }
        if alignedLeft > 0.85, Double(leftRows.count) < Double(rightRows.count) * 0.75,
            labels * 4 >= leftItems.count * 3
        {
            return false
        }
        if alignedLeft > 0.9,
            leftItems.count(where: { $0.words.last?.text.hasSuffix(":") == true }) * 2 > leftItems.count
        {
            return false
        }
        return true
    }

    /// Whether a chunk stands no higher and no lower than the chunks of the other side.
    private func isBeside(_ chunk: TextChunk, _ others: [TextChunk]) -> Bool {
        let top = others.map(\.middle).min() ?? 0
        let bottom = others.map(\.middle).max() ?? 0
        return chunk.middle > top - lineHeight && chunk.middle < bottom + lineHeight
    }

    /// The middles of the lines, from the top.
    private func rows(_ chunks: [TextChunk]) -> [Double] {
        var rows: [Double] = []
        for middle in chunks.map(\.middle).sorted() where rows.isEmpty || middle - rows.last! > lineHeight * 0.4 {
            rows.append(middle)
        }
        return rows
    }

    private func extent(_ chunks: [TextChunk]) -> Double {
        (chunks.map(\.place.bottom).max() ?? 0) - (chunks.map(\.place.top).min() ?? 0)
    }

    /// The share of rows that have a row of the other side on the same line.
    private func share(of rows: [Double], beside others: [Double]) -> Double {
        guard !rows.isEmpty else { return 0 }
        return Double(rows.count { row in others.contains { abs($0 - row) < lineHeight * 0.25 } }) / Double(rows.count)
    }
}
