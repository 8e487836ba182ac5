internal import Media

/// A query to an index of postings; several queries together find a person's candidates.
public struct SearchQuery: Hashable, Sendable {
    /// The name shown as its candidates' origin, such as "iOS Developer".
    public var name: String
    /// Where the words must occur.
    public var field: Field
    /// Lists of words without case and accents; a posting matches if it has all words of one list.
    public var alternatives: [[String]]

    /// A part of a posting.
    public enum Field: Hashable, Sendable {
        case title
        case text
    }

    /// Whether the words of a posting's field match the query.
    public func accepts(_ words: Set<String>) -> Bool { alternatives.contains { $0.allSatisfy(words.contains) } }

    /// The queries of an aim, the most important first: the person's titles, the other titles of their occupations, the
    /// titles of related occupations, the person's titles together with one of the rarest skills, and pairs of these.
    ///
    /// An index answers with the newest postings; the narrow queries find older ones that fit well.
    public static func all(of aim: SearchAim, vocabulary: Vocabulary) -> [SearchQuery] {
        var queries: [SearchQuery] = []
        func add(_ name: String, _ field: Field, _ lists: [[String]]) {
            var seen: Set<[String]> = Set(queries.filter { $0.field == field }.flatMap(\.alternatives))
            let new = lists.map { Array(Set($0)).sorted() }.filter { !$0.isEmpty && seen.insert($0).inserted }
            if !new.isEmpty { queries.append(SearchQuery(name: name, field: field, alternatives: new)) }
        }
        for (written, words) in zip(aim.writtenTitles.prefix(3), aim.titles) { add(written, .title, [words]) }
        let known = aim.occupations.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3)
        let codes = known.compactMap { vocabulary.occupation($0.key) }
        for occupation in codes { add(occupation.name, .title, titles(of: occupation)) }
        if let main = aim.mainOccupation.flatMap(vocabulary.occupation) {
            for occupation in main.related.prefix(6).compactMap(vocabulary.occupation) {
                add(occupation.name, .title, titles(of: occupation))
            }
        }
        let skills = rarest(aim, vocabulary)
        let asked = skills + aim.ownSkills.all.filter { $0.weight == 1 && $0.isDistinct }.prefix(6).map(\.name)
        for (written, words) in zip(aim.writtenTitles.prefix(3), aim.titles) where !words.isEmpty {
            guard let first = asked.first else { break }
            let name = "\(written), \(first)" + (asked.count > 1 ? " or another skill" : "")
            add(name, .text, asked.map { words + keys($0) })
        }
        for (first, second) in zip(skills, skills.dropFirst()) {
            add("\(first), \(second)", .text, [keys(first) + keys(second)])
        }
        return queries
    }

    private static func titles(of occupation: Occupation) -> [[String]] {
        ([occupation.name] + occupation.titles.prefix(30)).map { title in
            keys(title).filter { Seniority.saying($0) == nil }
        }
    }

    /// The listed skills that the fewest occupations use, at most six.
    private static func rarest(_ aim: SearchAim, _ vocabulary: Vocabulary) -> [String] {
        let listed = aim.skills.filter { $0.value == 1 }.keys
        let counted = listed.map { (count: max(1, vocabulary.userCount(ofSkill: $0)), name: $0) }
        return counted.sorted { ($0.count, $0.name) < ($1.count, $1.name) }.prefix(6).map(\.name)
    }

    private static func keys(_ text: String) -> [String] { ScannedWord.all(of: text).map(\.key) }
}
