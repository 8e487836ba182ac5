package import GRDB
internal import GRDBSQLite

/// A transaction on a connection of GRDB. Its errors are `SQLiteFault`s.
public final class SQLiteSession: SQLSession {
    private let database: Database
    private let compiled: CompiledStatements
    private let watch: StatementWatch?

    /// A session inside a transaction that the caller has begun, and ends.
    ///
    /// - Parameters:
    ///   - compiled: what the connection has compiled.
    ///   - watch: watches over the transaction.
    init(_ database: Database, _ compiled: CompiledStatements, _ watch: StatementWatch?) {
        self.database = database
        self.compiled = compiled
        self.watch = watch
    }

    /// Runs `body` with the connection, for what only SQLite has.
    ///
    /// - Throws: an `SQLiteFault` for an error of the driver, else what `body` throws.
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

    /// Steps through the rows of a statement, which the connection remembers for a while; the limit is checked while it runs.
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

    /// Looks into the file's table of tables, which GRDB would remember.
    public func hasTable(_ name: String) throws -> Bool {
        try hasRow("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [name])
    }

    /// A file has one change at a time.
    public func take(_ locks: [SQLLock]) {}

    /// SQLite has taken back the whole transaction after some failures, as of a full disk.
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

/// The columns of the row that a running statement stands on.
///
/// GRDB's rows copy every value, and their conversions end the process at a value of another type. Here a value is read where
/// SQLite has it, and is `nil` where it is NULL or of another type. It counts until the statement's next step.
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
        // Sound: the text has so many bytes, and stays until the next step.
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }

    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    private func isText(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT }
}
