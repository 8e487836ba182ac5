public import Documents
public import Media

/// Keeps accounts and sessions. Each call is one transaction.
public protocol AccountStore: Sendable {
    /// Adds an account.
    ///
    /// - Throws: `taken` where another account has the address.
    func addAccount(_ account: Account, _ hash: PasswordHash) throws(AccountError)
    /// The account with an address, and its password's digest.
    func account(at address: MailAddress) throws(AccountError) -> (account: Account, hash: PasswordHash)?
    /// A person's account, and its password's digest.
    func account(_ id: ID<Person>) throws(AccountError) -> (account: Account, hash: PasswordHash)?
    /// All accounts, by address.
    func accounts() throws(AccountError) -> [Account]
    /// Replaces what the person's client keeps beside the account.
    func changeMetadata(of id: ID<Person>, to metadata: JSON, at now: Instant) throws(AccountError)
    /// Keeps a person from signing in, and ends their sessions; or lets them in again.
    func setDisabled(_ isDisabled: Bool, for id: ID<Person>) throws(AccountError)
    /// Removes an account and its sessions.
    func removeAccount(_ id: ID<Person>) throws(AccountError)
    /// Replaces the password's digest, and ends the person's sessions but one.
    func changePassword(of id: ID<Person>, to hash: PasswordHash, keeping session: ID<AccountSession>?)
        throws(AccountError)
    /// Replaces the password's digest if it is the stored one still, confirms the address, and ends all sessions.
    ///
    /// - Returns: whether it was; `false` also where the account is gone or disabled by now.
    func resetPassword(of id: ID<Person>, from old: PasswordHash, to new: PasswordHash, at now: Instant)
        throws(AccountError) -> Bool
    /// Notes that an account's address is its person's, unless that is known.
    func confirm(_ id: ID<Person>, at now: Instant) throws(AccountError)
    /// Replaces a digest by another of the same password, if it is the stored one still.
    func renewHash(of id: ID<Person>, from old: PasswordHash, to new: PasswordHash) throws(AccountError)
    /// Adds a session, and removes those of the person that are over by themselves.
    ///
    /// - Throws: `badCredentials` where the account is gone or disabled by now, or its password has changed from `hash`.
    func addSession(_ session: AccountSession, hash: PasswordHash) throws(AccountError)
    /// A person's sessions, the newest first.
    func sessions(of person: ID<Person>) throws(AccountError) -> [AccountSession]
    /// A session that nobody has ended, of an account that is not disabled; it may be over by itself.
    func session(_ id: ID<AccountSession>) throws(AccountError) -> AccountSession?
    /// Uses a refresh token. Of calls at the same time one replaces the token.
    ///
    /// - Throws: `unknownToken`; `reusedToken`, and the session has ended.
    func useToken(_ number: Int64, of session: ID<AccountSession>, at now: Instant) throws(AccountError)
        -> (session: AccountSession, account: Account)
    /// Ends a person's sessions: one, all, or all but one.
    func endSessions(of person: ID<Person>, _ scope: SessionScope) throws(AccountError)
}

/// Which sessions of a person end.
public enum SessionScope: Hashable, Sendable {
    /// On all of the person's devices.
    case all
    /// One alone.
    case only(ID<AccountSession>)
    /// Every one but this.
    case others(than: ID<AccountSession>)
}
