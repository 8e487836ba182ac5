public import Media

/// A posting that may fit, with what was read from it.
public struct Candidate: Sendable {
    /// What is offered.
    public var posting: Posting
    /// The facts that matching uses.
    public var traits: PostingTraits
    /// The name of the query that found it; `nil` if no query did.
    public var query: String?

    /// A candidate of a query.
    public init(posting: Posting, traits: PostingTraits, query: String?) {
        self.posting = posting
        self.traits = traits
        self.query = query
    }
}

/// A posting that fits a person, and how well.
public struct Match: Hashable, Sendable {
    /// The posting's identity.
    public var key: Posting.Key
    /// Why it fits.
    public var category: Category
    /// The components of the rank.
    public var parts: Parts
    /// The name of the query that found it.
    public var query: String?
    /// Kilometres from the person's town; `nil` if one of the towns is not known.
    public var kilometres: Double?
    /// Whether it is within reach: near the person's town, or done from anywhere.
    public var isLocal: Bool

    /// The rank: matches with a higher score come first.
    public var score: Double { parts.score }

    /// How a posting is related to the person's work.
    public enum Category: String, Hashable, Sendable {
        /// The same occupation.
        case direct
        /// A related occupation, or one in which the person's skills count.
        case adjacent
    }

    /// How well each aspect fits, 0...1.
    public struct Parts: Hashable, Sendable {
        /// The occupation and the words of the title.
        public var title: Double
        /// The share of the posting's skills that the person has.
        public var skills: Double
        /// How close the two are in seniority.
        public var seniority: Double
        /// How new the posting is.
        public var recency: Double

        /// The parts by their weights: half for the title, three tenths for the skills, a tenth for each of the others.
        public var score: Double { 0.5 * title + 0.3 * skills + 0.1 * seniority + 0.1 * recency }

        /// The parts as they are stored with a match.
        public var json: JSON {
            .object([
                "title": .number(title), "skills": .number(skills), "seniority": .number(seniority),
                "recency": .number(recency),
            ])
        }
    }
}
