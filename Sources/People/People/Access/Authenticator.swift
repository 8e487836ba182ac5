public import Media

/// Decides who a request comes from: the only place that does.
public protocol Authenticator: Sendable {
    /// The caller with these credentials.
    ///
    /// - Throws: why the credentials identify nobody.
    func caller(with credentials: Credentials) async throws(AccessError) -> Caller

    /// The same caller, if known without waiting: called on event loops.
    func knownCaller(with credentials: Credentials) -> Caller?

    /// What a person may do for another one, or for themselves, at most one second out of date; `nil` if they do not
    /// act for them, or may not sign in.
    func standing(of guardian: ID<Person>, for owner: ID<Person>) async throws(AccessError) -> Standing?

    /// The same if it is known without waiting.
    func knownStanding(of guardian: ID<Person>, for owner: ID<Person>) -> Standing?

    /// The same, as of now. It blocks. Inside a change of the documents' store it is part of that transaction.
    func currentStanding(of guardian: ID<Person>, for owner: ID<Person>) throws(AccessError) -> Standing?

    /// Whether the sign-in by which a caller is known has not ended. It blocks. Inside a change of the documents' store
    /// it is read in that transaction.
    func isSignedIn(_ caller: Caller) throws(AccessError) -> Bool
}

extension Authenticator {
    /// Nobody is known without waiting.
    public func knownCaller(with credentials: Credentials) -> Caller? { nil }

    /// Nobody acts for another person.
    public func standing(of guardian: ID<Person>, for owner: ID<Person>) async throws(AccessError) -> Standing? {
        try currentStanding(of: guardian, for: owner)
    }

    /// Nothing is known without waiting.
    public func knownStanding(of guardian: ID<Person>, for owner: ID<Person>) -> Standing? { nil }

    /// Nobody acts for another person.
    public func currentStanding(of guardian: ID<Person>, for owner: ID<Person>) throws(AccessError) -> Standing? {
        guardian == owner ? Standing(right: .manage) : nil
    }

    /// Credentials are valid until they expire.
    public func isSignedIn(_ caller: Caller) throws(AccessError) -> Bool { true }

    /// What a person may do for another one, or for themselves; `nil` if nothing.
    public func right(of guardian: ID<Person>, for owner: ID<Person>) async throws(AccessError) -> ActingRight? {
        try await standing(of: guardian, for: owner)?.right
    }

    /// The same right if it is known without waiting.
    public func knownRight(of guardian: ID<Person>, for owner: ID<Person>) -> ActingRight? {
        knownStanding(of: guardian, for: owner)?.right
    }

    /// The caller with these credentials, acting for the person whom the credentials name.
    ///
    /// - Throws: why the credentials identify nobody; `notActing` if the caller does not act for the person, or there
    ///   is none.
    public func actingCaller(with credentials: Credentials) async throws(AccessError) -> Caller {
        let caller = try await caller(with: credentials)
        guard let name = credentials.owner(otherThan: caller) else { return caller }
        guard let owner = ID<Person>(name), let right = try await right(of: caller.actor, for: owner) else {
            throw .notActing
        }
        return Caller(owner: owner, actor: caller.actor, right: right, session: caller.session)
    }

    /// Requires that a person may still see an owner's things, or change them: for long operations, and for signed
    /// addresses.
    ///
    /// - Throws: `notActing` or `viewOnly` for a caller who acts for another person; `invalid` for a person who may no
    ///   longer sign in.
    public func requireRight(of caller: Caller, toChange isChange: Bool) async throws(AccessError) {
        guard caller.role == .person else { return }
        guard let right = try await right(of: caller.actor, for: caller.owner) else {
            throw caller.refusal
        }
        if isChange, right == .view { throw .viewOnly }
    }

    /// The same caller, if all of it is known without waiting.
    public func knownActingCaller(with credentials: Credentials) -> Caller? {
        guard let caller = knownCaller(with: credentials) else { return nil }
        guard let name = credentials.owner(otherThan: caller) else { return caller }
        guard let owner = ID<Person>(name), let right = knownRight(of: caller.actor, for: owner) else { return nil }
        return Caller(owner: owner, actor: caller.actor, right: right, session: caller.session)
    }
}

extension Credentials {
    /// The person for whom a caller wants to act, if it is another one.
    fileprivate func owner(otherThan caller: Caller) -> String? {
        guard caller.role == .person, let owner, owner != caller.owner.text else { return nil }
        return owner
    }
}

/// What a request carries to say who it comes from.
public struct Credentials: Hashable, Sendable {
    /// The text after `Bearer` in `Authorization`.
    public var bearer: String?
    /// The header `apikey`.
    public var key: String?
    /// The value of a browser's session cookie; a bearer's text takes precedence.
    public var cookie: String?
    /// The ID of the person for whom the caller wants to act; `nil` for themselves.
    public var owner: String?

    /// Credentials from a request.
    public init(bearer: String? = nil, key: String? = nil, cookie: String? = nil, owner: String? = nil) {
        self.bearer = bearer
        self.key = key
        self.cookie = cookie
        self.owner = owner
    }
}

/// Why a request is refused.
public enum AccessError: Error, Hashable, Sendable {
    /// Nobody is signed in.
    case unauthenticated
    /// The credentials were valid once.
    case expired
    /// The credentials are wrong: modified, unsigned, of another service, or revoked.
    case invalid
    /// A browser sends the cookie for a page of another site, or cannot say that it does not.
    case foreignSite
    /// The browser's person is not the one for whom its page was opened.
    case otherPerson
    /// The caller does not act for the person whom the request names, or no longer does.
    case notActing
    /// The caller may view the things of the person for whom they act, but not change them.
    case viewOnly
    /// The route is about the caller's own account, but they act for somebody else.
    case ownAccountOnly
    /// The caller makes more requests than they may.
    case tooManyRequests(retryAfter: Duration)
    /// All callers, or all visitors, together have reached their limit.
    case busy(retryAfter: Duration)
    /// The caller cannot be identified now.
    case unavailable
}

extension AccessError {
    /// The message for somebody who acts, or wants to act, for another person; `nil` for errors of other kinds.
    public var actingMessage: String? {
        switch self {
        case .notActing: "You do not have access to this person's documents, or no longer have it."
        case .viewOnly: "You can view this person's documents, but not change them."
        case .ownAccountOnly: "Only the person themselves can do this."
        default: nil
        }
    }
}

/// One local person for every request: for a service that listens only on loopback.
public struct LocalPerson: Authenticator {
    /// A service without accounts.
    public init() {}

    /// The local person, whatever the credentials are.
    public func caller(with credentials: Credentials) -> Caller { .local }

    /// The same person, without waiting.
    public func knownCaller(with credentials: Credentials) -> Caller? { .local }
}
