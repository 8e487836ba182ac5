internal import GRDB
internal import GRDBSQLite

/// The statements that a connection has compiled for requests, for the next request with the same text.
///
/// GRDB never evicts from its cache, and requests produce an unbounded number of statements. Here only the latest stay.
///
/// Safe as `Sendable`: only one thread at a time uses a connection, and so this object.
final class CompiledStatements: @unchecked Sendable {
    private var kept: [String: (statement: Statement, lastUse: Int)] = [:]
    private var useCount = 0

    /// The maximum number of statements, of some ten KiB each, and the maximum length of a kept text in bytes.
    private static let (most, longestText) = (32, 4096)

    /// Runs `body` with a statement that nothing else uses at the same time.
    func with<Answer>(
        _ sql: String, in database: Database, _ body: (Statement) throws -> Answer
    ) throws -> Answer {
        let statement = try kept.removeValue(forKey: sql)?.statement ?? Self.compile(sql, in: database)
        defer { keep(statement, of: sql) }
        return try body(statement)
    }

    /// Names in a statement are the program's own, so only SQLite's limits (sqlite.org/limits.html) can refuse it.
    /// SQLite has no separate result code for them.
    private static func compile(_ sql: String, in database: Database) throws -> Statement {
        do {
            return try database.makeStatement(sql: sql)
        } catch let error as DatabaseError where [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode) {
            throw SQLiteFault(trouble: .tooComplex, description: error.message ?? "the statement is too complex")
        }
    }

    private func keep(_ statement: Statement, of sql: String) {
        // A statement on a row would hold its transaction open, and the values can be large.
        sqlite3_reset(statement.sqliteStatement)
        sqlite3_clear_bindings(statement.sqliteStatement)
        guard sql.utf8.count <= Self.longestText else { return }
        if kept.count >= Self.most, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
            kept[oldest] = nil
        }
        useCount += 1
        kept[sql] = (statement, useCount)
    }
}
