internal import Media

/// The skills of a person that the vocabulary does not know: texts are searched for them word by word.
struct OwnSkills: Sendable {
    /// A skill by its words.
    struct Skill: Sendable {
        /// As the person writes it.
        let name: String
        /// The keys of `ScannedWord`.
        let keys: [String]
        /// 1 for a listed skill, less for a skill that a sentence mentions.
        let weight: Double

        /// Whether it names something specific: several words, or a spelling like that of brands and tools. A common
        /// word such as "Training" occurs in any text.
        var isDistinct: Bool {
            keys.count > 1
                || name.dropFirst().contains { $0.isNumber || "+#.".contains($0) }
                || (name.dropFirst().contains(where: \.isUppercase) && name.contains(where: \.isLowercase))
        }
    }

    /// The maximum number of skills that are searched for; a person lists fewer.
    private static let mostSkills = 100
    /// The maximum number of words of a skill: more words are a sentence.
    private static let mostWords = 5

    /// In the profile's order, each once.
    let all: [Skill]
    /// The numbers of the skills that begin with a word.
    private let numbers: [String: [Int]]

    init(_ profile: Profile) {
        var all: [Skill] = []
        var seen: Set<[String]> = []
        for skill in profile.skills where skill.known == nil && all.count < Self.mostSkills {
            let keys = ScannedWord.all(of: skill.name.value).map(\.key)
            // A single letter or number occurs in every text.
            guard (1...Self.mostWords).contains(keys.count), keys.contains(where: { $0.count > 1 && Int($0) == nil }),
                seen.insert(keys).inserted
            else { continue }
            all.append(Skill(name: skill.name.value, keys: keys, weight: skill.isListed ? 1 : 0.7))
        }
        self.all = all
        numbers = Dictionary(grouping: all.indices) { all[$0].keys[0] }
    }

    /// The skills that the words of a text name, by number, with the first place of each in UTF-8 bytes.
    func mentions(in words: [ScannedWord]) -> [(skill: Int, bytes: Range<Int>)] {
        guard !all.isEmpty else { return [] }
        var found: [(skill: Int, bytes: Range<Int>)] = []
        var seen: Set<Int> = []
        for index in words.indices {
            for number in numbers[words[index].key] ?? [] where !seen.contains(number) {
                let end = index + all[number].keys.count
                guard end <= words.count, words[index..<end].map(\.key) == all[number].keys,
                    !words[(index + 1)..<end].contains(where: \.startsPhrase)
                else { continue }
                seen.insert(number)
                found.append((number, words[index].bytes.lowerBound..<words[end - 1].bytes.upperBound))
            }
        }
        return found
    }
}
