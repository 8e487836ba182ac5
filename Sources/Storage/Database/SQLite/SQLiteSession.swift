package import GRDB
internal import GRDBSQLite

/// A transaction on a connection of GRDB. Its errors are `SQLiteFault`s.
public final class SQLiteSession: SQLSession {
    private let database: Database
    private let compiled: CompiledStatements
    private let watch: StatementWatch?

    /// A session inside a transaction that the caller begins and ends.
    ///
    /// - Parameters:
    ///   - compiled: the statements that the connection has compiled.
    ///   - watch: the watch that limits the transaction.
    init(_ database: Database, _ compiled: CompiledStatements, _ watch: StatementWatch?) {
        self.database = database
        self.compiled = compiled
        self.watch = watch
    }

    /// Runs `body` with the connection, for features that only SQLite has.
    ///
    /// - Throws: an `SQLiteFault` for an error of the driver, or else what `body` throws.
    package func withDatabase<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        try watch?.check()
        do { return try body(database) } catch let error as DatabaseError { throw SQLiteFault.known(error) }
    }

    /// SQLite's own SQL.
    public var dialect: SQLDialect { .sqlite }

    /// Steps through the rows.
    public func forEachRow(
        _ sql: String, _ values: [(any SQLConvertible)?], _ body: (any SQLRow) throws -> Void
    ) throws {
        try withDatabase { database in
            let statement = try database.cachedStatement(sql: sql)
            let columns = RowColumns(statement.sqliteStatement)
            let cursor = try Row.fetchCursor(statement, arguments: Self.arguments(values))
            while try cursor.next() != nil { try body(columns) }
        }
    }

    /// Steps through the rows of a statement, which the connection caches for a while. The limit is checked while it
    /// runs.
    public func forEachRow(
        of statement: SQLText, within limit: SQLLimit, _ body: (any SQLRow) throws -> Void
    ) throws {
        try withDatabase { database in
            try StatementWatch(limit, inside: watch).over(database.sqliteConnection) {
                try compiled.with(statement.text, in: database) { compiled in
                    let columns = RowColumns(compiled.sqliteStatement)
                    let cursor = try Row.fetchCursor(compiled, arguments: Self.arguments(statement.values))
                    while try cursor.next() != nil { try body(columns) }
                }
            }
        }
    }

    /// Runs the statement.
    @discardableResult
    public func execute(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> Int {
        try withDatabase { database in
            try database.cachedStatement(sql: sql).execute(arguments: Self.arguments(values))
            return database.changesCount
        }
    }

    /// Runs the statements one after another.
    public func script(_ sql: String) throws { try withDatabase { try $0.execute(sql: sql) } }

    /// Reads the file's table of tables, which GRDB would cache.
    public func hasTable(_ name: String) throws -> Bool {
        try hasRow("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [name])
    }

    /// Does nothing: a file has one change at a time.
    public func take(_ locks: [SQLLock]) {}

    /// After some failures, such as a full disk, SQLite has already rolled back the whole transaction.
    public func takeBackPart() {
        guard database.isInsideTransaction else { return }
        _ = try? execute("ROLLBACK TO part", [])
        _ = try? execute("RELEASE part", [])
    }

    private static func arguments(_ values: [(any SQLConvertible)?]) -> StatementArguments {
        StatementArguments(
            values.map { value -> DatabaseValue in
                switch value?.sqlValue {
                case nil: .null
                case .integer(let number): number.databaseValue
                case .text(let text): text.databaseValue
                case .boolean(let truth): truth.databaseValue
                }
            })
    }
}

/// The columns of the current row of a running statement.
///
/// GRDB's rows copy every value, and their conversions end the process on a value of another type. Here a value is read
/// from SQLite's memory, and is `nil` if it is NULL or of another type. It is valid until the statement's next step.
private struct RowColumns: SQLRow {
    private let statement: SQLiteStatement

    init(_ statement: SQLiteStatement) { self.statement = statement }

    func integer(_ column: Int) -> Int64? {
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, Int32(column))
    }

    /// A text up to its first NUL, as GRDB binds it too; broken UTF-8 is repaired.
    func text(_ column: Int) -> String? {
        guard isText(column), let bytes = sqlite3_column_text(statement, Int32(column)) else { return nil }
        return String(cString: bytes)
    }

    func utf8(_ column: Int) -> UnsafeRawBufferPointer? {
        guard isText(column), let bytes = sqlite3_column_text(statement, Int32(column)) else { return nil }
        // Safe: the text has this many bytes, and stays valid until the next step.
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    private func isText(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT }
}
