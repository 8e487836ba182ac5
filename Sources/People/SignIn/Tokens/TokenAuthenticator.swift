internal import Linux
public import Media
public import People
internal import Synchronization

/// Identifies persons by tokens that are issued elsewhere. A token is valid until its end: its issuer is not asked
/// whether a person is still signed in.
public final class TokenAuthenticator: Authenticator {
    private let keys: TokenKeys
    private let rule: TokenRule
    private let now: @Sendable () -> Instant
    private let report: @Sendable (TokenFault) -> Void
    private let checked = Mutex(CheckedTokens())

    /// - Parameters:
    ///   - now: the clock; `nil` for the machine's.
    ///   - report: called with the reason why a token was refused.
    public init(
        _ keys: TokenKeys, _ rule: TokenRule, now: (@Sendable () -> Instant)? = nil,
        report: @escaping @Sendable (TokenFault) -> Void = { _ in }
    ) {
        self.keys = keys
        self.rule = rule
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
        self.report = report
    }

    /// The person whom the bearer's token is about.
    public func caller(with credentials: Credentials) async throws(AccessError) -> Caller {
        guard let token = credentials.bearer else { throw .unauthenticated }
        if let caller = known(token) { return caller }
        do throws(TokenFault) {
            return Caller(owner: try await check(token))
        } catch {
            report(error)
            throw error.refusal
        }
    }

    /// The same person, if the token was checked before.
    public func knownCaller(with credentials: Credentials) -> Caller? { credentials.bearer.flatMap(known) }

    private func known(_ token: String) -> Caller? {
        guard token.utf8.count <= SignedToken.mostByteCount else { return nil }
        let name = CheckedTokens.name(of: token)
        guard let entry = checked.withLock({ $0.entry(name) }), entry.keys == keys.number,
            now().microseconds / 1_000_000 < entry.end
        else { return nil }
        return Caller(owner: entry.person)
    }

    private func check(_ text: String) async throws(TokenFault) -> ID<Person> {
        let token = try SignedToken(text)
        let number = keys.number
        guard try await keys.candidates(for: token).contains(where: { $0.hasSigned(token) }) else { throw .signature }
        let (person, end) = try rule.person(in: token.claims, at: now())
        let name = CheckedTokens.name(of: text)
        checked.withLock { $0.keep(CheckedTokens.Entry(person: person, end: end, keys: number), as: name) }
        return person
    }
}
