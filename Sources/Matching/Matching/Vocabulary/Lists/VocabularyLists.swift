/// Occupations and skills as a source lists them, before they are indexed.
public struct VocabularyLists: Hashable, Sendable {
    /// In the order of the source.
    public var occupations: [Occupation]
    /// All skills that the occupations name, and others.
    public var skills: [Skill]

    /// Lists from their parts.
    public init(occupations: [Occupation] = [], skills: [Skill] = []) {
        self.occupations = occupations
        self.skills = skills
    }

    /// The number of titles of the occupations, including their names.
    public var titleCount: Int { occupations.reduce(0) { $0 + 1 + $1.titles.count } }

    /// Removes the titles that identify no single occupation.
    ///
    /// A name leads to its own occupation, a title to the first occupation that has it. A single-word title of several
    /// occupations, such as "Manager", leads to none of them.
    mutating func clearTitles() {
        let names = Dictionary(
            occupations.enumerated().map { (Vocabulary.key($0.element.name), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        let keys = occupations.map { $0.titles.map(Vocabulary.key) }
        var owners: [String: Int] = [:]
        var shared: Set<String> = []
        for (number, keys) in keys.enumerated() {
            for key in keys {
                if owners[key, default: number] != number { shared.insert(key) } else { owners[key] = number }
            }
        }
        for (number, keys) in keys.enumerated() {
            var seen: Set<String> = []
            occupations[number].titles = zip(occupations[number].titles, keys).filter { _, key in
                !key.isEmpty && names[key] == nil && owners[key] == number && seen.insert(key).inserted
                    && !(shared.contains(key) && !key.contains(" "))
            }.map(\.0)
        }
    }
}
