/// Something that a person can do or knows how to use, under one name and its synonyms.
public struct Skill: Hashable, Sendable {
    /// The name that is shown.
    public var name: String
    /// The other spellings and abbreviations.
    public var synonyms: [Spelling]
    /// Where the name itself counts as this skill.
    public var recognition: Recognition

    /// A skill whose name counts everywhere.
    public init(_ name: String, synonyms: [Spelling] = [], recognition: Recognition = .anywhere) {
        self.name = name
        self.synonyms = synonyms
        self.recognition = recognition
    }

    /// A way to write a skill.
    public struct Spelling: Hashable, Sendable {
        /// The words as they are written.
        public var text: String
        /// Where these words count as the skill.
        public var recognition: Recognition

        /// A spelling that counts everywhere.
        public init(_ text: String, recognition: Recognition = .anywhere) {
            self.text = text
            self.recognition = recognition
        }
    }

    /// Where words count as a skill: `Go` in a sentence is rarely the language.
    public enum Recognition: UInt8, Hashable, Sendable {
        /// In any text, ignoring case.
        case anywhere
        /// In any text, if the capitals match the spelling.
        case withItsCapitals
        /// Only in a list of skills.
        case inLists
    }
}
