internal import Media

/// The known occupations and skills, with the indexes that find them in a text.
///
/// Creation takes time in proportion to the titles; create it once and keep it.
public struct Vocabulary: Sendable {
    /// In the order of the source.
    public let occupations: [Occupation]
    /// The listed skills, then the skills that only occupations name.
    public let skills: [Skill]

    private let occupationNumbers: [String: Int]
    private let skillNumbers: [String: Int]
    let knownTitles: KnownTitles
    /// The titles of the vocabulary that lists were added to; `nil` if none were added.
    let ownTitles: KnownTitles?
    let skillIndex: PhraseIndex
    let spellings: [KnownSpelling]
    private let usersOfSkill: [[Int32]]

    /// A spelling of a skill, to which the values of `skillIndex` refer.
    struct KnownSpelling: Sendable {
        let skill: Int
        let text: String
        let recognition: Skill.Recognition
    }

    /// The titles of occupations, mapped to the numbers of the occupations.
    struct KnownTitles: Sendable {
        let phrases: PhraseIndex
        let words: TitleWords
    }

    /// A vocabulary from lists. If two occupations share a code, or two skills share a name or spelling, the first
    /// counts.
    public init(occupations: [Occupation], skills: [Skill]) {
        self.init(occupations: occupations, skills: skills, behind: nil)
    }

    /// - Parameter own: the vocabulary whose occupations these lists begin with.
    init(occupations all: [Occupation], skills listed: [Skill], behind own: Vocabulary?) {
        var occupationNumbers: [String: Int] = [:]
        var occupations: [Occupation] = []
        for occupation in all where occupationNumbers[occupation.code] == nil {
            occupationNumbers[occupation.code] = occupations.count
            occupations.append(occupation)
        }
        var skillNumbers: [String: Int] = [:]
        var skills: [Skill] = []
        // Many occupations name the same skills: each key is computed once.
        var numbersOfNames: [String: Int] = [:]
        for skill in listed + occupations.flatMap(\.skills).map({ Skill($0) }) where numbersOfNames[skill.name] == nil {
            let key = Self.key(skill.name)
            let number = skillNumbers[key] ?? skills.count
            numbersOfNames[skill.name] = number
            guard number == skills.count else { continue }
            skillNumbers[key] = number
            skills.append(skill)
        }
        var users: [[Int32]] = Array(repeating: [], count: skills.count)
        for (number, occupation) in occupations.enumerated() {
            for name in occupation.skills {
                guard let skill = numbersOfNames[name] else { continue }
                users[skill].append(Int32(number))
            }
        }
        knownTitles = Self.indexTitles(of: occupations)
        ownTitles = own?.knownTitles
        (skillIndex, spellings) = Self.indexSpellings(of: skills)
        self.occupations = occupations
        self.skills = skills
        self.occupationNumbers = occupationNumbers
        self.skillNumbers = skillNumbers
        usersOfSkill = users
    }

    /// The number of titles of the occupations, including their names.
    public var titleCount: Int { VocabularyLists(occupations: occupations).titleCount }

    /// The occupation with this code.
    public func occupation(_ code: String) -> Occupation? { occupationNumbers[code].map { occupations[$0] } }

    /// The skill with this name, ignoring case and accents.
    public func skill(named name: String) -> Skill? { skillNumbers[Self.key(name)].map { skills[$0] } }

    /// The occupations that use a skill, in the order of the source.
    public func occupations(using skill: String) -> [Occupation] { users(of: skill).map { occupations[Int($0)] } }

    /// How many occupations use a skill.
    public func userCount(ofSkill skill: String) -> Int { users(of: skill).count }

    private func users(of skill: String) -> [Int32] { skillNumbers[Self.key(skill)].map { usersOfSkill[$0] } ?? [] }

    /// Whether the same person could work in both: one names the other, or they are the same.
    public func isRelated(_ first: String, _ second: String) -> Bool {
        first == second || occupation(first)?.related.contains(second) == true
            || occupation(second)?.related.contains(first) == true
    }

    static func key(_ name: String) -> String {
        ScannedWord.all(of: name).map(\.key).joined(separator: " ")
    }

    private static func indexTitles(of occupations: [Occupation]) -> KnownTitles {
        var phrases = PhraseIndex(phraseCount: occupations.reduce(0) { $0 + 1 + $1.titles.count })
        var words: [(words: [String], occupation: Int)] = []
        for (number, occupation) in occupations.enumerated() {
            for title in [occupation.name] + occupation.titles {
                let keys = ScannedWord.all(of: title).map(\.key)
                phrases.add(keys, value: Int32(number))
                words.append((keys, number))
            }
        }
        return KnownTitles(phrases: phrases, words: TitleWords(words))
    }

    private static func indexSpellings(of skills: [Skill]) -> (PhraseIndex, [KnownSpelling]) {
        var index = PhraseIndex(phraseCount: skills.reduce(0) { $0 + 1 + $1.synonyms.count })
        var spellings: [KnownSpelling] = []
        for (number, skill) in skills.enumerated() {
            let own = Skill.Spelling(skill.name, recognition: skill.recognition)
            for spelling in [own] + skill.synonyms {
                let keys = ScannedWord.all(of: spelling.text).map(\.key)
                // A spelling that belongs to another skill keeps its recognition.
                guard index.values(of: keys).allSatisfy({ spellings[Int($0)].skill == number }) else { continue }
                index.add(keys, value: Int32(spellings.count))
                spellings.append(KnownSpelling(skill: number, text: spelling.text, recognition: spelling.recognition))
            }
        }
        return (index, spellings)
    }
}
