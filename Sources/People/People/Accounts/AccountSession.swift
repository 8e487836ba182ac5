public import Media

/// One sign-in of a person, which issues tokens until it ends.
///
/// Its refresh tokens are numbered. Only the number of the newest one is stored.
public struct AccountSession: Hashable, Sendable {
    /// The ID that access tokens contain.
    public let id: ID<AccountSession>
    /// The person who signed in.
    public let person: ID<Person>
    /// When they signed in.
    public let created: Instant
    /// The number of the newest refresh token.
    public private(set) var token: Int64
    /// When the newest refresh token replaced the one before it.
    public private(set) var replaced: Instant
    /// When the token before it replaced its predecessor.
    public private(set) var replacedBefore: Instant
    /// The program that signed in, for the person's list of sessions: `Chrome on Android`. Empty if none is known.
    public let program: String
    /// When a browser's session ends unless it is used before; `nil` for a session of tokens, which ends by the age of
    /// its newest one.
    public private(set) var end: Instant?
    /// How the person signed in.
    public let method: Method

    /// How a person signs in.
    public enum Method: String, Hashable, Sendable {
        /// By the account's password, or by a mailed link that set it.
        case password
        /// With another provider.
        case provider
    }

    /// The most sessions of a person: one more ends the oldest.
    public static let mostOfPerson = 100
    /// How long a replaced token still works, so that two tabs may refresh at once.
    public static let grace = Duration.seconds(10)
    /// How long a browser's session lasts without use.
    public static let idleTime = Duration.seconds(14 * 86_400)
    /// The longest duration of a browser's session.
    public static let longestTime = Duration.seconds(90 * 86_400)

    /// How long a session of tokens lasts without use: an app is opened less often than a browser, and keeps its tokens
    /// more safely.
    public static let idleTimeOfTokens = Duration.seconds(90 * 86_400)
    /// The longest duration of a session of tokens.
    public static let longestTimeOfTokens = Duration.seconds(365 * 86_400)

    /// A session from a store.
    public init(
        id: ID<AccountSession>, person: ID<Person>, created: Instant, token: Int64, replaced: Instant,
        replacedBefore: Instant, program: String = "", end: Instant? = nil, method: Method = .password
    ) {
        self.id = id
        self.person = person
        self.created = created
        self.token = token
        self.replaced = replaced
        self.replacedBefore = replacedBefore
        self.program = program
        self.end = end
        self.method = method
    }

    /// A session with its first token.
    ///
    /// - Parameter inBrowser: whether the session expires as a browser's does.
    public init(
        of person: ID<Person>, at now: Instant, program: String = "", inBrowser: Bool = false,
        method: Method = .password
    ) {
        self.init(
            id: .make(at: now), person: person, created: now, token: 0, replaced: now, replacedBefore: now,
            program: program, end: inBrowser ? now + Self.idleTime : nil, method: method)
    }

    /// Whether the session has expired.
    public func isOver(at now: Instant) -> Bool {
        now >= end ?? min(replaced + Self.idleTimeOfTokens, created + Self.longestTimeOfTokens)
    }

    /// Whether a token works without being replaced: the newest one, or the one before, as the response with the newest
    /// may be lost.
    public func accepts(token number: Int64) -> Bool { number >= 0 && (number == token || number == token - 1) }

    /// Replaces the newest token by the next one. The token before it gets the newest one, which nobody has used. So
    /// does the token before that, for ten seconds.
    ///
    /// - Returns: `false` for a token that was replaced earlier: it was copied, so the session must end.
    public mutating func use(token used: Int64, at now: Instant) -> Bool {
        guard used >= 0 else { return false }
        if used == token {
            (replacedBefore, replaced) = (replaced, now)
            token += 1
            if end != nil { end = min(now + Self.idleTime, created + Self.longestTime) }
            return true
        }
        return used == token - 1 || used == token - 2 && now < replacedBefore + Self.grace
    }
}

/// The sessions of a person that end.
public enum SessionScope: Hashable, Sendable {
    /// On all of the person's devices.
    case all
    /// This session, and no other.
    case only(ID<AccountSession>)
    /// All but this one.
    case others(than: ID<AccountSession>)
}
