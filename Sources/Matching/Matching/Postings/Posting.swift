/// An open position of an employer, as a source published it.
///
/// The source and the source's own identity identify a posting; reading it again replaces it.
public struct Posting: Hashable, Sendable {
    /// Who published it: a board, an employer's site, a file.
    public var source: String
    /// Its identity at the source.
    public var sourceID: String
    /// The title, one line.
    public var title: String
    /// The employer's name; empty if the source does not give it.
    public var company: String
    /// The place as written; empty if the source does not give it.
    public var location: String
    /// Whether the work can be done from anywhere.
    public var isRemote: Bool
    /// The day on which the source published it; `nil` if the source does not give it.
    public var posted: CivilDay?
    /// The last day on which it is shown.
    public var expires: CivilDay?
    /// The page of the posting: `http` or `https`.
    public var url: String?
    /// What is offered and asked for: plain text, without markup.
    public var text: String
    /// As written, for people to read.
    public var salary: String?

    /// A posting with values that follow `PostingRules`; omitted values are empty.
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

    /// Identity across all sources.
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

    /// The key under which it is stored.
    public var key: Key { Key(source: source, id: sourceID) }

    /// Whether it is shown on a day.
    public func isOpen(on day: CivilDay) -> Bool { expires.map { day <= $0 } ?? true }
}
