public import Media

/// An address that shows one document to anyone who has it, without an account and until it expires.
public struct ShareLink: Hashable, Sendable {
    /// The ID by which its owner names it; it opens nothing.
    public let id: ID<ShareLink>
    /// The secret in its address.
    public let token: Token
    /// The document. The link shows the version that lists show.
    public let line: ID<Line>
    /// Whose document it is.
    public let owner: ID<Person>
    /// Who made it: the owner, or a guardian. It opens nothing once they may no longer change the owner's data.
    public let maker: ID<Person>
    /// What visitors may do.
    public let permission: Permission
    /// When it was made.
    public let created: Instant
    /// The moment from which it opens nothing.
    public let expires: Instant
    /// How many times it was opened.
    public var visitCount: Int
    /// When it was last opened; `nil` if it never was.
    public var lastVisit: Instant?

    /// What a link's visitors may do with its document.
    public enum Permission: String, Hashable, Sendable, CaseIterable {
        /// See the pictures, pages, frames and words that the service makes of the file.
        case view
        /// Get the file too.
        case download
    }

    /// The secret in a link's address: 22 characters of `A–Z a–z 0–9 - _`, which are 132 random bits.
    public struct Token: Hashable, Sendable {
        /// The characters.
        public let text: String

        /// A token from its text; `nil` for anything else.
        public init?(_ text: String) {
            guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
            self.text = text
        }

        private init(random text: String) { self.text = text }

        /// A token that nobody can guess.
        public static func make() -> Token {
            var generator = SystemRandomNumberGenerator()
            let characters = (0..<length).map { _ in alphabet.randomElement(using: &generator)! }
            return Token(random: String(decoding: characters, as: UTF8.self))
        }

        private static let length = 22
        private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    }

    /// A link as the store has read it.
    public init(
        id: ID<ShareLink>, token: Token, line: ID<Line>, owner: ID<Person>, maker: ID<Person>,
        permission: Permission, created: Instant, expires: Instant, visitCount: Int = 0, lastVisit: Instant? = nil
    ) {
        self.id = id
        self.token = token
        self.line = line
        self.owner = owner
        self.maker = maker
        self.permission = permission
        self.created = created
        self.expires = expires
        self.visitCount = visitCount
        self.lastVisit = lastVisit
    }
}

/// What a link opens.
public struct SharedDocument: Hashable, Sendable {
    /// The link, which has not expired.
    public let link: ShareLink
    /// The version that it shows.
    public let document: Document
}
