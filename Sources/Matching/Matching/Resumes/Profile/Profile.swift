public import Media

/// What a résumé says about a person, each value with its place in the text.
///
/// The parts and their names are those of JSON Resume (https://jsonresume.org/schema), which `json` writes.
public struct Profile: Hashable, Sendable, Codable {
    /// Who the person is and how to reach them.
    public var basics = Basics()
    /// The latest position first, as far as dates say.
    public var work: [Work] = []
    /// In the order of the text.
    public var education: [Education] = []
    /// Listed skills first, then skills that the text mentions elsewhere.
    public var skills: [ProfileSkill] = []
    /// Names of certificates and licences, in the order of the text.
    public var certificates: [Certificate] = []
    /// In the order of the text.
    public var languages: [LanguageSkill] = []

    /// The maximum number of positions, schools, certificates and languages read from a text, and of highlights of a
    /// position.
    public static let mostEntries = 200
    /// The maximum number of skills read from a text.
    public static let mostSkills = 500

    /// An empty profile.
    public init() {}

    /// Cuts the lists to what a person has, because later steps compare the entries with each other.
    mutating func bound() {
        work = Array(work.prefix(Self.mostEntries))
        education = Array(education.prefix(Self.mostEntries))
        certificates = Array(certificates.prefix(Self.mostEntries))
        languages = Array(languages.prefix(Self.mostEntries))
        skills = Array(skills.prefix(Self.mostSkills))
    }

    /// A person's name, contact addresses and own short account.
    public struct Basics: Hashable, Sendable, Codable {
        /// The name without titles and degrees.
        public var name: Found<String>?
        /// The title that the person goes by: their own below the name, or else the latest position.
        public var label: Found<String>?
        /// The email address.
        public var email: Found<String>?
        /// The telephone number as written; digits that text recognition read as letters are corrected.
        public var phone: Found<String>?
        /// A web page of the person.
        public var url: Found<String>?
        /// The town with its state or country.
        public var location: Found<String>?
        /// The paragraph about the person.
        public var summary: Found<String>?

        /// Empty basics.
        public init() {}
    }

    /// A position at an employer.
    public struct Work: Hashable, Sendable, Codable {
        /// The title.
        public var position: Found<String>?
        /// The employer.
        public var name: Found<String>?
        /// The town of the work, as written.
        public var location: Found<String>?
        /// When it began, to the month if the text gives one.
        public var startDate: Found<PartialDate>?
        /// `nil` for a current position (`isCurrent`), or if the text does not say.
        public var endDate: Found<PartialDate>?
        /// Whether the text says that it continues.
        public var isCurrent = false
        /// What the person did there, one sentence or list item each.
        public var highlights: [Found<String>] = []

        /// A position about which nothing is known.
        public init() {}
    }

    /// A time at a school.
    public struct Education: Hashable, Sendable, Codable {
        /// The school.
        public var institution: Found<String>?
        /// The degree, such as `Bachelor of Science`.
        public var studyType: Found<String>?
        /// The subject.
        public var area: Found<String>?
        /// When it began, to the month if the text gives one.
        public var startDate: Found<PartialDate>?
        /// The degree's date, which may be in the future.
        public var endDate: Found<PartialDate>?

        /// A time about which nothing is known.
        public init() {}
    }

    /// A certificate or a licence.
    public struct Certificate: Hashable, Sendable, Codable {
        /// What it certifies.
        public var name: Found<String>
        /// When it was given.
        public var date: Found<PartialDate>?

        /// A certificate by its name.
        public init(name: Found<String>, date: Found<PartialDate>? = nil) {
            self.name = name
            self.date = date
        }
    }

    /// A language that the person speaks.
    public struct LanguageSkill: Hashable, Sendable, Codable {
        /// Its English name, or the name as written if that is not known.
        public var language: Found<String>
        /// How well, as written.
        public var fluency: Found<String>?

        /// A language, and how well the person speaks it.
        public init(language: Found<String>, fluency: Found<String>? = nil) {
            self.language = language
            self.fluency = fluency
        }
    }
}

/// Something that the person can do.
public struct ProfileSkill: Hashable, Sendable, Codable {
    /// As written.
    public var name: Found<String>
    /// The name in the vocabulary; `nil` for a skill that only the person's list has.
    public var known: String?
    /// Whether it is in a list of skills; otherwise a sentence mentions it.
    public var isListed: Bool

    /// A skill with its evidence.
    public init(name: Found<String>, known: String?, isListed: Bool) {
        self.name = name
        self.known = known
        self.isListed = isListed
    }
}
