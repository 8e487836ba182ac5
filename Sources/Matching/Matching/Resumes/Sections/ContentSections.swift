internal import Media

/// Identifies sections by their content if a résumé has no headings.
struct ContentSections {
    let vocabulary: Vocabulary
    let scores: TitleScore

    /// Splits lines without a heading into sections.
    ///
    /// Runs of short lines with dates are headers of entries: of education if they contain a degree or a school,
    /// otherwise of work. Lists, languages and certificates are identified line by line. Other lines belong to the
    /// section above.
    func sections(of lines: [ResumeLine]) -> [Section] {
        var sections: [Section] = [Section(kind: .opening, lines: [])]
        let entryLines = EntryLines(lines)
        var kinds: [SectionKind?] = lines.indices.map { kind(ofLine: lines[$0], entryLines.roles[$0]) }
        mark(headersIn: entryLines, &kinds)
        for index in lines.indices {
            if let kind = kinds[index], kind != sections.last?.kind { sections.append(Section(kind: kind, lines: [])) }
            if kinds[index] == nil, sections.last?.kind == .skills || sections.last?.kind == .languages,
                !goesOn(lines[index - 1], lines[index])
            {
                sections.append(Section(kind: .other, lines: []))
            }
            sections[sections.count - 1].lines.append(lines[index])
        }
        return sections.filter { !$0.lines.isEmpty }
    }

    /// Whether a list continues on the next line: the line is full or ends with a comma, and no gap follows.
    private func goesOn(_ line: ResumeLine, _ next: ResumeLine) -> Bool {
        !next.line.startsBlock && next.dates.isEmpty && !next.isBullet && next.line.column == line.line.column
            && (line.text.hasSuffix(",") || line.line.fullness > 0.7 || next.startsLowercase)
    }

    /// The kind that a line indicates on its own.
    private func kind(ofLine line: ResumeLine, _ role: EntryLineRole) -> SectionKind? {
        guard line.dates.isEmpty else { return nil }
        if ContactScanner.email(in: line.line.text) != nil || ContactScanner.phone(in: line.line.text) != nil {
            return .opening
        }
        let items = line.text.split { ",;|•·\t".contains($0) }
        if LanguageReader.isList(line.text), line.wordCount <= items.count * 4 { return .languages }
        let known = vocabulary.skills(in: line.text, isList: true)
        let words = items.reduce(0) { $0 + $1.split(separator: " ").count }
        let isList = items.count >= 3 && Double(words) / Double(items.count) <= 3.2 && !line.endsSentence
        if isList, known.count >= 2 || known.count * 3 >= items.count, !PlaceReader.isPlace(line.text) {
            return .skills
        }
        let keys = ScannedWord.all(of: line.text).map(\.key)
        if keys.contains(where: { ["certified", "certification", "licensed", "certificate", "license"].contains($0) }),
            line.wordCount <= 10,
            role == .header
        {
            return .certificates
        }
        return nil
    }

    /// Marks runs of header lines that have dates.
    private func mark(headersIn entryLines: EntryLines, _ kinds: inout [SectionKind?]) {
        for entry in entryLines.entries() {
            // A line that indicates its own kind ends the header.
            let end = entry.header.first { $0 > entry.anchor && kinds[$0] != nil } ?? entry.header.upperBound
            let header = (entry.header.lowerBound..<end).filter { kinds[$0] == nil }
            let lines = header.map { entryLines.lines[$0] }
            let hasDegree = header.contains { index in
                entryLines.lines[index].pieces(line: index).contains { piece in
                    DegreeReader.degree(in: piece).map {
                        $0.type.place.bytes.lowerBound - piece.place.bytes.lowerBound < 40
                    } ?? false
                }
            }
            let hasSchool = lines.contains { DegreeReader.isInstitution($0.text) }
            let pieces = header.flatMap { entryLines.lines[$0].pieces(line: $0, commas: true) }
            let title = pieces.map { scores.title($0.text) }.max() ?? 0
            let hasRange = lines.contains { $0.dates.contains(where: \.isRange) }
            guard hasRange || hasDegree || hasSchool else { continue }
            let kind: SectionKind = hasDegree && title < 0.7 || hasSchool && title < 0.6 ? .education : .work
            for index in header { kinds[index] = kind }
            for index in entry.body where kinds[index] == nil && entryLines.roles[index] != .header {
                kinds[index] = kind
            }
        }
        // Schools and degrees without dates.
        for index in kinds.indices where kinds[index] == nil && entryLines.roles[index] == .header {
            let isSchool = entryLines.lines[index].pieces(line: index).contains {
                DegreeReader.degree(in: $0) != nil && scores.title($0.text) < 0.6
            }
            if isSchool { kinds[index] = .education }
        }
    }
}
