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
    ///
    /// - Throws: `notFound`; `beingRemoved` where nobody is to be let in again.
    func setDisabled(_ isDisabled: Bool, for id: ID<Person>) throws(AccountError)
    /// Disables an account for good, and ends its sessions: everything that is the person's is to be removed.
    ///
    /// - Throws: `notFound`.
    func requestRemoval(of id: ID<Person>, at now: Instant) throws(AccountError)
    /// The persons whose removal was requested before a moment, the oldest request first.
    func requestedRemovals(before moment: Instant) throws(AccountError) -> [ID<Person>]
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
    /// Adds an account that no password opens.
    ///
    /// - Throws: `taken` where another account has the address, `identityTaken` where one has the identity.
    func addAccount(_ account: Account, signingInBy identity: AccountIdentity) throws(AccountError)
    /// The way to sign in that an issuer's subject is.
    func identity(_ subject: String, of issuer: String) throws(AccountError) -> AccountIdentity?
    /// A person's ways to sign in elsewhere, the oldest first.
    func identities(of person: ID<Person>) throws(AccountError) -> [AccountIdentity]
    /// Adds a way to sign in.
    ///
    /// - Throws: `identityTaken` where an account has it, `notFound` where the person's is gone.
    func addIdentity(_ identity: AccountIdentity) throws(AccountError)
    /// Writes provider and address of a way to sign in.
    func changeIdentity(_ identity: AccountIdentity) throws(AccountError)
    /// Removes a way to sign in.
    ///
    /// - Throws: `notFound`; `lastWay` where the account has no password and no other.
    func removeIdentity(_ id: ID<AccountIdentity>, of person: ID<Person>) throws(AccountError)
    /// As `addSession(_:hash:)`, for who signs in elsewhere.
    ///
    /// - Throws: `badCredentials` where the account is gone or disabled by now, or the identity is not its any more.
    func addSession(_ session: AccountSession, identity: ID<AccountIdentity>) throws(AccountError)
    /// Keeps a ticket until it is taken, or has ended long ago.
    ///
    /// - Throws: `tooManyAttempts` where as many are kept as may.
    func addTicket(_ ticket: AccountTicket, at now: Instant) throws(AccountError)
    /// Takes a ticket away. Of calls at the same time one gets it.
    func takeTicket(_ name: String) throws(AccountError) -> AccountTicket?
    /// A person's sessions, the newest first.
    func sessions(of person: ID<Person>) throws(AccountError) -> [AccountSession]
    /// A session that nobody has ended, of an account that is not disabled; it may be over by itself.
    func session(_ id: ID<AccountSession>) throws(AccountError) -> AccountSession?
    /// Uses a refresh token. Of calls at the same time one replaces the token.
    ///
    /// - Throws: `unknownToken`; `reusedToken`, and the session has ended.
    func useToken(_ number: Int64, of session: ID<AccountSession>, at now: Instant) throws(AccountError)
        -> (session: AccountSession, account: Account)
    /// Adds an invitation, in place of an older one of the athlete's to the same address.
    ///
    /// - Throws: `tooManyGuardians`; `notFound` where the athlete's account is gone.
    func addGuardianship(_ guardianship: Guardianship) throws(AccountError)
    /// An invitation, or what became of it.
    func guardianship(_ id: ID<Guardianship>) throws(AccountError) -> Guardianship?
    /// Deletes invitations that are too old to be taken, and tickets that have ended long ago. A few rows at a time; no account's change waits
    /// for it.
    func removeExpiredRows(at now: Instant) throws(AccountError)
    /// Everything that an athlete has granted, the newest first.
    func guardianships(of athlete: ID<Person>) throws(AccountError) -> [Guardianship]
    /// Everything that is granted to a person.
    func guardianships(by guardian: ID<Person>) throws(AccountError) -> [Guardianship]
    /// Makes a person the guardian, in place of what the athlete granted them before.
    ///
    /// - Returns: `false` where somebody has taken the invitation, or it is gone.
    func acceptGuardianship(_ id: ID<Guardianship>, by guardian: ID<Person>, at now: Instant) throws(AccountError)
        -> Bool
    /// Removes what an athlete granted, at the wish of the athlete or the guardian; `false` where there is no such thing.
    func endGuardianship(_ id: ID<Guardianship>, by person: ID<Person>) throws(AccountError) -> Bool
    /// What a person may do for an athlete, or for themselves; `nil` if they do not act for them, or an account is disabled.
    ///
    /// Inside a change of the documents' store it is read in that transaction, and stays so until its end.
    func standing(of guardian: ID<Person>, for athlete: ID<Person>) throws(AccountError) -> Standing?
    /// Ends a person's sessions: one, all, or all but one. The last two raise the person's epoch, which ends the addresses that they have
    /// signed.
    func endSessions(of person: ID<Person>, _ scope: SessionScope) throws(AccountError)
}

extension AccountStore {
    /// The right of `standing`.
    public func right(of guardian: ID<Person>, for athlete: ID<Person>) throws(AccountError) -> ActingRight? {
        try standing(of: guardian, for: athlete)?.right
    }
}

/// What somebody has begun by one request and ends by another, which any process may get.
public struct AccountTicket: Hashable, Sendable {
    /// A digest of what the other request has to bring, so that the store has nothing that opens anything.
    public let name: String
    /// What was begun.
    public let content: JSON
    /// From when it is worth nothing.
    public let end: Instant

    /// A ticket of these parts.
    public init(name: String, content: JSON, end: Instant) {
        self.name = name
        self.content = content
        self.end = end
    }
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
