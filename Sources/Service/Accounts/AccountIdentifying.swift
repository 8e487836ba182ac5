public import Access
public import Documents
internal import Linux
internal import Synchronization

/// Knows persons by their access tokens. Sessions that have ended are noticed within a second.
public final class AccountIdentifying: Identifying {
    /// Reads whether a session goes on, on a thread that may block.
    public typealias SessionCheck = @Sendable (ID<AccountSession>) async throws -> AccountSession?

    private let tokens: AccessTokens
    private let session: SessionCheck
    private let now: @Sendable () -> Instant
    private let known = Mutex<[String: Known]>([:])

    /// How long an answer of the store counts.
    private static let memory = Duration.seconds(1)
    private static let mostTokens = 10_000

    private struct Known {
        let content: AccessTokens.Content
        let checked: Instant
    }

    /// - Parameter session: such as the store's `session`.
    public init(
        _ tokens: AccessTokens, now: (@Sendable () -> Instant)? = nil, session: @escaping SessionCheck
    ) {
        self.tokens = tokens
        self.session = session
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
    }

    /// The person whose access token is the bearer's.
    public func caller(with credentials: Credentials) async throws(AccessError) -> Caller {
        guard let token = credentials.bearer else { throw .unauthenticated }
        return Caller(owner: try await content(of: token).person)
    }

    /// The person whose session was found to go on within the last second.
    public func knownCaller(with credentials: Credentials) -> Caller? {
        let now = now()
        guard let content = credentials.bearer.flatMap({ remembered($0, at: now) }), !content.isExpired(at: now) else {
            return nil
        }
        return Caller(owner: content.person)
    }

    /// What a token says that was checked a short time ago; it may have expired since.
    private func remembered(_ token: String, at now: Instant) -> AccessTokens.Content? {
        guard let known = known.withLock({ $0[token] }), now < known.checked + Self.memory else { return nil }
        return known.content
    }

    /// What a token says whose session goes on.
    public func content(of token: String) async throws(AccessError) -> AccessTokens.Content {
        let now = now()
        if let content = remembered(token, at: now) {
            if content.isExpired(at: now) { throw .expired }
            return content
        }
        let content: AccessTokens.Content
        do throws(AccessTokens.Fault) {
            content = try await tokens.content(of: token, at: now)
        } catch {
            throw error == .expired ? AccessError.expired : .invalid
        }
        // A store that does not answer lets nobody in.
        guard let session = try? await self.session(content.session), session.person == content.person else {
            known.withLock { _ = $0.removeValue(forKey: token) }
            throw .invalid
        }
        known.withLock { known in
            if known.count >= Self.mostTokens { known = [:] }
            known[token] = Known(content: content, checked: now)
        }
        return content
    }
}

extension AccessTokens.Content {
    fileprivate func isExpired(at now: Instant) -> Bool { now.microseconds / 1_000_000 >= expiry }
}
