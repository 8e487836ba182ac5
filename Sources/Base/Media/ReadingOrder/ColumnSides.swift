/// The chunks on both sides of an edge within a range of the page, each side from the top.
struct ColumnSides {
    let edge: Double
    private(set) var left: [PlacedChunk] = []
    private(set) var right: [PlacedChunk] = []

    init(edge: Double) { self.edge = edge }

    /// Adds a chunk that is no higher than earlier chunks.
    mutating func add(_ chunk: PlacedChunk) {
        if chunk.left < edge { left.append(chunk) } else { right.append(chunk) }
    }

    /// Removes the last chunks that have this middle.
    mutating func removeLast(at middle: Double) {
        while left.last?.middle == middle { left.removeLast() }
        while right.last?.middle == middle { right.removeLast() }
    }

    /// The middles of the highest and of the lowest chunk; `nil` without chunks.
    var range: (top: Double, bottom: Double)? {
        let ends = [left.first, right.first, left.last, right.last].compactMap { $0?.middle }
        guard let top = ends.min(), let bottom = ends.max() else { return nil }
        return (top, bottom)
    }

    /// Whether the sides are read one after the other, not across.
    func areColumns(_ lineHeight: Double) -> Bool {
        guard left.count >= 3, right.count >= 4, rows(left, lineHeight).count >= 3, rows(right, lineHeight).count >= 4
        else { return false }
        // Headings stand at the left edge of both columns and tables.
        let leftItems = left.filter { !$0.isHeading && isBeside($0, right, lineHeight) }
        let rightItems = right.filter { !$0.isHeading && isBeside($0, left, lineHeight) }
        guard !leftItems.isEmpty, !rightItems.isEmpty else { return false }
        for side in [leftItems, rightItems] {
            // Dates beside the entries are read with them.
            if Double(side.count(where: \.isDate)) >= Double(side.count) * 0.34 { return false }
        }
        let (leftRows, rightRows) = (rows(leftItems, lineHeight), rows(rightItems, lineHeight))
        guard min(extent(left), extent(right)) > lineHeight * 5 else { return false }
        let alignedLeft = share(of: leftRows, beside: rightRows, lineHeight)
        let alignedRight = share(of: rightRows, beside: leftRows, lineHeight)
        // Few lines on the right, each beside a line on the left: dates, places and the like at the right edge.
        if alignedRight > 0.85, Double(rightRows.count) < Double(leftRows.count) * 0.6 { return false }
        // Labels in front of their values.
        let labels = leftItems.count { $0.isShort || $0.isDate }
        if alignedLeft > 0.85, Double(leftRows.count) < Double(rightRows.count) * 0.75,
            labels * 4 >= leftItems.count * 3
        {
            return false
        }
        return !(alignedLeft > 0.9 && leftItems.count(where: \.endsWithColon) * 2 > leftItems.count)
    }

    /// Whether a chunk lies within the vertical range of the other side.
    private func isBeside(_ chunk: PlacedChunk, _ others: [PlacedChunk], _ lineHeight: Double) -> Bool {
        let (top, bottom) = (others.first?.middle ?? 0, others.last?.middle ?? 0)
        return chunk.middle > top - lineHeight && chunk.middle < bottom + lineHeight
    }

    /// The middles of the lines, from the top.
    private func rows(_ chunks: [PlacedChunk], _ lineHeight: Double) -> [Double] {
        var rows: [Double] = []
        for chunk in chunks where rows.isEmpty || chunk.middle - rows.last! > lineHeight * 0.4 {
            rows.append(chunk.middle)
        }
        return rows
    }

    private func extent(_ chunks: [PlacedChunk]) -> Double {
        (chunks.map(\.bottom).max() ?? 0) - (chunks.map(\.top).min() ?? 0)
    }

    /// The share of rows with a row of the other side on the same line. Both are sorted from the top.
    private func share(of rows: [Double], beside others: [Double], _ lineHeight: Double) -> Double {
        guard !rows.isEmpty else { return 0 }
        let reach = lineHeight * 0.25
        var next = 0
        var count = 0
        for row in rows {
            while next < others.count, row - others[next] >= reach { next += 1 }
            if next < others.count, abs(others[next] - row) < reach { count += 1 }
        }
        return Double(count) / Double(rows.count)
    }
}
