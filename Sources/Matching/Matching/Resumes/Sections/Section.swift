internal import Media

/// The lines below a heading.
struct Section {
    var kind: SectionKind
    var lines: [ResumeLine]

    /// The sections of a text in reading order.
    ///
    /// A heading's section ends with its column; a column on a later page at the same left edge continues the section
    /// that was open there.
    static func all(of text: ResumeText, _ vocabulary: Vocabulary) -> [Section] {
        var sections: [Section] = []
        /// The open section at the end of each column, by left edge in steps of 20 points.
        var open: [Int: SectionKind] = [:]
        let lines = joinedDates(text.lines).map(ResumeLine.init)
        let edges = leftEdges(of: lines)
        for (index, line) in lines.enumerated() {
            let column = line.line.column
            let isNew = index == 0 || lines[index - 1].line.column != column
            let edge = Int((edges[column] ?? 0) / 20)
            if isNew {
                let goesOn = index > 0 && lines[index - 1].line.place.page < line.line.place.page
                var kind = goesOn ? open[edge] ?? open[edge - 1] ?? open[edge + 1] : nil
                if goesOn, kind == nil, open.count == 1 { kind = open.first?.value }
                sections.append(Section(kind: kind ?? .opening, lines: []))
            }
            if let heading = heading(line, isNew: isNew, in: sections.last?.kind) {
                sections.append(Section(kind: heading.kind, lines: []))
                if let rest = heading.rest { sections[sections.count - 1].lines.append(ResumeLine(rest)) }
            } else {
                sections[sections.count - 1].lines.append(line)
            }
            open[edge] = sections.last?.kind
        }
        return sections.filter { !$0.lines.isEmpty }
    }

    /// Joins two lines if a range of dates wraps from one to the next.
    ///
    /// Places stay valid, because the space that replaces the line break is one byte as well.
    private static func joinedDates(_ lines: [ResumeText.Line]) -> [ResumeText.Line] {
        var joined: [ResumeText.Line] = []
        for line in lines {
            guard let last = joined.last, last.column == line.column, last.place.page == line.place.page,
                !line.startsBlock,
                last.place.bytes.upperBound + 1 == line.place.bytes.lowerBound, last.text.utf8.count < 150
            else {
                joined.append(line)
                continue
            }
            let border = last.text.utf8.count
            let both = last.text + " " + line.text
            let isCut = DateMention.all(in: both).contains { date in
                date.isRange && date.bytes.lowerBound < border && date.bytes.upperBound > border + 1
            }
            guard isCut else {
                joined.append(line)
                continue
            }
            joined[joined.count - 1].text = both
            joined[joined.count - 1].place.bytes = last.place.bytes.lowerBound..<line.place.bytes.upperBound
        }
        return joined
    }

    private static func leftEdges(of lines: [ResumeLine]) -> [Int: Double] {
        var edges: [Int: Double] = [:]
        for line in lines {
            guard let left = line.line.left else { continue }
            edges[line.line.column] = min(edges[line.line.column] ?? .infinity, left)
        }
        return edges
    }

    /// The section that a line announces, and the rest of the line after a colon.
    private static func heading(
        _ line: ResumeLine, isNew: Bool, in current: SectionKind?
    ) -> (kind: SectionKind, rest: ResumeText.Line?)? {
        guard !line.isBullet else { return nil }
        let text = line.line.text
        if let kind = HeadingWords.kind(of: text), line.dates.isEmpty, isHeadingForm(line, isNew: isNew, in: current) {
            return (kind, nil)
        }
        // "Skills: Swift, Kotlin", and "Skills" in a cell before its list.
        guard let end = text.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == 0x09 }) else { return nil }
        let label = String(text[..<end])
        guard label.utf8.count <= 40, let kind = HeadingWords.kind(of: label) else { return nil }
        let isTab = text.utf8[end] == 0x09
        // In lists of skills, such words label a part; in a work entry, they label its tools.
        if current == .skills || current == .work || current == .projects || current == .education {
            guard kind != current, isTab ? line.line.startsBlock : kind == .languages || line.line.startsBlock else {
                return nil
            }
            if kind == .languages, current == .skills,
                !LanguageReader.isList(String(text[text.utf8.index(after: end)...]))
            {
                return nil
            }
            if kind == .skills, !line.line.startsBlock { return nil }
        }
        let offset = text.utf8.distance(from: text.startIndex, to: end) + 1
        let rest = text.utf8.dropFirst(offset)
        let skipped = rest.prefix { $0 <= 0x20 }.count
        guard rest.count > skipped else { return (kind, nil) }
        var part = line.line
        part.text = text[bytes: offset + skipped..<text.utf8.count]
        part.place = line.line.place(of: offset + skipped..<text.utf8.count)
        return (kind, part)
    }

    /// Whether a line with a heading's words looks like a heading: on its own, and not one of several items of a list.
    private static func isHeadingForm(_ line: ResumeLine, isNew: Bool, in current: SectionKind?) -> Bool {
        let text = line.line.text
        guard !text.hasSuffix("."), !text.hasSuffix(","), !text.contains("\t") else { return false }
        if line.line.style == .heading || isNew || line.line.startsBlock || line.line.size > 1.12 { return true }
        let letters = text.filter(\.isLetter)
        if letters.count > 2, letters.allSatisfy(\.isUppercase) { return true }
        if text.hasSuffix(":") { return true }
        // In a list of skills, "Training" is an item.
        return current != .skills && text.first?.isUppercase == true
    }
}
