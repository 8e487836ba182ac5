/// Decides who a request comes from: the one place that does.
public protocol Identifying: Sendable {
    /// The caller with these credentials.
    ///
    /// - Throws: why nobody is known by them.
    func caller(with credentials: Credentials) async throws(AccessError) -> Caller

    /// The same caller where that is known without waiting: called on event loops.
    func knownCaller(with credentials: Credentials) -> Caller?
}

extension Identifying {
    /// Nobody is known without waiting.
    public func knownCaller(with credentials: Credentials) -> Caller? { nil }
}

/// What a request brings to say who it comes from.
public struct Credentials: Hashable, Sendable {
    /// The text behind `Bearer` in `Authorization`.
    public var bearer: String?
    /// The header `apikey`.
    public var key: String?
    /// The value of a browser's session cookie; where there is a bearer's text too, that one counts.
    public var cookie: String?

    /// Credentials as a request has them.
    public init(bearer: String? = nil, key: String? = nil, cookie: String? = nil) {
        self.bearer = bearer
        self.key = key
        self.cookie = cookie
    }
}

/// Why a request is refused.
public enum AccessError: Error, Hashable, Sendable {
    /// Nobody is signed in.
    case unauthenticated
    /// The credentials were good once.
    case expired
    /// The credentials are wrong: changed, not signed, of another service, or revoked.
    case invalid
    /// A browser sends the cookie for a page of another site, or cannot say that it does not.
    case foreignSite
    /// The browser's person is not the one whom its page was opened for.
    case otherPerson
    /// The caller makes more requests than they may.
    case tooManyRequests(retryAfter: Duration)
    /// Who it is cannot be found out now.
    case unavailable
}

/// One local person, whoever asks: for a service that listens on loopback alone.
public struct LocalPerson: Identifying {
    /// A service without accounts.
    public init() {}

    /// The local person, whatever the credentials are.
    public func caller(with credentials: Credentials) -> Caller { .local }

    /// The same person, without waiting.
    public func knownCaller(with credentials: Credentials) -> Caller? { .local }
}
