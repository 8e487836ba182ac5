internal import Linux
public import Media

/// What persons do with their accounts: sign up, sign in, refresh, sign out, change the password.
///
/// Calls block. Calls that take a password compute Argon2id, so the caller limits how many of them run at once.
public final class AccountDesk: Sendable {
    /// Keeps the accounts and sessions.
    public let store: AccountStore
    /// Sends letters; `nil` if addresses need no confirmation, and the operator resets passwords.
    let post: (any AccountPost)?
    let rule: PasswordRule
    private let tokens: KeyedTokens<AccountSession>
    private let cookies: KeyedTokens<AccountSession>
    let resets: KeyedTokens<Person>
    let confirmations: KeyedTokens<Person>
    let invitations: KeyedTokens<Guardianship>
    let now: @Sendable () -> Instant
    /// A digest of no password, so that a sign-in takes equally long for unknown addresses.
    private let nobody: PasswordHash
    private let byAddress = FailureMeter(freeCount: 5)
    private let byClient = FailureMeter(freeCount: 50)
    let letters = LetterMeter()

    /// What a person gets by signing in.
    public struct Grant: Sendable {
        /// Who signed in.
        public let account: Account
        /// The session that tokens name.
        public let session: AccountSession
        /// The token that continues the session.
        public let refreshToken: String
        /// The value of the cookie that continues a browser's session.
        public let cookie: String
    }

    /// The result of a sign-up.
    public struct SignUp: Sendable {
        /// The account; if `isNew` is false, one that looks real but is not stored.
        public let account: Account
        /// Whether no account had the address.
        public let isNew: Bool
    }

    /// How old a cookie gets before the browser receives its successor.
    public static let cookieTime = Duration.seconds(3600)

    /// A desk over a store.
    ///
    /// - Parameters:
    ///   - secrets: the same in every process over the store.
    ///   - post: if present, people can sign in only after they have confirmed their address by a link.
    ///   - now: the clock; `nil` for the machine's.
    public init(
        _ store: AccountStore, secrets: Secrets, rule: PasswordRule = PasswordRule(),
        post: (any AccountPost)? = nil, now: (@Sendable () -> Instant)? = nil
    ) throws(AccountError) {
        self.store = store
        self.rule = rule
        self.post = post
        self.now = now ?? { Instant(microseconds: Time.wall / 1000) }
        tokens = KeyedTokens(for: .refresh, secrets)
        cookies = KeyedTokens(for: .cookie, secrets)
        resets = KeyedTokens(for: .reset, secrets)
        confirmations = KeyedTokens(for: .confirmation, secrets)
        invitations = KeyedTokens(for: .invitation, secrets)
        nobody = try PasswordHash(of: "")
    }

    /// Makes an account. If mail is sent, the address has yet to be confirmed, by a link in that mail.
    ///
    /// - Throws: `badAddress`, `badPassword`; `taken`, but never if mail is sent: a mail then tells the address's
    ///   owner.
    public func signUp(
        _ address: String, _ password: String, metadata: JSON = .object([]), client: String
    ) throws(AccountError) -> SignUp {
        guard post != nil else {
            return SignUp(account: try addAccount(address, password, metadata: metadata), isNew: true)
        }
        try letters.count(.signUp, from: client)
        do throws(AccountError) {
            let account = try addAccount(address, password, metadata: metadata, isConfirmed: false)
            sendConfirmation(to: account, client: client)
            return SignUp(account: account, isNew: true)
        } catch .taken {
            let account = try newAccount(address, metadata: metadata, isConfirmed: false)
            sendAlreadyRegistered(to: account.address, client: client)
            return SignUp(account: account, isNew: false)
        }
    }

    /// Makes an account on behalf of the operator.
    ///
    /// - Throws: `badAddress`, `badPassword`, `taken`.
    public func addAccount(
        _ address: String, _ password: String, metadata: JSON = .object([]), isConfirmed: Bool = true
    ) throws(AccountError) -> Account {
        let account = try newAccount(address, metadata: metadata, isConfirmed: isConfirmed)
        try rule.check(password)
        try store.addAccount(account, PasswordHash(of: password))
        return account
    }

    private func newAccount(_ address: String, metadata: JSON, isConfirmed: Bool) throws(AccountError) -> Account {
        guard let address = MailAddress(address) else { throw .badAddress }
        let now = now()
        return Account(
            id: .make(at: now), address: address, metadata: metadata, isDisabled: false,
            confirmed: isConfirmed ? now : nil, created: now, updated: now)
    }

    /// Begins a session of a person who signed in with a password.
    ///
    /// - Parameters:
    ///   - client: the address that the request comes from.
    ///   - program: the name of the program that signs in, for the list of sessions.
    ///   - inBrowser: whether the session is kept by a cookie, and expires.
    /// - Throws: `badCredentials`, after equal time whether the address or the password is wrong; `tooManyAttempts`;
    ///   `notConfirmed` if the password is right but the address is not confirmed: the link is sent again.
    public func signIn(
        _ address: String, _ password: String, client: String, program: String = "", inBrowser: Bool = false
    ) throws(AccountError) -> Grant {
        let known = MailAddress(address)
        let (account, hash) = try attempt(known?.text ?? "", client, password) { () throws(AccountError) in
            guard let known else { return nil }
            return try store.account(at: known)
        }
        if post != nil, account.confirmed == nil {
            sendConfirmation(to: account, client: client)
            throw .notConfirmed
        }
        let session = AccountSession(of: account.id, at: now(), program: program, inBrowser: inBrowser)
        try store.addSession(session, hash: hash)
        return grant(account, session)
    }

    /// The account that a name and a password open. A failure counts as an attempt.
    private func attempt(
        _ name: String, _ client: String, _ password: String,
        find: () throws(AccountError) -> (account: Account, hash: PasswordHash)?
    ) throws(AccountError) -> (account: Account, hash: PasswordHash) {
        let moment = Time.monotonic
        let waits = [byAddress.wait(for: name, at: moment), byClient.wait(for: client, at: moment)]
        if let wait = waits.compactMap({ $0 }).max() { throw .tooManyAttempts(retryAfter: wait) }
        let found = try find()
        let isLong = password.utf8.count > PasswordRule.mostByteCount
        // An account without a password takes equally long, and nothing opens it, not even the password of `nobody`.
        let hash = found.flatMap { $0.account.hasPassword ? $0.hash : nil }
        let matches = (hash ?? nobody).matches(isLong ? "" : password)
        guard let found, hash != nil, matches, !isLong, !found.account.isDisabled else {
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

    /// Continues a session by its refresh token.
    ///
    /// - Throws: `unknownToken`, `reusedToken`.
    public func refresh(_ token: String) throws(AccountError) -> Grant {
        guard let claim = tokens.verified(token) else { throw .unknownToken }
        let (session, account) = try store.useToken(claim.number, of: claim.id, at: now())
        return grant(account, session)
    }

    /// Continues a browser's session: with the same cookie while it is young, then with its successor.
    ///
    /// - Throws: `unknownToken`; `reusedToken` for an old cookie, which ends the session.
    public func goOn(withCookie text: String) throws(AccountError) -> Grant {
        let now = now()
        guard let claim = cookies.verified(text), let session = try store.session(claim.id),
            !session.isOver(at: now)
        else { throw .unknownToken }
        if claim.number == session.token, now < session.replaced + Self.cookieTime {
            return grant(try account(session.person), session)
        }
        let (renewed, account) = try store.useToken(claim.number, of: claim.id, at: now)
        return grant(account, renewed)
    }

    /// The session that a cookie names, and the cookie's number; `nil` for a text that the service did not make.
    func session(ofCookie text: String) -> (id: ID<AccountSession>, number: Int64)? {
        cookies.verified(text).map { ($0.id, $0.number) }
    }

    /// A person's sessions that have not expired, newest first.
    public func sessions(of person: ID<Person>) throws(AccountError) -> [AccountSession] {
        let now = now()
        return try store.sessions(of: person).filter { !$0.isOver(at: now) }
    }

    /// The grant of a person who has a session.
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

    /// Replaces the password for a person who knows the present one, and ends all other sessions. Wrong passwords count
    /// as failed sign-ins.
    ///
    /// - Parameter present: ignored if the account has no password yet.
    /// - Throws: `badCredentials`, `tooManyAttempts`, `badPassword`, `samePassword`, `notFound`.
    public func changePassword(
        of id: ID<Person>, from present: String, to password: String, keeping session: ID<AccountSession>?,
        client: String
    ) throws(AccountError) {
        try rule.check(password)
        let account = try account(id)
        if account.hasPassword {
            _ = try attempt(account.address.text, client, present) { () throws(AccountError) in try store.account(id) }
        }
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
        post?.send(.passwordChanged, to: found.account.address)
    }

    /// Removes the account of a person who knows its password, with all their data: sessions end at once, and the rest
    /// follows. Wrong passwords count as failed sign-ins.
    ///
    /// - Throws: `badCredentials`, `tooManyAttempts`, `notFound`.
    public func requestRemoval(
        of id: ID<Person>, _ password: String, client: String
    ) throws(AccountError) {
        let address = try account(id).address
        _ = try attempt(address.text, client, password) { () throws(AccountError) in try store.account(id) }
        try store.requestRemoval(of: id, at: now())
        post?.send(.removed, to: address)
    }

    /// Replaces the password on behalf of the operator, who also vouches for the address, and ends all sessions.
    ///
    /// - Throws: `badPassword`, `notFound`.
    public func resetPassword(of id: ID<Person>, to password: String) throws(AccountError) {
        try rule.check(password)
        try store.changePassword(of: id, to: PasswordHash(of: password), keeping: nil)
        try store.confirm(id, at: now())
    }

    /// Merges members into the metadata; `null` removes a member.
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
