/// The occupations and skills that are known, with what finds them in a text.
///
/// Making one takes time in proportion to its titles; make it once and keep it.
public struct Vocabulary: Sendable {
    /// In the order of the source.
    public let occupations: [Occupation]
    /// Those of the list of skills, then those that only occupations name.
    public let skills: [Skill]

    private let occupationNumbers: [String: Int]
    private let skillNumbers: [String: Int]
    let titleIndex: PhraseIndex
    let titleWords: TitleWords
    let skillIndex: PhraseIndex
    let spellings: [KnownSpelling]
    private let usersOfSkill: [[Int]]
    private let skillsOfOccupation: [[Int]]

    /// A spelling of a skill, which the index of skills has as a value.
    struct KnownSpelling: Sendable {
        let skill: Int
        let text: String
        let recognition: Skill.Recognition
    }

    /// A vocabulary of lists that were read; of two occupations with one code, or two skills with one name, the first
    /// counts.
    public init(occupations all: [Occupation], skills listed: [Skill]) {
        var occupationNumbers: [String: Int] = [:]
        var occupations: [Occupation] = []
        for occupation in all where occupationNumbers[occupation.code] == nil {
            occupationNumbers[occupation.code] = occupations.count
            occupations.append(occupation)
        }
        var skillNumbers: [String: Int] = [:]
        var skills: [Skill] = []
        for skill in listed + occupations.flatMap(\.skills).map({ Skill($0) }) {
            let key = Self.key(skill.name)
            guard skillNumbers[key] == nil else { continue }
            skillNumbers[key] = skills.count
            skills.append(skill)
        }
        var users: [[Int]] = Array(repeating: [], count: skills.count)
        var used: [[Int]] = []
        for (number, occupation) in occupations.enumerated() {
            let numbers = occupation.skills.compactMap { skillNumbers[Self.key($0)] }
            for skill in numbers { users[skill].append(number) }
            used.append(numbers)
        }
        (titleIndex, titleWords) = Self.indexTitles(of: occupations)
        (skillIndex, spellings) = Self.indexSpellings(of: skills)
        self.occupations = occupations
        self.skills = skills
        self.occupationNumbers = occupationNumbers
        self.skillNumbers = skillNumbers
        usersOfSkill = users
        skillsOfOccupation = used
    }

    /// The occupation with a code.
    public func occupation(_ code: String) -> Occupation? { occupationNumbers[code].map { occupations[$0] } }

    /// The skill with a name, without regard to case and accents.
    public func skill(named name: String) -> Skill? { skillNumbers[Self.key(name)].map { skills[$0] } }

    /// The occupations that use a skill, in the order of the source.
    public func occupations(using skill: String) -> [Occupation] {
        (skillNumbers[Self.key(skill)].map { usersOfSkill[$0] } ?? []).map { occupations[$0] }
    }

    /// Whether the same person could work in both: one names the other, or they are the same.
    public func isRelated(_ first: String, _ second: String) -> Bool {
        first == second || occupation(first)?.related.contains(second) == true
            || occupation(second)?.related.contains(first) == true
    }

    static func key(_ name: String) -> String {
        ScannedWord.all(of: name).map(\.key).joined(separator: " ")
    }

    private static func indexTitles(of occupations: [Occupation]) -> (PhraseIndex, TitleWords) {
        var index = PhraseIndex()
        var words = TitleWords()
        for (number, occupation) in occupations.enumerated() {
            for title in [occupation.name] + occupation.titles {
                let keys = ScannedWord.all(of: title).map(\.key)
                index.add(keys, value: Int32(number))
                words.add(keys, occupation: number)
            }
        }
        return (index, words)
    }

    private static func indexSpellings(of skills: [Skill]) -> (PhraseIndex, [KnownSpelling]) {
        var index = PhraseIndex()
        var spellings: [KnownSpelling] = []
        for (number, skill) in skills.enumerated() {
            let own = Skill.Spelling(skill.name, recognition: skill.recognition)
            for spelling in [own] + skill.synonyms {
                index.add(ScannedWord.all(of: spelling.text).map(\.key), value: Int32(spellings.count))
                spellings.append(KnownSpelling(skill: number, text: spelling.text, recognition: spelling.recognition))
            }
        }
        return (index, spellings)
    }
}
