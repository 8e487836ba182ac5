public import Documents

/// One sign-in of a person, from which tokens are drawn until it ends.
///
/// Its refresh tokens are numbered. Only the number of the newest one is kept.
public struct AccountSession: Hashable, Sendable {
    /// The identity that access tokens name.
    public let id: ID<AccountSession>
    /// Who signed in.
    public let person: ID<Person>
    /// When they signed in.
    public let created: Instant
    /// The number of the newest refresh token.
    public private(set) var token: Int64
    /// When the newest refresh token replaced the one before it.
    public private(set) var replaced: Instant
    /// When the token before was given in place of its predecessor.
    public private(set) var replacedBefore: Instant
    /// The program that signed in, for the person's list of sessions: `Chrome on Android`. Empty where none is known.
    public let program: String
    /// When a browser's session ends if it is not used before; `nil` for a session of tokens, which ends by sign-out alone.
    public private(set) var end: Instant?

    /// How long a replaced token works, so that two tabs may refresh at once.
    public static let grace = Duration.seconds(10)
    /// How long a browser's session lasts without use.
    public static let idleTime = Duration.seconds(14 * 86_400)
    /// How long a browser's session lasts at most.
    public static let longestTime = Duration.seconds(90 * 86_400)

    /// A session as a store has it.
    public init(
        id: ID<AccountSession>, person: ID<Person>, created: Instant, token: Int64, replaced: Instant,
        replacedBefore: Instant, program: String = "", end: Instant? = nil
    ) {
        self.id = id
        self.person = person
        self.created = created
        self.token = token
        self.replaced = replaced
        self.replacedBefore = replacedBefore
        self.program = program
        self.end = end
    }

    /// A session with its first token.
    ///
    /// - Parameter inBrowser: whether it ends by itself.
    public init(of person: ID<Person>, at now: Instant, program: String = "", inBrowser: Bool = false) {
        self.init(
            id: .make(at: now), person: person, created: now, token: 0, replaced: now, replacedBefore: now,
            program: program, end: inBrowser ? now + Self.idleTime : nil)
    }

    /// Whether the session has ended by itself.
    public func isOver(at now: Instant) -> Bool { end.map { now >= $0 } ?? false }

    /// Whether a token works without being replaced: the newest one, or the one before, as the answer with the newest one may be lost.
    public func accepts(token number: Int64) -> Bool { number >= 0 && (number == token || number == token - 1) }

    /// Replaces the newest token by the next one. The token before it is answered with the newest one, which nobody has used;
    /// so is the token before that for ten seconds.
    ///
    /// - Returns: `false` for a token that was replaced earlier: it was copied, and the session must end.
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
