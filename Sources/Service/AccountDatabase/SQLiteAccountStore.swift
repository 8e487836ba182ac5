public import Accounts
public import Documents
internal import GRDB
public import Media

/// Accounts in the service's SQLite file: safe for several threads and several processes of one machine.
public final class SQLiteAccountStore: AccountStore {
    private let database: DatabasePool

    /// Opens the file, makes it where it is missing, and brings the tables of accounts to this program's version.
    ///
    /// - Throws: `unavailable`, also for a file of a newer program.
    public init(path: String) throws(AccountError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        do {
            database = try DatabasePool(path: path, configuration: configuration)
            try database.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try AccountSchema.migrate(database)
                    return .commit
                }
            }
        } catch {
            throw Self.converted(error)
        }
    }

    private static func converted(_ error: any Error) -> AccountError {
        switch error {
        case let error as AccountError: error
        case let error as DatabaseError: .unavailable(detail: "database: \(error.message ?? "\(error.resultCode)")")
        default: .unavailable(detail: "\(error)")
        }
    }

    func read<Answer>(_ body: (Database) throws -> Answer) throws(AccountError) -> Answer {
        do { return try database.read(body) } catch { throw Self.converted(error) }
    }

    func write<Answer>(_ body: (Database) throws -> Answer) throws(AccountError) -> Answer {
        do {
            return try database.writeWithoutTransaction { database in
                var answer: Answer?
                try database.inTransaction(.immediate) {
                    answer = try body(database)
                    return .commit
                }
                return answer!
            }
        } catch {
            throw Self.converted(error)
        }
    }

    // MARK: Accounts

    private static let columns = "id, address, metadata, is_disabled, created_at, updated_at, password, confirmed_at"
    /// The columns, and the names of the account's providers with spaces between.
    private static let withProviders = """
        \(columns), (
            SELECT group_concat(provider, ' ') FROM (
                SELECT DISTINCT provider FROM account_identities WHERE user_id = accounts.id ORDER BY provider))
        """

    private static func reading(_ row: Row) throws -> (account: Account, hash: PasswordHash) {
        guard let id = ID<Person>(row[0] as String), let address = MailAddress(row[1]),
            let metadata = try? JSON(parsing: Array((row[2] as String).utf8))
        else { throw AccountError.unavailable(detail: "an account's row cannot be read") }
        let hash = PasswordHash(text: row[6])
        let account = Account(
            id: id, address: address, metadata: metadata, isDisabled: row[3],
            confirmed: (row[7] as Int64?).map { Instant(microseconds: $0) }, created: Instant(microseconds: row[4]),
            updated: Instant(microseconds: row[5]), hasPassword: hash != .none,
            providers: (row[8] as String? ?? "").split(separator: " ").map(String.init))
        return (account, hash)
    }

    static func account(
        where column: String, is value: String, _ database: Database
    ) throws -> (account: Account, hash: PasswordHash)? {
        try Row.fetchOne(database, sql: "SELECT \(withProviders) FROM accounts WHERE \(column) = ?", arguments: [value])
            .map { try reading($0) }
    }

    /// Inserts the row, unless there is one with the address.
    public func addAccount(_ account: Account, _ hash: PasswordHash) throws(AccountError) {
        try write { try Self.insert(account, hash, $0) }
    }

    static func insert(_ account: Account, _ hash: PasswordHash, _ database: Database) throws {
        guard try self.account(where: "address", is: account.address.text, database) == nil else {
            throw AccountError.taken
        }
        try database.execute(
            sql: "INSERT INTO accounts (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                account.id.text, account.address.text, account.metadata.text, account.isDisabled,
                account.created.microseconds, account.updated.microseconds, hash.text, account.confirmed?.microseconds,
            ])
    }

    /// Reads the row by the index of addresses.
    public func account(at address: MailAddress) throws(AccountError) -> (account: Account, hash: PasswordHash)? {
        try read { try Self.account(where: "address", is: address.text, $0) }
    }

    /// Reads the row by its key.
    public func account(_ id: ID<Person>) throws(AccountError) -> (account: Account, hash: PasswordHash)? {
        try read { try Self.account(where: "id", is: id.text, $0) }
    }

    /// Reads all rows.
    public func accounts() throws(AccountError) -> [Account] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT \(Self.withProviders) FROM accounts ORDER BY address").map {
                try Self.reading($0).account
            }
        }
    }

    /// Writes the two columns.
    public func changeMetadata(of id: ID<Person>, to metadata: JSON, at now: Instant) throws(AccountError) {
        try write { database in
            try database.execute(
                sql: "UPDATE accounts SET metadata = ?, updated_at = ? WHERE id = ?",
                arguments: [metadata.text, now.microseconds, id.text])
            guard database.changesCount == 1 else { throw AccountError.notFound }
        }
    }

    /// Writes the column, and removes the sessions of a disabled account.
    public func setDisabled(_ isDisabled: Bool, for id: ID<Person>) throws(AccountError) {
        try write { database in
            let isBeingRemoved = try Bool.fetchOne(
                database, sql: "SELECT removal_requested_at IS NOT NULL FROM accounts WHERE id = ?",
                arguments: [id.text])
            guard let isBeingRemoved else { throw AccountError.notFound }
            if isBeingRemoved, !isDisabled { throw AccountError.beingRemoved }
            try database.execute(
                sql: "UPDATE accounts SET is_disabled = ? WHERE id = ?", arguments: [isDisabled, id.text])
            if isDisabled { try Self.endSessions(of: id, .all, database) }
        }
    }

    /// Writes the columns, and removes the sessions.
    public func requestRemoval(of id: ID<Person>, at now: Instant) throws(AccountError) {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE accounts SET is_disabled = 1, removal_requested_at = coalesce(removal_requested_at, ?) WHERE id = ?
                    """, arguments: [now.microseconds, id.text])
            guard database.changesCount == 1 else { throw AccountError.notFound }
            try Self.endSessions(of: id, .all, database)
        }
    }

    /// Reads the rows by the index of requests.
    public func requestedRemovals(before moment: Instant) throws(AccountError) -> [ID<Person>] {
        try read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT id FROM accounts WHERE removal_requested_at IS NOT NULL AND removal_requested_at < ?
                    ORDER BY removal_requested_at
                    """, arguments: [moment.microseconds]
            ).compactMap { ID($0) }
        }
    }

    /// Deletes the row; its sessions' rows go with it.
    public func removeAccount(_ id: ID<Person>) throws(AccountError) {
        try write { database in
            // Invitations that others have sent to the address name it too.
            try database.execute(
                sql: """
                    DELETE FROM account_guardians
                    WHERE guardian_id IS NULL AND address = (SELECT address FROM accounts WHERE id = ?)
                    """, arguments: [id.text])
            try database.execute(sql: "DELETE FROM accounts WHERE id = ?", arguments: [id.text])
            guard database.changesCount == 1 else { throw AccountError.notFound }
        }
    }

    /// Writes the digest and removes the sessions.
    public func changePassword(
        of id: ID<Person>, to hash: PasswordHash, keeping session: ID<AccountSession>?
    ) throws(AccountError) {
        try write { database in
            try database.execute(sql: "UPDATE accounts SET password = ? WHERE id = ?", arguments: [hash.text, id.text])
            guard database.changesCount == 1 else { throw AccountError.notFound }
            try Self.endSessions(of: id, session.map { .others(than: $0) } ?? .all, database)
        }
    }

    /// Writes the digest and the confirmation, and removes the sessions.
    public func resetPassword(
        of id: ID<Person>, from old: PasswordHash, to new: PasswordHash, at now: Instant
    ) throws(AccountError) -> Bool {
        try write { database in
            try database.execute(
                sql: """
                    UPDATE accounts SET password = ?, confirmed_at = coalesce(confirmed_at, ?)
                    WHERE id = ? AND password = ? AND NOT is_disabled
                    """, arguments: [new.text, now.microseconds, id.text, old.text])
            guard database.changesCount == 1 else { return false }
            try Self.endSessions(of: id, .all, database)
            return true
        }
    }

    /// Writes the column.
    public func confirm(_ id: ID<Person>, at now: Instant) throws(AccountError) {
        try write { database in
            try database.execute(
                sql: "UPDATE accounts SET confirmed_at = ? WHERE id = ? AND confirmed_at IS NULL",
                arguments: [now.microseconds, id.text])
        }
    }

    /// Writes the digest unless another password's has taken its place.
    public func renewHash(of id: ID<Person>, from old: PasswordHash, to new: PasswordHash) throws(AccountError) {
        try write { database in
            try database.execute(
                sql: "UPDATE accounts SET password = ? WHERE id = ? AND password = ?",
                arguments: [new.text, id.text, old.text])
        }
    }

    // MARK: Sessions

    private static let sessionColumns =
        "id, user_id, created_at, token, replaced_at, replaced_before_at, program, ends_at, method"

    private static func session(_ row: Row) throws -> AccountSession {
        guard let id = ID<AccountSession>(row[0] as String), let person = ID<Person>(row[1] as String),
            let method = AccountSession.Method(rawValue: row[8])
        else {
            throw AccountError.unavailable(detail: "a session's row cannot be read")
        }
        return AccountSession(
            id: id, person: person, created: Instant(microseconds: row[2]), token: row[3],
            replaced: Instant(microseconds: row[4]), replacedBefore: Instant(microseconds: row[5]), program: row[6],
            end: (row[7] as Int64?).map { Instant(microseconds: $0) }, method: method)
    }

    private static func session(_ id: ID<AccountSession>, _ database: Database) throws -> AccountSession? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(sessionColumns) FROM account_sessions AS s WHERE id = ?
                    AND EXISTS (SELECT 1 FROM accounts WHERE id = s.user_id AND NOT is_disabled)
                    """), arguments: [id.text])
        return try row.map { try session($0) }
    }

    /// Reads the rows by the index of owners.
    public func sessions(of person: ID<Person>) throws(AccountError) -> [AccountSession] {
        try read { database in
            try Row.fetchAll(
                database,
                sql:
                    "SELECT \(Self.sessionColumns) FROM account_sessions WHERE user_id = ? ORDER BY created_at DESC, id",
                arguments: [person.text]
            ).map { try Self.session($0) }
        }
    }

    /// Inserts the row if the account's row is as it was when the password was checked.
    public func addSession(_ session: AccountSession, hash: PasswordHash) throws(AccountError) {
        try write { database in
            guard let found = try Self.account(where: "id", is: session.person.text, database), found.hash == hash,
                !found.account.isDisabled
            else { throw AccountError.badCredentials }
            try Self.insert(session, database)
        }
    }

    static func insert(_ session: AccountSession, _ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM account_sessions
                WHERE user_id = ? AND (ends_at <= ? OR ends_at IS NULL AND (replaced_at <= ? OR created_at <= ?))
                """,
            arguments: [
                session.person.text, session.created.microseconds,
                (session.created - AccountSession.idleTimeOfTokens).microseconds,
                (session.created - AccountSession.longestTimeOfTokens).microseconds,
            ])
        try database.execute(
            sql: "INSERT INTO account_sessions (\(sessionColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                session.id.text, session.person.text, session.created.microseconds, session.token,
                session.replaced.microseconds, session.replacedBefore.microseconds, session.program,
                session.end?.microseconds, session.method.rawValue,
            ])
    }

    /// Reads the row by its key.
    public func session(_ id: ID<AccountSession>) throws(AccountError) -> AccountSession? {
        try read { try Self.session(id, $0) }
    }

    /// Writes the session's row, or removes it where an old token came back.
    public func useToken(
        _ number: Int64, of id: ID<AccountSession>, at now: Instant
    ) throws(AccountError) -> (session: AccountSession, account: Account) {
        let found = try write { database -> (AccountSession, Account)? in
            guard var session = try Self.session(id, database), !session.isOver(at: now),
                let account = try Self.account(where: "id", is: session.person.text, database)?.account
            else { throw AccountError.unknownToken }
            guard session.use(token: number, at: now) else {
                try Self.endSessions(of: session.person, .only(id), database)
                return nil
            }
            try database.execute(
                sql: """
                    UPDATE account_sessions SET token = ?, replaced_at = ?, replaced_before_at = ?, ends_at = ? WHERE id = ?
                    """,
                arguments: [
                    session.token, session.replaced.microseconds, session.replacedBefore.microseconds,
                    session.end?.microseconds, id.text,
                ])
            return (session, account)
        }
        guard let (session, account) = found else { throw .reusedToken }
        return (session, account)
    }

    /// Removes the rows.
    public func endSessions(of person: ID<Person>, _ scope: SessionScope) throws(AccountError) {
        try write { try Self.endSessions(of: person, scope, $0) }
    }

    private static func endSessions(of person: ID<Person>, _ scope: SessionScope, _ database: Database) throws {
        let (condition, more): (String, [String]) =
            switch scope {
            case .all: ("", [])
            case .only(let id): ("AND id = ?", [id.text])
            case .others(let id): ("AND id <> ?", [id.text])
            }
        try database.execute(
            sql: "DELETE FROM account_sessions WHERE user_id = ? \(condition)",
            arguments: StatementArguments([person.text] + more))
    }
}
