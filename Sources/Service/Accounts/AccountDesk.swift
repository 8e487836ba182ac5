public import Access
public import Documents
internal import Linux
public import Media

/// What persons do with their accounts: sign up, sign in, refresh, sign out, change the password.
///
/// Calls block. Those that take a password compute Argon2id, so the caller bounds how many of them run at once.
public final class AccountDesk: Sendable {
    /// Keeps what the desk decides.
    public let store: any AccountStore
    private let rule: PasswordRule
    private let tokens: SessionTokens
    private let cookies: SessionTokens
    private let now: @Sendable () -> Instant
    /// A digest of no password, so that a sign-in takes the same time for unknown addresses.
    private let nobody: PasswordHash
    private let byAddress = FailureMeter(freeCount: 5)
    private let byClient = FailureMeter(freeCount: 50)

    /// What a person gets by signing in.
    public struct Grant: Sendable {
        /// Who signed in.
        public let account: Account
        /// The session that tokens name.
        public let session: AccountSession
        /// The token by which the session goes on.
        public let refreshToken: String
        /// The value of the cookie by which a browser's session goes on.
        public let cookie: String
    }

    /// How old a cookie gets before the browser is given its successor.
    public static let cookieTime = Duration.seconds(3600)

    /// A desk over a store.
    ///
    /// - Parameters:
    ///   - secrets: the same in every process over the store.
    ///   - now: the clock; the machine's where it is `nil`.
    public init(
        _ store: any AccountStore, secrets: Secrets, rule: PasswordRule = PasswordRule(),
        now: (@Sendable () -> Instant)? = nil
    ) throws(AccountError) {
        self.store = store
        self.rule = rule
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
        tokens = SessionTokens(for: .refresh, secrets)
        cookies = SessionTokens(for: .cookie, secrets)
        nobody = try PasswordHash(of: "")
    }

    /// Makes an account.
    ///
    /// - Throws: `badAddress`, `badPassword`, `taken`.
    public func signUp(_ address: String, _ password: String, metadata: JSON = .object([])) throws(AccountError)
        -> Account
    {
        guard let address = MailAddress(address) else { throw .badAddress }
        try rule.check(password)
        let now = now()
        let account = Account(
            id: .make(at: now), address: address, metadata: metadata, isDisabled: false, created: now, updated: now)
        try store.addAccount(account, PasswordHash(of: password))
        return account
    }

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - client: the address that the request comes from.
    ///   - program: what the session's list calls the program that signs in.
    ///   - inBrowser: whether the session lives by a cookie, and ends by itself.
    /// - Throws: `badCredentials`, in the same time whether the address or the password is wrong; `tooManyAttempts`.
    public func signIn(
        _ address: String, _ password: String, client: String, program: String = "", inBrowser: Bool = false
    ) throws(AccountError) -> Grant {
        let known = MailAddress(address)
        let (account, hash) = try attempt(known?.text ?? "", client, password) { () throws(AccountError) in
            guard let known else { return nil }
            return try store.account(at: known)
        }
        let session = AccountSession(of: account.id, at: now(), program: program, inBrowser: inBrowser)
        try store.addSession(session, hash: hash)
        return grant(account, session)
    }

    /// The account that a name and a password open, after one attempt that counts.
    private func attempt(
        _ name: String, _ client: String, _ password: String,
        find: () throws(AccountError) -> (account: Account, hash: PasswordHash)?
    ) throws(AccountError) -> (account: Account, hash: PasswordHash) {
        let moment = Time.monotonic
        let waits = [byAddress.wait(for: name, at: moment), byClient.wait(for: client, at: moment)]
        if let wait = waits.compactMap({ $0 }).max() { throw .tooManyAttempts(retryAfter: wait) }
        let found = try find()
        let isLong = password.utf8.count > PasswordRule.mostByteCount
        let matches = (found?.hash ?? nobody).matches(isLong ? "" : password)
        guard let found, matches, !isLong, !found.account.isDisabled else {
            byAddress.fail(name, at: moment)
            byClient.fail(client, at: moment)
            throw .badCredentials
        }
        byAddress.succeed(name)
        guard found.hash.isOutdated else { return found }
        let renewed = try PasswordHash(of: password)
        try store.renewHash(of: found.account.id, from: found.hash, to: renewed)
        return (found.account, renewed)
    }

    /// Goes on with a session.
    ///
    /// - Throws: `unknownToken`, `reusedToken`.
    public func refresh(_ token: String) throws(AccountError) -> Grant {
        guard let (id, number) = tokens.parts(of: token) else { throw .unknownToken }
        let (session, account) = try store.useToken(number, of: id, at: now())
        return grant(account, session)
    }

    /// Goes on with a browser's session: the same cookie while it is young, then its successor.
    ///
    /// - Throws: `unknownToken`; `reusedToken` where an old cookie came back, and the session has ended.
    public func goOn(withCookie text: String) throws(AccountError) -> Grant {
        let now = now()
        guard let (id, number) = cookies.parts(of: text), let session = try store.session(id),
            !session.isOver(at: now)
        else { throw .unknownToken }
        if number == session.token, now < session.replaced + Self.cookieTime {
            return grant(try account(session.person), session)
        }
        let (renewed, account) = try store.useToken(number, of: id, at: now)
        return grant(account, renewed)
    }

    /// The session that a cookie names, and the cookie's number; `nil` for a text that the service did not make.
    func session(ofCookie text: String) -> (id: ID<AccountSession>, number: Int64)? {
        cookies.parts(of: text).map { ($0.session, $0.number) }
    }

    /// A person's sessions that go on, the newest first.
    public func sessions(of person: ID<Person>) throws(AccountError) -> [AccountSession] {
        let now = now()
        return try store.sessions(of: person).filter { !$0.isOver(at: now) }
    }

    /// What a person gets who has a session.
    public func grant(_ account: Account, _ session: AccountSession) -> Grant {
        Grant(
            account: account, session: session, refreshToken: tokens.text(of: session.id, session.token),
            cookie: cookies.text(of: session.id, session.token))
    }

    /// The account of a person who has signed in.
    ///
    /// - Throws: `notFound`.
    public func account(_ id: ID<Person>) throws(AccountError) -> Account {
        guard let found = try store.account(id) else { throw .notFound }
        return found.account
    }

    /// Replaces the password by somebody who knows the present one, and ends all other sessions. Wrong passwords count as failed
    /// sign-ins.
    ///
    /// - Throws: `badCredentials`, `tooManyAttempts`, `badPassword`, `samePassword`, `notFound`.
    public func changePassword(
        of id: ID<Person>, from present: String, to password: String, keeping session: ID<AccountSession>?,
        client: String
    ) throws(AccountError) {
        try rule.check(password)
        let address = try account(id).address.text
        _ = try attempt(address, client, present) { () throws(AccountError) in try store.account(id) }
        try changePassword(of: id, to: password, keeping: session)
    }

    /// Replaces the password and ends all other sessions.
    ///
    /// - Throws: `badPassword`, `samePassword`, `notFound`.
    public func changePassword(
        of id: ID<Person>, to password: String, keeping session: ID<AccountSession>?
    ) throws(AccountError) {
        try rule.check(password)
        guard let found = try store.account(id) else { throw .notFound }
        guard !found.hash.matches(password) else { throw .samePassword }
        try store.changePassword(of: id, to: PasswordHash(of: password), keeping: session)
    }

    /// Replaces the password by the operator's will, and ends all sessions.
    ///
    /// - Throws: `badPassword`, `notFound`.
    public func resetPassword(of id: ID<Person>, to password: String) throws(AccountError) {
        try rule.check(password)
        try store.changePassword(of: id, to: PasswordHash(of: password), keeping: nil)
    }

    /// Merges members into the metadata; `null` removes one.
    public func changeMetadata(of id: ID<Person>, by changes: [JSON.Member]) throws(AccountError) -> Account {
        var account = try self.account(id)
        let names = Set(changes.map(\.key))
        let kept = (account.metadata.members ?? []).filter { !names.contains($0.key) }
        account.metadata = .object(kept + changes.filter { $0.value != .null })
        account.updated = now()
        try store.changeMetadata(of: id, to: account.metadata, at: account.updated)
        return account
    }
}
