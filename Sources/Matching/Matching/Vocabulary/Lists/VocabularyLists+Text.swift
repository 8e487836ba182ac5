extension VocabularyLists {
    private static let heading = "vocabulary 1"

    /// The lists as one text, from which `init(text:)` restores them.
    ///
    /// Each skill has a line with its spellings. Each occupation has lines with its titles, related occupations and
    /// skills, the latter two as numbers. Tabs separate parts.
    ///
    /// Names contain no tabs, line ends or other control characters, because importers remove them. Related occupations
    /// and skills that the lists lack are omitted.
    public var text: String {
        var text = Self.heading + "\n"
        func line(_ parts: some Sequence<String>) {
            text += parts.joined(separator: "\t")
            text += "\n"
        }
        for skill in skills {
            line(["s", skill.recognition.mark + skill.name] + skill.synonyms.map { $0.recognition.mark + $0.text })
        }
        let codes = Dictionary(
            occupations.enumerated().map { ($0.element.code, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let names = Dictionary(
            skills.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for occupation in occupations {
            line(["o", occupation.code, occupation.name, occupation.field])
            if !occupation.titles.isEmpty { line(["t"] + occupation.titles) }
            let related = occupation.related.compactMap { codes[$0].map(String.init) }
            if !related.isEmpty { line(["r"] + related) }
            let used = occupation.skills.compactMap { names[$0].map(String.init) }
            if !used.isEmpty { line(["k"] + used) }
        }
        return text
    }

    /// Lists from their text.
    ///
    /// - Throws: `unknownForm` with the line, also for a text from a newer program.
    public init(text: String) throws(VocabularyError) {
        self.init()
        var text = text
        let rows = text.withUTF8 { bytes in
            bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
                line.split(separator: 0x09, omittingEmptySubsequences: false).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
        guard rows.first == [Self.heading] else { throw VocabularyError(line: 1, reason: .unknownForm) }
        var related: [[Int]] = []
        for (index, row) in rows.enumerated().dropFirst() where row != [""] {
            guard take(row, &related) else { throw VocabularyError(line: index + 1, reason: .unknownForm) }
        }
        for (index, numbers) in related.enumerated() {
            guard numbers.allSatisfy(occupations.indices.contains) else {
                throw VocabularyError(line: rows.count, reason: .unknownForm)
            }
            occupations[index].related = numbers.map { occupations[$0].code }
        }
    }

    /// - Returns: whether the row has one of the text's forms.
    private mutating func take(_ row: [String], _ related: inout [[Int]]) -> Bool {
        let (values, last) = (row.dropFirst(), occupations.count - 1)
        switch row[0] {
        case "s":
            let spellings = values.compactMap(Skill.Spelling.init(marked:))
            guard let own = spellings.first, spellings.count == values.count else { return false }
            skills.append(Skill(own.text, synonyms: Array(spellings.dropFirst()), recognition: own.recognition))
        case "o":
            guard row.count == 4 else { return false }
            occupations.append(Occupation(code: row[1], name: row[2], field: row[3]))
            related.append([])
        case "t":
            guard last >= 0 else { return false }
            occupations[last].titles = Array(values)
        case "r", "k":
            let numbers = values.compactMap { Int($0) }
            guard last >= 0, numbers.count == values.count else { return false }
            if row[0] == "r" {
                related[last] = numbers
            } else {
                guard numbers.allSatisfy(skills.indices.contains) else { return false }
                occupations[last].skills = numbers.map { skills[$0].name }
            }
        default: return false
        }
        return true
    }
}

extension Skill.Recognition {
    fileprivate var mark: String {
        switch self {
        case .anywhere: "="
        case .withItsCapitals: "!"
        case .inLists: "?"
        }
    }
}

extension Skill.Spelling {
    fileprivate init?(marked text: String) {
        switch text.utf8.first {
        case UInt8(ascii: "="): self.init(String(text.dropFirst()))
        case UInt8(ascii: "!"): self.init(String(text.dropFirst()), recognition: .withItsCapitals)
        case UInt8(ascii: "?"): self.init(String(text.dropFirst()), recognition: .inLists)
        default: return nil
        }
    }
}
