internal import Linux
public import Media
internal import Synchronization

/// Identifies persons by their access tokens, and browsers by their cookies. It notices ended sessions within a second.
public final class AccountAuthenticator: Authenticator {
    /// Reads a session that has not ended, on a thread that may block.
    public typealias SessionCheck = @Sendable (ID<AccountSession>) async throws -> AccountSession?

    /// Reads what one person may do for another, on a thread that may block.
    public typealias StandingCheck = @Sendable (_ guardian: ID<Person>, _ athlete: ID<Person>) async throws -> Standing?

    private let tokens: AccessTokens
    private let desk: AccountDesk
    private let session: SessionCheck
    private let standing: StandingCheck
    private let now: @Sendable () -> Instant
    /// The clock by which cached answers age: a wall clock can be set back.
    private let clock: @Sendable () -> Duration
    private let known = Mutex<[Credential: Known]>([:])
    private let standings = Mutex<[Pair: KnownStanding]>([:])

    /// How long an answer of the store is valid.
    private static let memory = Duration.seconds(1)
    private static let mostTokens = 10_000

    /// A text and where it was sent: an answer about one kind says nothing about the other.
    private enum Credential: Hashable {
        case token(String)
        case cookie(String)

        /// A bearer's token takes precedence over a cookie.
        init?(_ credentials: Credentials) {
            if let token = credentials.bearer {
                self = .token(token)
            } else if let cookie = credentials.cookie {
                self = .cookie(cookie)
            } else {
                return nil
            }
        }
    }

    private struct Known {
        let content: AccessTokens.Content
        let checked: Duration
    }

    private struct Pair: Hashable {
        let guardian: ID<Person>
        let athlete: ID<Person>
    }

    private struct KnownStanding {
        let standing: Standing
        let checked: Duration
    }

    /// - Parameters:
    ///   - now: the clock by which tokens and sessions end; `nil` for the machine's.
    ///   - clock: monotonic; `nil` for the machine's.
    ///   - session: such as the store's `session`.
    ///   - standing: such as the store's `standing`.
    public init(
        _ tokens: AccessTokens, _ desk: AccountDesk, now: (@Sendable () -> Instant)? = nil,
        clock: (@Sendable () -> Duration)? = nil, session: @escaping SessionCheck, standing: @escaping StandingCheck
    ) {
        self.tokens = tokens
        self.desk = desk
        self.session = session
        self.standing = standing
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
        self.clock = clock ?? { Time.monotonic }
    }

    /// The person who has the bearer's access token, or whose browser sends the cookie.
    public func caller(with credentials: Credentials) async throws(AccessError) -> Caller {
        try await content(of: credentials).caller
    }

    /// The same person, if the session was found within the last second.
    public func knownCaller(with credentials: Credentials) -> Caller? {
        guard let credential = Credential(credentials), let content = try? remembered(credential, at: now()) else {
            return nil
        }
        return content.caller
    }

    /// The content of a token or a cookie whose session has not ended.
    public func content(of credentials: Credentials) async throws(AccessError) -> AccessTokens.Content {
        guard let credential = Credential(credentials) else { throw .unauthenticated }
        return try await content(of: credential)
    }

    /// The content of an access token whose session has not ended.
    public func content(of token: String) async throws(AccessError) -> AccessTokens.Content {
        try await content(of: .token(token))
    }

    private func content(of credential: Credential) async throws(AccessError) -> AccessTokens.Content {
        let (now, moment) = (now(), clock())
        if let content = try remembered(credential, at: now) { return content }
        let content =
            switch credential {
            case .token(let token): try await content(ofToken: token, at: now)
            case .cookie(let cookie): try await content(ofCookie: cookie, at: now)
            }
        guard let content else {
            known.withLock { _ = $0.removeValue(forKey: credential) }
            throw .invalid
        }
        remember(content, as: credential, at: moment)
        return content
    }

    /// - Returns: `nil` for a token whose session has ended.
    private func content(ofToken token: String, at now: Instant) async throws(AccessError) -> AccessTokens.Content? {
        let content: AccessTokens.Content
        do throws(AccessTokens.Fault) {
            content = try await tokens.content(of: token, at: now)
        } catch {
            throw error == .expired ? AccessError.expired : .invalid
        }
        guard let session = try await going(content.session), session.person == content.person else { return nil }
        return content
    }

    /// - Returns: `nil` for a cookie whose session has ended.
    private func content(ofCookie cookie: String, at now: Instant) async throws(AccessError) -> AccessTokens.Content? {
        guard let (id, number) = desk.session(ofCookie: cookie), let session = try await going(id),
            session.accepts(token: number)
        else { return nil }
        guard !session.isOver(at: now) else { throw .expired }
        return AccessTokens.Content(
            person: session.person, session: id, expiry: session.end.map { $0.microseconds / 1_000_000 } ?? .max)
    }

    /// The session as the store has it now. If the store does not answer, nobody is let in.
    private func going(_ id: ID<AccountSession>) async throws(AccessError) -> AccountSession? {
        do {
            return try await session(id)
        } catch {
            throw .unavailable
        }
    }

    private func remembered(_ credential: Credential, at now: Instant) throws(AccessError) -> AccessTokens.Content? {
        guard let known = known.withLock({ $0[credential] }), isFresh(known.checked) else { return nil }
        guard now.microseconds / 1_000_000 < known.content.expiry else { throw .expired }
        return known.content
    }

    private func remember(_ content: AccessTokens.Content, as credential: Credential, at moment: Duration) {
        known.withLock { known in
            if known.count >= Self.mostTokens { known = [:] }
            known[credential] = Known(content: content, checked: moment)
        }
    }

    private func isFresh(_ checked: Duration) -> Bool { clock() < checked + Self.memory }

    /// Reads the session from the store.
    public func isSignedIn(_ caller: Caller) throws(AccessError) -> Bool {
        guard let id = caller.session.flatMap({ ID<AccountSession>($0) }) else { return true }
        do throws(AccountError) {
            return try desk.store.session(id)?.person == caller.actor
        } catch {
            throw .unavailable
        }
    }

    // MARK: Guardians

    /// What a person may do for an athlete, or for themselves; an end is noticed within a second.
    public func standing(of guardian: ID<Person>, for athlete: ID<Person>) async throws(AccessError) -> Standing? {
        if let standing = knownStanding(of: guardian, for: athlete) { return standing }
        let moment = clock()
        let found: Standing?
        do {
            found = try await standing(guardian, athlete)
        } catch {
            throw .unavailable
        }
        remember(found, of: Pair(guardian: guardian, athlete: athlete), at: moment)
        return found
    }

    /// The same, if it was found within the last second.
    public func knownStanding(of guardian: ID<Person>, for athlete: ID<Person>) -> Standing? {
        let known = standings.withLock { $0[Pair(guardian: guardian, athlete: athlete)] }
        guard let known, isFresh(known.checked) else { return nil }
        return known.standing
    }

    /// The same, as the store has it now.
    public func currentStanding(of guardian: ID<Person>, for athlete: ID<Person>) throws(AccessError) -> Standing? {
        let moment = clock()
        let found: Standing?
        do throws(AccountError) {
            found = try desk.store.standing(of: guardian, for: athlete)
        } catch {
            throw .unavailable
        }
        remember(found, of: Pair(guardian: guardian, athlete: athlete), at: moment)
        return found
    }

    private func remember(_ standing: Standing?, of pair: Pair, at moment: Duration) {
        standings.withLock { standings in
            if standings.count >= Self.mostTokens { standings = [:] }
            standings[pair] = standing.map { KnownStanding(standing: $0, checked: moment) }
        }
    }
}

extension AccessTokens.Content {
    fileprivate var caller: Caller { Caller(owner: person, session: session.text) }
}
