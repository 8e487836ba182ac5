/// A place of work that an employer offers, as a source published it.
///
/// A posting is known by its source and the source's own identity; reading the same one again replaces it.
public struct Posting: Hashable, Sendable {
    /// Who published it: a board, an employer's site, a file.
    public var source: String
    /// Its identity at the source.
    public var sourceID: String
    /// The title, one line.
    public var title: String
    /// The employer's name; empty where the source does not tell it.
    public var company: String
    /// The place as written; empty where the source does not tell it.
    public var location: String
    /// Whether the work can be done from anywhere.
    public var isRemote: Bool
    /// The day on which the source published it; `nil` where the source does not tell it.
    public var posted: CivilDay?
    /// The last day on which it is shown.
    public var expires: CivilDay?
    /// The page of the posting: `http` or `https`.
    public var url: String?
    /// What is offered and asked for: plain text, without markup.
    public var text: String
    /// As written, for people to read.
    public var salary: String?

    /// A posting of values that keep to `PostingRules`; what is not given is empty.
    public init(
        source: String, sourceID: String, title: String, company: String = "", location: String = "",
        isRemote: Bool = false,
        posted: CivilDay? = nil, expires: CivilDay? = nil, url: String? = nil, text: String = "", salary: String? = nil
    ) {
        self.source = source
        self.sourceID = sourceID
        self.title = title
        self.company = company
        self.location = location
        self.isRemote = isRemote
        self.posted = posted
        self.expires = expires
        self.url = url
        self.text = text
        self.salary = salary
    }

    /// Identity over all sources.
    public struct Key: Hashable, Sendable, Comparable {
        /// The publisher, as `Posting.source`.
        public var source: String
        /// The identity there.
        public var id: String

        /// A key of both parts.
        public init(source: String, id: String) {
            self.source = source
            self.id = id
        }

        /// Whether `first` sorts before `second`: by the source, then by the identity.
        public static func < (first: Key, second: Key) -> Bool { (first.source, first.id) < (second.source, second.id) }
    }

    /// What it is stored under.
    public var key: Key { Key(source: source, id: sourceID) }

    /// Whether it is shown on a day.
    public func isOpen(on day: CivilDay) -> Bool { expires.map { day <= $0 } ?? true }
}
