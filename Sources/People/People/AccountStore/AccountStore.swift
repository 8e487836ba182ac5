public import Database
public import Media

/// Keeps accounts and sessions in the service's database: an SQLite file, or a PostgreSQL server for several hosts.
/// Each call is one transaction. Safe for several threads and processes.
public final class AccountStore: Sendable {
    let database: any SQLDatabase

    /// Creates the tables of accounts, or migrates them to this program's version.
    ///
    /// - Throws: `unavailable`, also for a database of a newer program.
    public init(_ database: any SQLDatabase) throws(AccountError) {
        self.database = database
        do { try database.install(AccountSchema.schema) } catch { throw Self.converted(error) }
    }

    /// Changes of several persons' rows take it exclusively; changes of one person's rows share it.
    private static let lock: Int32 = 0x636D_7004

    static func converted(_ error: any Error) -> AccountError {
        if let error = error as? AccountError { return error }
        return .unavailable(detail: "database: \(error)")
    }

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws(AccountError) -> Answer {
        do { return try database.read(body) } catch { throw Self.converted(error) }
    }

    @discardableResult
    func write<Answer>(
        _ locks: [SQLLock] = [.exclusive(lock)], _ body: (any SQLSession) throws -> Answer
    ) throws(AccountError) -> Answer {
        do { return try database.write(locks) { try body($0) } } catch { throw Self.converted(error) }
    }

    /// Changes rows of one person, concurrently with changes of others.
    ///
    /// `body` may read and change what belongs to the person alone: the account, its sessions and its identities.
    /// Anything that must be unique among all persons is added by `write`.
    @discardableResult
    func write<Answer>(
        of person: ID<Person>, _ body: (any SQLSession) throws -> Answer
    ) throws(AccountError) -> Answer {
        try write(Self.locks(of: person), body)
    }

    /// The locks by which changes of one person's rows wait for each other.
    private static func locks(of person: ID<Person>) -> [SQLLock] { [.shared(lock), .named(0x636D_7007, person.text)] }

    // MARK: Accounts

    private static let columns = "id, address, metadata, is_disabled, created_at, updated_at, password, confirmed_at"
    /// The columns, and the names of the account's providers, separated by spaces.
    private static func withProviders(_ dialect: SQLDialect) -> String {
        let joined =
            switch dialect {
            case .sqlite: "group_concat(provider, ' ')"
            case .postgreSQL: "string_agg(provider, ' ')"
            }
        return """
            \(columns), (SELECT \(joined) FROM (
                SELECT DISTINCT provider FROM account_identities WHERE user_id = accounts.id ORDER BY provider) AS used)
            """
    }

    private static func reading(_ row: any SQLRow) throws -> (account: Account, hash: PasswordHash) {
        guard let id: ID<Person> = row.id(0), let address = row.text(1).flatMap({ MailAddress($0) }),
            let metadata = row.json(2), let isDisabled = row.integer(3), let created = row.instant(4),
            let updated = row.instant(5), let password = row.text(6)
        else { throw AccountError.unavailable(detail: "an account's row cannot be read") }
        let hash = PasswordHash(text: password)
        let account = Account(
            id: id, address: address, metadata: metadata, isDisabled: isDisabled != 0, confirmed: row.instant(7),
            created: created, updated: updated, hasPassword: hash != .none,
            providers: (row.text(8) ?? "").split(separator: " ").map(String.init))
        return (account, hash)
    }

    /// The value of a row in a list; `nil` if the row cannot be read, so that it hides no other row.
    static func listed<Value>(_ row: any SQLRow, _ reading: (any SQLRow) throws -> Value) -> Value? {
        try? reading(row)
    }

    static func account(
        where column: String, is value: String, _ database: any SQLSession
    ) throws -> (account: Account, hash: PasswordHash)? {
        try database.first("SELECT \(withProviders(database.dialect)) FROM accounts WHERE \(column) = ?", [value]) {
            try reading($0)
        }
    }

    /// Adds an account.
    ///
    /// - Throws: `taken` if another account has the address.
    public func addAccount(_ account: Account, _ hash: PasswordHash) throws(AccountError) {
        try write { try Self.insert(account, hash, $0) }
    }

    static func insert(_ account: Account, _ hash: PasswordHash, _ database: any SQLSession) throws {
        guard try self.account(where: "address", is: account.address.text, database) == nil else {
            throw AccountError.taken
        }
        try database.execute(
            "INSERT INTO accounts (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                account.id.text, account.address.text, account.metadata.text, account.isDisabled,
                account.created.microseconds, account.updated.microseconds, hash.text, account.confirmed?.microseconds,
            ])
    }

    /// The account with an address, and its password's digest.
    public func account(at address: MailAddress) throws(AccountError) -> (account: Account, hash: PasswordHash)? {
        try read { try Self.account(where: "address", is: address.text, $0) }
    }

    /// A person's account, and its password's digest.
    public func account(_ id: ID<Person>) throws(AccountError) -> (account: Account, hash: PasswordHash)? {
        try read { try Self.account(where: "id", is: id.text, $0) }
    }

    /// All accounts, by address.
    public func accounts() throws(AccountError) -> [Account] {
        try read { database in
            try database.all("SELECT \(Self.withProviders(database.dialect)) FROM accounts ORDER BY address") {
                Self.listed($0, Self.reading)?.account
            }
        }
    }

    /// Replaces the metadata that the person's client keeps with the account.
    public func changeMetadata(of id: ID<Person>, to metadata: JSON, at now: Instant) throws(AccountError) {
        try write(of: id) { database in
            let changed = try database.execute(
                "UPDATE accounts SET metadata = ?, updated_at = ? WHERE id = ?",
                [metadata.text, now.microseconds, id.text])
            guard changed == 1 else { throw AccountError.notFound }
        }
    }

    /// Disables a person's account and ends their sessions, or enables it again.
    ///
    /// - Throws: `notFound`; `beingRemoved` if an account that is being removed would be enabled.
    public func setDisabled(_ isDisabled: Bool, for id: ID<Person>) throws(AccountError) {
        try write(of: id) { database in
            let isBeingRemoved = try database.first(
                "SELECT removal_requested_at FROM accounts WHERE id = ?", [id.text]
            ) { !$0.isNull(0) }
            guard let isBeingRemoved else { throw AccountError.notFound }
            if isBeingRemoved, !isDisabled { throw AccountError.beingRemoved }
            try database.execute("UPDATE accounts SET is_disabled = ? WHERE id = ?", [isDisabled, id.text])
            if isDisabled { try Self.endSessions(of: id, .all, database) }
        }
    }

    /// Disables an account permanently, and ends its sessions: all data of the person is to be removed.
    ///
    /// - Throws: `notFound`.
    public func requestRemoval(of id: ID<Person>, at now: Instant) throws(AccountError) {
        try write(of: id) { database in
            let changed = try database.execute(
                """
                UPDATE accounts SET is_disabled = TRUE, removal_requested_at = coalesce(removal_requested_at, ?) WHERE id = ?
                """, [now.microseconds, id.text])
            guard changed == 1 else { throw AccountError.notFound }
            try Self.endSessions(of: id, .all, database)
        }
    }

    /// The persons whose removal was requested before a moment, oldest request first.
    public func requestedRemovals(before moment: Instant) throws(AccountError) -> [ID<Person>] {
        try read { database in
            try database.all(
                """
                SELECT id FROM accounts WHERE removal_requested_at IS NOT NULL AND removal_requested_at < ?
                ORDER BY removal_requested_at
                """, [moment.microseconds]
            ) { $0.id(0) }
        }
    }

    /// Removes an account and its sessions.
    public func removeAccount(_ id: ID<Person>) throws(AccountError) {
        try write { database in
            // Invitations that others sent to the address contain it too.
            try database.execute(
                """
                DELETE FROM account_guardians
                WHERE guardian_id IS NULL AND address = (SELECT address FROM accounts WHERE id = ?)
                """, [id.text])
            let changed = try database.execute("DELETE FROM accounts WHERE id = ?", [id.text])
            guard changed == 1 else { throw AccountError.notFound }
        }
    }

    /// Replaces the password's digest, and ends the person's sessions except `session`.
    public func changePassword(
        of id: ID<Person>, to hash: PasswordHash, keeping session: ID<AccountSession>?
    ) throws(AccountError) {
        try write(of: id) { database in
            let changed = try database.execute("UPDATE accounts SET password = ? WHERE id = ?", [hash.text, id.text])
            guard changed == 1 else { throw AccountError.notFound }
            try Self.endSessions(of: id, session.map { .others(than: $0) } ?? .all, database)
        }
    }

    /// Replaces the password's digest if `old` is still the stored one, confirms the address, and ends all sessions.
    ///
    /// - Returns: whether it was replaced; `false` also if the account is gone or disabled by now.
    public func resetPassword(
        of id: ID<Person>, from old: PasswordHash, to new: PasswordHash, at now: Instant
    ) throws(AccountError) -> Bool {
        try write(of: id) { database in
            let changed = try database.execute(
                """
                UPDATE accounts SET password = ?, confirmed_at = coalesce(confirmed_at, ?)
                WHERE id = ? AND password = ? AND NOT is_disabled
                """, [new.text, now.microseconds, id.text, old.text])
            guard changed == 1 else { return false }
            try Self.endSessions(of: id, .all, database)
            return true
        }
    }

    /// Records that an account's address belongs to its person, unless that is recorded already.
    public func confirm(_ id: ID<Person>, at now: Instant) throws(AccountError) {
        try write(of: id) { database in
            try database.execute(
                "UPDATE accounts SET confirmed_at = ? WHERE id = ? AND confirmed_at IS NULL",
                [now.microseconds, id.text])
        }
    }

    /// Replaces a digest by another of the same password, if it is still the stored one.
    public func renewHash(of id: ID<Person>, from old: PasswordHash, to new: PasswordHash) throws(AccountError) {
        try write(of: id) { database in
            try database.execute(
                "UPDATE accounts SET password = ? WHERE id = ? AND password = ?", [new.text, id.text, old.text])
        }
    }

    // MARK: Sessions

    private static let sessionColumns =
        "id, user_id, created_at, token, replaced_at, replaced_before_at, program, ends_at, method"

    private static func session(_ row: any SQLRow) throws -> AccountSession {
        guard let id: ID<AccountSession> = row.id(0), let person: ID<Person> = row.id(1),
            let created = row.instant(2), let token = row.integer(3), let replaced = row.instant(4),
            let replacedBefore = row.instant(5), let program = row.text(6),
            let method = row.text(8).flatMap({ AccountSession.Method(rawValue: $0) })
        else {
            throw AccountError.unavailable(detail: "a session's row cannot be read")
        }
        return AccountSession(
            id: id, person: person, created: created, token: token, replaced: replaced,
            replacedBefore: replacedBefore, program: program, end: row.instant(7), method: method)
    }

    private static func session(_ id: ID<AccountSession>, _ database: any SQLSession) throws -> AccountSession? {
        try database.first(
            """
            SELECT \(sessionColumns) FROM account_sessions AS s WHERE id = ?
            AND EXISTS (SELECT 1 FROM accounts WHERE id = s.user_id AND NOT is_disabled)
            """, [id.text]
        ) { try session($0) }
    }

    /// A person's sessions, newest first.
    public func sessions(of person: ID<Person>) throws(AccountError) -> [AccountSession] {
        try read { database in
            try database.all(
                "SELECT \(Self.sessionColumns) FROM account_sessions WHERE user_id = ? ORDER BY created_at DESC, id",
                [person.text]
            ) { Self.listed($0, Self.session) }
        }
    }

    /// Adds a session, and removes the person's sessions that have expired.
    ///
    /// Inserts the row if the account's row is unchanged since the password was checked.
    ///
    /// - Throws: `badCredentials` if the account is gone or disabled by now, or its password is no longer `hash`.
    public func addSession(_ session: AccountSession, hash: PasswordHash) throws(AccountError) {
        try write(of: session.person) { database in
            guard let found = try Self.account(where: "id", is: session.person.text, database), found.hash == hash,
                !found.account.isDisabled
            else { throw AccountError.badCredentials }
            try Self.insert(session, database)
        }
    }

    static func insert(_ session: AccountSession, _ database: any SQLSession) throws {
        try database.execute(
            """
            DELETE FROM account_sessions
            WHERE user_id = ? AND (ends_at <= ? OR ends_at IS NULL AND (replaced_at <= ? OR created_at <= ?))
            """,
            [
                session.person.text, session.created.microseconds,
                (session.created - AccountSession.idleTimeOfTokens).microseconds,
                (session.created - AccountSession.longestTimeOfTokens).microseconds,
            ])
        // At the limit, another sign-in ends the oldest session.
        try database.execute(
            """
            DELETE FROM account_sessions WHERE id IN (
                SELECT id FROM account_sessions WHERE user_id = ? ORDER BY created_at DESC, id LIMIT 100000 OFFSET ?)
            """, [session.person.text, AccountSession.mostOfPerson - 1])
        try database.execute(
            "INSERT INTO account_sessions (\(sessionColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                session.id.text, session.person.text, session.created.microseconds, session.token,
                session.replaced.microseconds, session.replacedBefore.microseconds, session.program,
                session.end?.microseconds, session.method.rawValue,
            ])
    }

    /// A session that nobody has ended, of an account that is not disabled; it may have expired.
    public func session(_ id: ID<AccountSession>) throws(AccountError) -> AccountSession? {
        try read { try Self.session(id, $0) }
    }

    /// Uses a refresh token. Of concurrent calls, one replaces the token.
    ///
    /// - Throws: `unknownToken`; `reusedToken` for an old token, which ends the session.
    public func useToken(
        _ number: Int64, of id: ID<AccountSession>, at now: Instant
    ) throws(AccountError) -> (session: AccountSession, account: Account) {
        let found = try write([]) { database -> (AccountSession, Account)? in
            // A session's person never changes, so it is read before the lock is taken.
            let owner = try database.text("SELECT user_id FROM account_sessions WHERE id = ?", [id.text])
            guard let person = owner.flatMap({ ID<Person>($0) }) else { throw AccountError.unknownToken }
            try database.take(Self.locks(of: person))
            guard var session = try Self.session(id, database), !session.isOver(at: now),
                let account = try Self.account(where: "id", is: session.person.text, database)?.account
            else { throw AccountError.unknownToken }
            guard session.use(token: number, at: now) else {
                try Self.endSessions(of: session.person, .only(id), database)
                return nil
            }
            try database.execute(
                """
                UPDATE account_sessions SET token = ?, replaced_at = ?, replaced_before_at = ?, ends_at = ? WHERE id = ?
                """,
                [
                    session.token, session.replaced.microseconds, session.replacedBefore.microseconds,
                    session.end?.microseconds, id.text,
                ])
            return (session, account)
        }
        guard let (session, account) = found else { throw .reusedToken }
        return (session, account)
    }

    /// Ends a person's sessions: one, all, or all but one. The last two raise the person's epoch, which invalidates the
    /// addresses that they signed.
    public func endSessions(of person: ID<Person>, _ scope: SessionScope) throws(AccountError) {
        try write(of: person) { try Self.endSessions(of: person, scope, $0) }
    }

    private static func endSessions(of person: ID<Person>, _ scope: SessionScope, _ database: any SQLSession) throws {
        let (condition, more): (String, [String]) =
            switch scope {
            case .all: ("", [])
            case .only(let id): ("AND id = ?", [id.text])
            case .others(let id): ("AND id <> ?", [id.text])
            }
        try database.execute("DELETE FROM account_sessions WHERE user_id = ? \(condition)", [person.text] + more)
        if case .only = scope { return }
        try database.execute("UPDATE accounts SET epoch = epoch + 1 WHERE id = ?", [person.text])
    }
}
