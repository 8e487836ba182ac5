public import Matching
public import Media

/// A person's search for jobs by a résumé: one file, its profile, and the matches of its latest session.
public struct ResumeSearch: Hashable, Sendable {
    /// Known only to the uploader: anyone who has it may see and change the profile.
    public let id: ID<ResumeSearch>
    /// The latest run: a corrected profile starts another one.
    public let session: ID<SearchSession>
    /// Shows the matches, and nothing of the file, to anyone who has it.
    public let viewToken: String
    /// Whose search it is; `nil` for a person who has not signed in.
    public let owner: ID<Person>?
    /// The file.
    public let object: ObjectID
    /// As the person named it.
    public let fileName: String
    /// When the file was uploaded.
    public let created: Instant
    /// How far the session is.
    public let state: State
    /// The last completed step.
    public let step: Step
    /// Why the session failed, for people; `nil` unless it did.
    public let message: String?
    /// The title that the profile shows; `nil` if it shows none or does not exist yet.
    public let title: String?
    /// Whether the person has corrected the profile.
    public let isCorrected: Bool
    /// The job of the session in the queue.
    public let job: Int64?
    /// What was found; zeros until then.
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
        /// The profile is created.
        case profiled
        /// Postings were searched and ranked.
        case searched
    }

    /// How many matches there are, and of which kind.
    public struct Counts: Hashable, Sendable {
        /// All matches.
        public var total = 0
        /// Matches of the same occupation; the others are adjacent.
        public var direct = 0
        /// Matches within reach of the person's place, or remote.
        public var local = 0

        /// Nothing found.
        public init() {}

        /// The counts of some matches.
        public init(_ matches: [SearchMatch]) {
            total = matches.count
            direct = matches.count { $0.isDirect }
            local = matches.count { $0.isLocal }
        }
    }
}

/// One run of a search over the postings of its day.
public enum SearchSession {}

/// A posting that a search has found, as it was then: it is shown even if the posting is gone.
public struct SearchMatch: Hashable, Sendable {
    /// The match's own identity.
    public let id: ID<SearchMatch>
    /// The posting's identity in the posting store.
    public let posting: String
    /// As the source published it that day.
    public let title: String
    /// The employer; empty if the source did not give it.
    public let company: String
    /// The place as written; empty if the source did not give it.
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
    /// The components of the rank, as JSON.
    public let parts: String
    /// The posting's text that day, to which reasons refer; `nil` in lists, and for matches that are stored without it.
    public let text: String?

    /// A match from its parts.
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

/// What was read from a résumé, as it is stored.
public struct StoredReading: Hashable, Sendable {
    /// The text of each page, to which the places of the profile refer.
    public let pages: [String]
    /// The profile in a form that the caller chooses.
    public let profile: String

    /// A reading from its parts.
    public init(pages: [String], profile: String) {
        self.pages = pages
        self.profile = profile
    }
}

/// The totals of a person's searches.
public struct SearchStatistics: Hashable, Sendable {
    /// How many searches the person has.
    public let searchCount: Int
    /// How many matches they have together.
    public let matchCount: Int
}

/// Why an operation of the search store failed.
public enum SearchError: Error, Hashable, Sendable {
    /// There is no such search: it never existed, has ended, or was deleted.
    case notFound
    /// The search has no profile yet: its résumé has not been read.
    case noProfile
    /// The right of the acting person has ended in the meantime.
    case notAllowed
    /// The person has the maximum number of searches.
    case tooMany(most: Int)
    /// One row cannot be read; others can.
    case damaged(detail: String)
    /// The database is unreachable, or from a newer program.
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
