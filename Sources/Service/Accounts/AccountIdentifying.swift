public import Access
public import Documents
internal import Linux
internal import Synchronization

/// Knows persons by their access tokens, and browsers by their cookies. Sessions that have ended are noticed within a second.
public final class AccountIdentifying: Identifying {
    /// Reads whether a session goes on, on a thread that may block.
    public typealias SessionCheck = @Sendable (ID<AccountSession>) async throws -> AccountSession?

    /// Reads what one person may do for another, on a thread that may block.
    public typealias RightCheck = @Sendable (_ guardian: ID<Person>, _ athlete: ID<Person>) async throws -> ActingRight?

    private let tokens: AccessTokens
    private let desk: AccountDesk
    private let session: SessionCheck
    private let right: RightCheck
    private let now: @Sendable () -> Instant
    private let known = Mutex<[String: Known]>([:])
    private let rights = Mutex<[Pair: KnownRight]>([:])

    /// How long an answer of the store counts.
    private static let memory = Duration.seconds(1)
    private static let mostTokens = 10_000

    private struct Known {
        let content: AccessTokens.Content
        let checked: Instant
    }

    private struct Pair: Hashable {
        let guardian: ID<Person>
        let athlete: ID<Person>
    }

    private struct KnownRight {
        let right: ActingRight
        let checked: Instant
    }

    /// - Parameters:
    ///   - session: such as the store's `session`.
    ///   - right: such as the store's `right`.
    public init(
        _ tokens: AccessTokens, _ desk: AccountDesk, now: (@Sendable () -> Instant)? = nil,
        session: @escaping SessionCheck, right: @escaping RightCheck
    ) {
        self.tokens = tokens
        self.desk = desk
        self.session = session
        self.right = right
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
    }

    /// The person whose access token is the bearer's, or whose browser sends the cookie.
    public func caller(with credentials: Credentials) async throws(AccessError) -> Caller {
        Caller(owner: try await content(of: credentials).person)
    }

    /// The same person, where the session was found within the last second.
    public func knownCaller(with credentials: Credentials) -> Caller? {
        guard let text = credentials.bearer ?? credentials.cookie, let content = try? remembered(text, at: now()) else {
            return nil
        }
        return Caller(owner: content.person)
    }

    /// What a token or a cookie says whose session goes on.
    public func content(of credentials: Credentials) async throws(AccessError) -> AccessTokens.Content {
        if let token = credentials.bearer { return try await content(of: token) }
        guard let cookie = credentials.cookie else { throw .unauthenticated }
        return try await content(ofCookie: cookie)
    }

    /// What a token says whose session goes on.
    public func content(of token: String) async throws(AccessError) -> AccessTokens.Content {
        let now = now()
        if let content = try remembered(token, at: now) { return content }
        let content: AccessTokens.Content
        do throws(AccessTokens.Fault) {
            content = try await tokens.content(of: token, at: now)
        } catch {
            throw error == .expired ? AccessError.expired : .invalid
        }
        guard let session = try await going(content.session, by: token), session.person == content.person else {
            throw .invalid
        }
        remember(content, as: token, at: now)
        return content
    }

    private func content(ofCookie cookie: String) async throws(AccessError) -> AccessTokens.Content {
        let now = now()
        if let content = try remembered(cookie, at: now) { return content }
        guard let (id, number) = desk.session(ofCookie: cookie), let session = try await going(id, by: cookie),
            session.accepts(token: number)
        else { throw .invalid }
        guard !session.isOver(at: now) else { throw .expired }
        let content = AccessTokens.Content(
            person: session.person, session: id, expiry: session.end.map { $0.microseconds / 1_000_000 } ?? .max)
        remember(content, as: cookie, at: now)
        return content
    }

    /// The session as the store has it now. A store that does not answer lets nobody in.
    private func going(_ id: ID<AccountSession>, by text: String) async throws(AccessError) -> AccountSession? {
        let found: AccountSession?
        do {
            found = try await session(id)
        } catch {
            throw .unavailable
        }
        if found == nil { known.withLock { _ = $0.removeValue(forKey: text) } }
        return found
    }

    private func remembered(_ text: String, at now: Instant) throws(AccessError) -> AccessTokens.Content? {
        guard let known = known.withLock({ $0[text] }), now < known.checked + Self.memory else { return nil }
        guard now.microseconds / 1_000_000 < known.content.expiry else { throw .expired }
        return known.content
    }

    private func remember(_ content: AccessTokens.Content, as text: String, at now: Instant) {
        known.withLock { known in
            if known.count >= Self.mostTokens { known = [:] }
            known[text] = Known(content: content, checked: now)
        }
    }

    // MARK: Guardians

    /// What a person may do for an athlete; an end of it is noticed within a second.
    public func right(of guardian: ID<Person>, for athlete: ID<Person>) async throws(AccessError) -> ActingRight? {
        if let right = knownRight(of: guardian, for: athlete) { return right }
        let (pair, now) = (Pair(guardian: guardian, athlete: athlete), now())
        let found: ActingRight?
        do {
            found = try await right(guardian, athlete)
        } catch {
            throw .unavailable
        }
        rights.withLock { rights in
            if rights.count >= Self.mostTokens { rights = [:] }
            rights[pair] = found.map { KnownRight(right: $0, checked: now) }
        }
        return found
    }

    /// The same right, where it was found within the last second.
    public func knownRight(of guardian: ID<Person>, for athlete: ID<Person>) -> ActingRight? {
        let known = rights.withLock { $0[Pair(guardian: guardian, athlete: athlete)] }
        guard let known, now() < known.checked + Self.memory else { return nil }
        return known.right
    }
}
