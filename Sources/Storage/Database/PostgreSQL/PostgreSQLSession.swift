internal import Linux

/// A transaction on one connection.
public final class PostgreSQLSession: SQLSession {
    private let connection: ServerConnection
    /// When the transaction's time limit expires.
    private var end: Duration?
    private var isWanted: @Sendable () -> Bool = { true }

    init(_ connection: ServerConnection) { self.connection = connection }

    /// Starts the time limit of a transaction. It is checked before each statement; the server itself ends a statement
    /// that runs too long.
    func begin(_ limit: SQLLimit) {
        end = Time.monotonic + limit.duration
        isWanted = limit.isWanted
    }

    /// - Throws: `stopped` once the time limit has expired.
    func requireTime() throws(PostgreSQLError) {
        if let end, Time.monotonic >= end || !isWanted() { throw .stopped }
    }

    /// The SQL of PostgreSQL.
    public var dialect: SQLDialect { .postgreSQL }

    /// Reads all rows, and then lends them.
    public func forEachRow(
        _ sql: String, _ values: [(any SQLConvertible)?], _ body: (any SQLRow) throws -> Void
    ) throws {
        try requireTime()
        try connection.send(sql, values)
        let answer = try connection.receive()
        for index in 0..<answer.rowCount { try body(answer.row(index)) }
    }

    /// Lets the server end the statement in time, and keeps nothing prepared. Lends each row as it arrives, so an error
    /// may come after some rows. `body` runs no statements.
    public func forEachRow(
        of statement: SQLText, within limit: SQLLimit, _ body: (any SQLRow) throws -> Void
    ) throws {
        try requireTime()
        // Earlier statements fail here.
        _ = try connection.receive()
        // Zero would mean no limit.
        try connection.sendOnce("SET LOCAL statement_timeout = \(max(1, Int(limit.duration.milliseconds)))")
        try connection.sendOnce(statement.text, statement.values, isRowByRow: true)
        // The value that every connection begins with.
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

    /// Runs a statement together with the next one. If the server refuses it, the next one throws, or at the latest the
    /// end of the transaction.
    public func executeLater(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws {
        try requireTime()
        try connection.send(sql, values)
    }

    /// The rows of the last `count` statements that `executeLater` has sent.
    public func rows(ofLast count: Int) throws -> [[any SQLRow]] {
        try connection.receiveAll().suffix(count).map { answer in (0..<answer.rowCount).map { answer.row($0) } }
    }

    /// Runs several statements without values, as for creating tables.
    public func script(_ sql: String) throws {
        _ = try connection.receive()
        try connection.script(sql)
    }

    /// Looks the table up as a statement would.
    public func hasTable(_ name: String) throws -> Bool {
        // Reads a relation. A statement that reads none may miss tables that others have created since the transaction
        // began, for example while it waited for a lock.
        try hasRow("SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass(?)", [name])
    }

    /// Takes advisory locks, in one round trip. They are held on return, so times that are read afterwards follow the
    /// order of changes.
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

    /// First receives the answers that the part left open: the server would skip the statement after a refused one.
    public func takeBackPart() {
        _ = try? connection.receive()
        _ = try? execute("ROLLBACK TO SAVEPOINT part", [])
        _ = try? execute("RELEASE SAVEPOINT part", [])
    }
}
