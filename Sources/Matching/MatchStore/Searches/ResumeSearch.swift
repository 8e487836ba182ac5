public import Matching
public import Media

/// A person's search for jobs by a résumé: one file, its profile, and the matches of its latest session.
public struct ResumeSearch: Hashable, Sendable {
    /// Known to the uploader alone: who has it may see and change the profile.
    public let id: ID<ResumeSearch>
    /// The latest run: a corrected profile begins another one.
    public let session: ID<SearchSession>
    /// Shows the matches to whoever has it, and nothing of the file.
    public let viewToken: String
    /// Whose search it is; `nil` for somebody who has not signed in.
    public let owner: ID<Person>?
    /// The file.
    public let object: ObjectID
    /// As the person named it.
    public let fileName: String
    /// When the file came.
    public let created: Instant
    /// How far the session is.
    public let state: State
    /// The last step that is over.
    public let step: Step
    /// Why the session failed, for people; `nil` unless it did.
    public let message: String?
    /// The title that the profile shows; `nil` where it shows none, or is not made yet.
    public let title: String?
    /// Whether the person has corrected the profile.
    public let isCorrected: Bool
    /// The job of the session in the queue.
    public let job: Int64?
    /// What was found; zeros before.
    public let counts: Counts

    /// How far a session is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case processing
        case completed
        case failed
    }

    /// The steps of a session in their order.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// The file is stored.
        case stored
        /// Its text is read.
        case read
        /// The profile is made.
        case profiled
        /// Postings were searched and ranked.
        case searched
    }

    /// How many matches there are, and of which sort.
    public struct Counts: Hashable, Sendable {
        /// All matches.
        public var total = 0
        /// Those of the same occupation; the others are adjacent.
        public var direct = 0
        /// Those within reach of the person's place, or remote.
        public var local = 0

        /// Nothing found.
        public init() {}

        /// What some matches count.
        public init(_ matches: [SearchMatch]) {
            total = matches.count
            direct = matches.count { $0.isDirect }
            local = matches.count { $0.isLocal }
        }
    }
}

/// One run of a search over the postings of its day.
public enum SearchSession {}

/// A posting that a search has found, as it was then: it is shown also when the posting is gone.
public struct SearchMatch: Hashable, Sendable {
    /// The match's own identity.
    public let id: ID<SearchMatch>
    /// The identity of the posting in the store of postings.
    public let posting: String
    /// As the source published it that day.
    public let title: String
    /// The employer; empty where the source did not tell it.
    public let company: String
    /// The place as written; empty where the source did not tell it.
    public let location: String
    /// Whether the work can be done from anywhere.
    public let isRemote: Bool
    /// The day on which the source published it.
    public let posted: CivilDay?
    /// The page of the posting.
    public let url: String?
    /// The name of the query that found it.
    public let query: String?
    /// Whether it is of the person's occupation.
    public let isDirect: Bool
    /// Whether it is within reach of the person's place, or remote.
    public let isLocal: Bool
    /// What the rank is made of, as JSON.
    public let parts: String
    /// The posting's text that day, to which reasons refer; `nil` in lists, and for matches that are kept without.
    public let text: String?

    /// A match of its parts.
    public init(
        id: ID<SearchMatch>, posting: String, title: String, company: String, location: String, isRemote: Bool,
        posted: CivilDay?, url: String?, query: String?, isDirect: Bool, isLocal: Bool, parts: String,
        text: String? = nil
    ) {
        self.id = id
        self.posting = posting
        self.title = title
        self.company = company
        self.location = location
        self.isRemote = isRemote
        self.posted = posted
        self.url = url
        self.query = query
        self.isDirect = isDirect
        self.isLocal = isLocal
        self.parts = parts
        self.text = text
    }
}

/// What was read from a résumé, as the store keeps it.
public struct StoredReading: Hashable, Sendable {
    /// The text of each page, to which the places of the profile refer.
    public let pages: [String]
    /// The profile in a form of the caller's.
    public let profile: String

    /// A reading of its parts.
    public init(pages: [String], profile: String) {
        self.pages = pages
        self.profile = profile
    }
}

/// What a person's searches come to.
public struct SearchStatistics: Hashable, Sendable {
    /// How many searches the person has.
    public let searchCount: Int
    /// How many matches they have together.
    public let matchCount: Int
}

/// Why the store of searches did not do what it was asked for.
public enum SearchError: Error, Hashable, Sendable {
    /// There is no such search: it never was, has ended, or was deleted.
    case notFound
    /// The search has no profile yet: its résumé is not read.
    case noProfile
    /// The right of the person who acts has ended meanwhile.
    case notAllowed
    /// The person has as many searches as one person may have.
    case tooMany(most: Int)
    /// One row cannot be read; others can.
    case damaged(detail: String)
    /// The database is out of reach, or a newer program's.
    case unavailable(detail: String)
}

extension SearchError: CustomStringConvertible {
    /// For the operator.
    public var description: String {
        switch self {
        case .notFound: "the search does not exist"
        case .noProfile: "the search has no profile"
        case .notAllowed: "the right to change the search has ended"
        case .tooMany(let most): "the person has \(most) searches, the most that are kept"
        case .damaged(let detail): detail
        case .unavailable(let detail): "the searches cannot be used: \(detail)"
        }
    }
}
