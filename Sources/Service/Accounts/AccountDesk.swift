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
    private let tokens: RefreshTokens
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
    }

    /// A desk over a store.
    ///
    /// - Parameters:
    ///   - secret: at least 32 bytes, the same in every process over the store.
    ///   - now: the clock; the machine's where it is `nil`.
    public init(
        _ store: any AccountStore, secret: [UInt8], rule: PasswordRule = PasswordRule(),
        now: (@Sendable () -> Instant)? = nil
    ) throws(AccountError) {
        self.store = store
        self.rule = rule
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
        tokens = RefreshTokens(secret: secret)
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
    /// - Parameter client: the address that the request comes from.
    /// - Throws: `badCredentials`, in the same time whether the address or the password is wrong; `tooManyAttempts`.
    public func signIn(_ address: String, _ password: String, client: String) throws(AccountError) -> Grant {
        let known = MailAddress(address)
        let (name, moment) = (known?.text ?? "", Time.monotonic)
        let waits = [byAddress.wait(for: name, at: moment), byClient.wait(for: client, at: moment)]
        if let wait = waits.compactMap({ $0 }).max() { throw .tooManyAttempts(retryAfter: wait) }
        var found: (account: Account, hash: PasswordHash)?
        if let known { found = try store.account(at: known) }
        let isLong = password.utf8.count > PasswordRule.mostByteCount
        let matches = (found?.hash ?? nobody).matches(isLong ? "" : password)
        guard let found, matches, !isLong, !found.account.isDisabled else {
            byAddress.fail(name, at: moment)
            byClient.fail(client, at: moment)
            throw .badCredentials
        }
        byAddress.succeed(name)
        var hash = found.hash
        if hash.isOutdated {
            let renewed = try PasswordHash(of: password)
            try store.renewHash(of: found.account.id, from: hash, to: renewed)
            hash = renewed
        }
        let session = AccountSession(of: found.account.id, at: now())
        try store.addSession(session, hash: hash)
        return grant(found.account, session)
    }

    /// Goes on with a session.
    ///
    /// - Throws: `unknownToken`, `reusedToken`.
    public func refresh(_ token: String) throws(AccountError) -> Grant {
        guard let (id, number) = tokens.parts(of: token) else { throw .unknownToken }
        let (session, account) = try store.useToken(number, of: id, at: now())
        return grant(account, session)
    }

    private func grant(_ account: Account, _ session: AccountSession) -> Grant {
        Grant(account: account, session: session, refreshToken: tokens.text(of: session.id, session.token))
    }

    /// The account of a person who has signed in.
    ///
    /// - Throws: `notFound`.
    public func account(_ id: ID<Person>) throws(AccountError) -> Account {
        guard let found = try store.account(id) else { throw .notFound }
        return found.account
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
