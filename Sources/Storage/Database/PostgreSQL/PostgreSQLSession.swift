internal import Linux

/// A transaction on one connection.
public final class PostgreSQLSession: SQLSession {
    private let connection: ServerConnection
    /// When the transaction's time is over.
    private var end: Duration?
    private var isWanted: @Sendable () -> Bool = { true }

    init(_ connection: ServerConnection) { self.connection = connection }

    /// Begins the time of a transaction. It is looked at before each statement: the server ends one that does not end by itself.
    func begin(_ limit: SQLLimit) {
        end = Time.monotonic + limit.duration
        isWanted = limit.isWanted
    }

    /// - Throws: `stopped` once the time is over.
    func requireTime() throws(PostgreSQLError) {
        if let end, Time.monotonic >= end || !isWanted() { throw .stopped }
    }

    /// That of the server.
    public var dialect: SQLDialect { .postgreSQL }

    /// Reads all rows, then lends them.
    public func forEachRow(
        _ sql: String, _ values: [(any SQLConvertible)?], _ body: (any SQLRow) throws -> Void
    ) throws {
        try requireTime()
        try connection.send(sql, values)
        let answer = try connection.receive()
        for index in 0..<answer.rowCount { try body(answer.row(index)) }
    }

    /// Lets the server end the statement in time, and keeps nothing prepared. Each row is lent as it arrives: an error may come after some
    /// rows. `body` runs no statements.
    public func forEachRow(
        of statement: SQLText, within limit: SQLLimit, _ body: (any SQLRow) throws -> Void
    ) throws {
        try requireTime()
        // What was sent before fails here.
        _ = try connection.receive()
        // Zero would be no limit.
        try connection.sendOnce("SET LOCAL statement_timeout = \(max(1, Int(limit.duration.milliseconds)))")
        try connection.sendOnce(statement.text, statement.values, isRowByRow: true)
        // The one that every connection begins with.
        try executeLater("SET LOCAL statement_timeout TO DEFAULT")
        do {
            try connection.receive(lending: body)
        } catch PostgreSQLError.refused(state: "57014", _) {
            // query_canceled
            throw PostgreSQLError.stopped
        }
    }

    /// Runs the statement.
    @discardableResult
    public func execute(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> Int {
        try requireTime()
        try connection.send(sql, values)
        return try connection.receive().changedCount
    }

    /// Runs a statement together with the next one: its refusal shows there, at the latest at the end of the transaction.
    public func executeLater(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws {
        try requireTime()
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
