internal import GRDB
internal import GRDBSQLite

/// What a connection has compiled for requests, for the next request that asks the same.
///
/// GRDB keeps all that it is told to keep, and requests write endlessly many statements: here the latest stay.
///
/// Sound as `Sendable`: a connection, and with it this, is used by one thread at a time.
final class CompiledStatements: @unchecked Sendable {
    private var kept: [String: (statement: Statement, lastUse: Int)] = [:]
    private var useCount = 0

    /// Statements, each of some ten KiB; and the bytes of the longest text that is kept.
    private static let (most, longestText) = (32, 4096)

    /// Runs `body` with a statement that nothing else uses meanwhile.
    func with<Answer>(
        _ sql: String, in database: Database, _ body: (Statement) throws -> Answer
    ) throws -> Answer {
        let statement = try kept.removeValue(forKey: sql)?.statement ?? Self.compile(sql, in: database)
        defer { keep(statement, of: sql) }
        return try body(statement)
    }

    /// Names in a statement are the program's own, so that nothing but SQLite's limits (sqlite.org/limits.html) can refuse it: it has no code
    /// for them.
    private static func compile(_ sql: String, in database: Database) throws -> Statement {
        do {
            return try database.makeStatement(sql: sql)
        } catch let error as DatabaseError where [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode) {
            throw SQLiteFault(trouble: .tooComplex, description: error.message ?? "the statement is too complex")
        }
    }

    private func keep(_ statement: Statement, of sql: String) {
        // One that stands on a row would hold its transaction open; and the values can be large.
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
