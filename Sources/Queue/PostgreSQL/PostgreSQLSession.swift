internal import Linux
public import SQL

/// A transaction on one connection.
public final class PostgreSQLSession: SQLSession {
    private let connection: ServerConnection

    init(_ connection: ServerConnection) { self.connection = connection }

    /// That of the server.
    public var dialect: SQLDialect { .postgreSQL }

    /// Reads all rows, then lends them.
    public func forEachRow(
        _ sql: String, _ values: [(any SQLConvertible)?], _ body: (any SQLRow) throws -> Void
    ) throws {
        try connection.send(sql, values)
        let answer = try connection.receive()
        for index in 0..<answer.rowCount { try body(answer.row(index)) }
    }

    /// Lets the server end the statement in time, and keeps nothing prepared.
    public func forEachRow(
        of statement: SQLText, within limit: SQLLimit, _ body: (any SQLRow) throws -> Void
    ) throws {
        // What was sent before fails here.
        _ = try connection.receive()
        // Zero would be no limit.
        try executeLater("SET LOCAL statement_timeout = \(max(1, Int(limit.duration.milliseconds)))")
        try connection.sendOnce(statement.text, statement.values)
        // The one that every connection begins with.
        try executeLater("SET LOCAL statement_timeout TO DEFAULT")
        guard let answer = try received().dropLast().last else { return }
        for index in 0..<answer.rowCount { try body(answer.row(index)) }
    }

    private func received() throws(PostgreSQLError) -> [Answer] {
        do {
            return try connection.receiveAll()
        } catch {
            // query_canceled
            if case .refused(let state, _) = error, state == "57014" { throw .stopped }
            throw error
        }
    }

    /// Runs the statement.
    @discardableResult
    public func execute(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> Int {
        try connection.send(sql, values)
        return try connection.receive().changedCount
    }

    /// Runs a statement together with the next one: its refusal shows there, at the latest at the end of the transaction.
    public func executeLater(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws {
        try connection.send(sql, values)
    }

    /// The rows of the last `count` statements that `executeLater` has sent.
    public func rows(ofLast count: Int) throws -> [[any SQLRow]] {
        try connection.receiveAll().suffix(count).map { answer in (0..<answer.rowCount).map { answer.row($0) } }
    }

    /// Runs several statements without values: the making of tables.
    public func script(_ sql: String) throws {
        _ = try connection.receive()
        try connection.script(sql)
    }

    /// Looks where a statement would find it.
    public func hasTable(_ name: String) throws -> Bool {
        // Reads a relation: a statement that reads none may not know yet which tables others have made since the transaction began, as
        // while it waited for a lock.
        try hasRow("SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass(?)", [name])
    }

    /// Takes advisory locks, in one round trip. They are held on return, so that times that are read afterwards follow the order of changes.
    public func take(_ locks: [SQLLock]) throws {
        for lock in locks {
            switch lock {
            case .exclusive(let key): try executeLater("SELECT pg_advisory_xact_lock(\(key))")
            case .shared(let key): try executeLater("SELECT pg_advisory_xact_lock_shared(\(key))")
            case .named(let key, let name):
                try executeLater("SELECT pg_advisory_xact_lock(\(key), hashtext(?))", [name])
            }
        }
        if !locks.isEmpty { _ = try connection.receive() }
    }

    /// Looks at what the part left to be answered first: the server would pass over the next statement behind a refused one.
    public func takeBackPart() {
        _ = try? connection.receive()
        _ = try? execute("ROLLBACK TO SAVEPOINT part", [])
        _ = try? execute("RELEASE SAVEPOINT part", [])
    }
}
