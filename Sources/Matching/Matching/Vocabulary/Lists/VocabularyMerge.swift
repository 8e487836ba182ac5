extension Vocabulary {
    /// This vocabulary with imported lists added in their order. Known entries stay, and missing entries are added.
    ///
    /// An imported occupation whose name is a known title becomes that occupation. Any other is new. It is related to
    /// the occupations that have some of its titles, and to the occupation that this vocabulary reads from its name. A
    /// person under one and a posting under the other thus still match. A skill whose name is a known spelling becomes
    /// that skill.
    public func adding(_ imported: [VocabularyLists]) -> Vocabulary {
        var merge = VocabularyMerge(self)
        for lists in imported { merge.add(lists) }
        return Vocabulary(occupations: merge.occupations, skills: merge.skills, behind: self)
    }
}

/// Adds imported lists to a vocabulary.
private struct VocabularyMerge {
    private(set) var occupations: [Occupation]
    private(set) var skills: [Skill]
    private let own: Vocabulary
    /// The occupations by the keys of their titles.
    private var titles: [String: Int] = [:]
    /// The skills by the keys of their names; own skills also by the keys of their synonyms.
    private var spellings: [String: Int] = [:]

    init(_ own: Vocabulary) {
        self.own = own
        occupations = own.occupations
        skills = own.skills
        for (number, occupation) in occupations.enumerated() {
            for title in [occupation.name] + occupation.titles { Self.put(number, Vocabulary.key(title), &titles) }
        }
        for (number, skill) in skills.enumerated() { Self.put(number, Vocabulary.key(skill.name), &spellings) }
        for (number, skill) in skills.enumerated() {
            for spelling in skill.synonyms { Self.put(number, Vocabulary.key(spelling.text), &spellings) }
        }
    }

    /// The first number counts.
    private static func put(_ number: Int, _ key: String, _ numbers: inout [String: Int]) {
        if !key.isEmpty, numbers[key] == nil { numbers[key] = number }
    }

    mutating func add(_ lists: VocabularyLists) {
        let names = addSkills(lists.skills)
        var numbers: [String: Int] = [:]
        for occupation in lists.occupations { numbers[occupation.code] = add(occupation) }
        for occupation in lists.occupations {
            guard let number = numbers[occupation.code] else { continue }
            for other in occupation.related.compactMap({ numbers[$0] }) { relate(number, other) }
            var seen = Set(occupations[number].skills)
            for name in occupation.skills.compactMap({ names[$0] }) where seen.insert(name).inserted {
                occupations[number].skills.append(name)
            }
        }
    }

    /// - Returns: the names here by the names in the lists.
    private mutating func addSkills(_ listed: [Skill]) -> [String: String] {
        var names: [String: String] = [:]
        for skill in listed {
            let key = Vocabulary.key(skill.name)
            guard !key.isEmpty else { continue }
            if let known = spellings[key] {
                names[skill.name] = skills[known].name
            } else {
                spellings[key] = skills.count
                skills.append(skill)
                names[skill.name] = skill.name
            }
        }
        return names
    }

    /// - Returns: the number of the same occupation here.
    private mutating func add(_ occupation: Occupation) -> Int {
        let keys = occupation.titles.map(Vocabulary.key)
        let number: Int
        if let same = titles[Vocabulary.key(occupation.name)] {
            number = same
        } else {
            number = occupations.count
            var new = occupation
            (new.titles, new.related, new.skills) = ([], [], [])
            Self.put(number, Vocabulary.key(occupation.name), &titles)
            occupations.append(new)
            let reading = own.reading(ofTitle: occupation.name)
            if let code = reading.occupation, reading.confidence >= Vocabulary.sureConfidence {
                occupations[number].related.append(code)
            }
        }
        for (title, key) in zip(occupation.titles, keys) where !key.isEmpty {
            if let known = titles[key] {
                relate(number, known)
            } else {
                titles[key] = number
                occupations[number].titles.append(title)
            }
        }
        return number
    }

    /// Relations between own occupations stay unchanged.
    private mutating func relate(_ first: Int, _ second: Int) {
        guard first != second, max(first, second) >= own.occupations.count else { return }
        let code = occupations[second].code
        if !occupations[first].related.contains(code) { occupations[first].related.append(code) }
    }
}
