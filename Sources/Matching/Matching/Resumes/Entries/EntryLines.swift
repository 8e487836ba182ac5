internal import Media

/// The role of a line in a section with dated entries.
enum EntryLineRole {
    /// A title, an employer, a place, a date.
    case header
    case bullet
    /// Continues a bullet or a sentence.
    case continuation
    case prose
}

/// The lines of a section with dated entries, and which of them head an entry.
struct EntryLines {
    let lines: [ResumeLine]
    let roles: [EntryLineRole]

    init(_ lines: [ResumeLine]) {
        self.lines = lines
        var roles: [EntryLineRole] = []
        // Lines that head entries start at the left edge; wrapped items are indented.
        var edges: [Int: Double] = [:]
        for line in lines where !line.isBullet {
            guard let left = line.line.left else { continue }
            edges[line.line.column] = min(edges[line.line.column] ?? .infinity, left)
        }
        for (index, line) in lines.enumerated() {
            roles.append(
                Self.role(
                    of: line, after: index > 0 ? lines[index - 1] : nil, roles.last, edge: edges[line.line.column]))
        }
        self.roles = roles
    }

    private static func role(
        of line: ResumeLine, after previous: ResumeLine?, _ role: EntryLineRole?, edge: Double?
    ) -> EntryLineRole {
        if line.isBullet {
            let isEntry = line.dates.contains { $0.isRange && ($0.end != nil || $0.isPresent) } && line.wordCount <= 12
            return isEntry && !line.endsSentence ? .header : .bullet
        }
        if let previous, let role, role != .header, previous.line.column == line.line.column,
            !line.dates.contains(where: \.isRange), !line.line.startsBlock, line.line.follows(previous.line)
        {
            if line.startsLowercase { return .continuation }
            if let left = line.line.left, let edge, left > edge + 5, role != .prose { return .continuation }
            if previous.line.fullness > 0.8, !previous.endsSentence, previous.line.left != nil { return .continuation }
        }
        return line.isProse ? .prose : .header
    }

    /// The lines that head an entry, and the lines below that belong to it.
    struct Entry {
        var header: Range<Int>
        var body: Range<Int>
        /// The line with the dates.
        var anchor: Int
    }

    /// The entries around the lines with dates.
    ///
    /// The first entry determines how many lines are above the dates: only the section's heading is above it.
    func entries() -> [Entry] {
        let anchors = anchors()
        guard let first = anchors.first else { return [] }
        let leading = (0..<first).filter { roles[$0] == .header }.count
        let usual = leading == first ? min(first, 2) : 0
        var starts: [Int] = []
        for (number, anchor) in anchors.enumerated() {
            starts.append(start(ofAnchor: anchor, after: number > 0 ? anchors[number - 1] : nil, usual: usual))
        }
        var entries: [Entry] = []
        for (number, anchor) in anchors.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : lines.count
            var headerEnd = anchor + 1
            while headerEnd < end, roles[headerEnd] == .header, headerEnd - anchor <= 2,
                !isApart(headerEnd, from: anchor, end)
            {
                headerEnd += 1
            }
            entries.append(Entry(header: starts[number]..<headerEnd, body: headerEnd..<end, anchor: anchor))
        }
        return entries
    }

    /// Whether a line below the dates begins a block of its own in another column.
    private func isApart(_ index: Int, from anchor: Int, _ end: Int) -> Bool {
        lines[index].line.startsBlock && lines[index].line.column != lines[anchor].line.column
    }

    private func anchors() -> [Int] {
        let ranges = lines.indices.filter { roles[$0] == .header && lines[$0].dates.contains(where: \.isRange) }
        let known = Set(ranges)
        let singles = lines.indices.filter { index in
            roles[index] == .header && !lines[index].dates.isEmpty && lines[index].wordCount <= 14
                && !(index - 2...index + 2).contains(where: known.contains)
        }
        return (ranges + singles).sorted()
    }

    /// The first line of the entry with dates on this line: up to a gap, or as many lines above as for the first dates.
    private func start(ofAnchor anchor: Int, after previous: Int?, usual: Int) -> Int {
        let floor = previous.map { $0 + 1 } ?? 0
        var start = anchor
        while start > floor, anchor - start < 3, roles[start - 1] == .header, !lines[start].line.startsBlock {
            start -= 1
        }
        if start < anchor, lines[start].line.startsBlock, start > floor || previous == nil { return start }
        return max(start, anchor - usual)
    }
}
