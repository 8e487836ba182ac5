/// A connection to a database, inside one transaction. The stores say by it what is the same in SQLite and in PostgreSQL.
///
/// Statements have `?` (or `?1`, `?2`) for their values. A driver prepares each text once a connection, so values never belong into
/// the text. Both databases know the statements that the stores use: `ON CONFLICT`, `RETURNING`, `coalesce`, `TRUE` and `FALSE`;
/// where they differ, `dialect` says which one it is.
public protocol SQLSession: AnyObject {
    /// The database whose SQL is spoken.
    var dialect: SQLDialect { get }

    /// Runs a statement, and lends each row that it gives; a row counts until the closure returns. The closure runs no statements.
    ///
    /// - Throws: the driver's error, or what `body` throws.
    func forEachRow(
        _ sql: String, _ values: [(any SQLConvertible)?], _ body: (any SQLRow) throws -> Void) throws

    /// Runs a statement whose text is made for one request, and lends each row: it is kept prepared for a while at most, and may not go on
    /// for ever.
    ///
    /// - Throws: as `forEachRow`; where the limit ends the statement, a fault whose trouble is `stopped`.
    func forEachRow(
        of statement: SQLText, within limit: SQLLimit, _ body: (any SQLRow) throws -> Void) throws

    /// Runs a statement that gives no rows.
    ///
    /// - Returns: the number of rows that it has inserted, changed or deleted.
    @discardableResult
    func execute(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> Int

    /// Runs a statement that gives no rows, and whose refusal may show with a later one, at the latest at the end of the transaction. Many
    /// of them cost a server behind a network one round trip.
    func executeLater(_ sql: String, _ values: [(any SQLConvertible)?]) throws

    /// Undoes what was done since the last `SAVEPOINT part`, and ends it, unless the failure has ended the whole transaction. Where that
    /// cannot be done, the commit is refused.
    func takeBackPart()

    /// Runs several statements without values: the making of tables.
    func script(_ sql: String) throws

    /// Whether there is a table of the name.
    func hasTable(_ name: String) throws -> Bool

    /// Waits for locks, which are held until the end of the transaction.
    func take(_ locks: [SQLLock]) throws
}

/// A database whose SQL a session speaks.
public enum SQLDialect: Sendable {
    case sqlite
    case postgreSQL
}

/// Ends the reading of rows.
private struct Enough: Error {}

extension SQLSession {
    /// Runs it at once.
    public func executeLater(_ sql: String, _ values: [(any SQLConvertible)?]) throws { try execute(sql, values) }

    /// Runs a part of the transaction that is taken back alone where it fails.
    func savepoint<Answer>(_ body: () throws -> Answer) throws -> Answer {
        // Of savepoints of one name the last one counts. Each statement waits, so that what was sent before it fails in its own part.
        try execute("SAVEPOINT part")
        do {
            let answer = try body()
            try execute("RELEASE SAVEPOINT part")
            return answer
        } catch {
            takeBackPart()
            throw error
        }
    }

    /// Runs a statement without values that gives no rows.
    @discardableResult
    public func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    /// Runs a statement of the program's own, put together of parts, and lends each row.
    public func forEachRow(of statement: SQLText, _ body: (any SQLRow) throws -> Void) throws {
        try forEachRow(statement.text, statement.values, body)
    }

    /// What `body` makes of each row of a statement that is put together of parts, without those of which it makes `nil`.
    public func all<Answer>(of statement: SQLText, _ body: (any SQLRow) throws -> Answer?) throws -> [Answer] {
        try all(statement.text, statement.values, body)
    }

    /// What `body` makes of each row, without those of which it makes `nil`.
    public func all<Answer>(
        _ sql: String, _ values: [(any SQLConvertible)?] = [], _ body: (any SQLRow) throws -> Answer?
    ) throws -> [Answer] {
        var answers: [Answer] = []
        try forEachRow(sql, values) { row in
            if let answer = try body(row) { answers.append(answer) }
        }
        return answers
    }

    /// What `body` makes of the first row; `nil` where there is none.
    public func first<Answer>(
        _ sql: String, _ values: [(any SQLConvertible)?] = [], _ body: (any SQLRow) throws -> Answer?
    ) throws -> Answer? {
        var answer: Answer?
        do {
            try forEachRow(sql, values) { row in
                answer = try body(row)
                throw Enough()
            }
        } catch is Enough {
            // The rows behind the first one are not asked for.
        }
        return answer
    }

    /// The first column of the first row as a whole number; `nil` where there is none.
    public func integer(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws -> Int64? {
        try first(sql, values) { $0.integer(0) }
    }

    /// The first column of the first row as a text; `nil` where there is none.
    public func text(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws -> String? {
        try first(sql, values) { $0.text(0) }
    }

    /// Whether the statement gives a row.
    public func hasRow(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws -> Bool {
        try first(sql, values) { _ in true } ?? false
    }
}

/// The row that a running statement stands on. A value of another type than asked for is `nil`, like NULL.
public protocol SQLRow {
    /// A whole number; a truth value is 0 or 1.
    func integer(_ column: Int) -> Int64?

    /// A text; broken UTF-8 is repaired.
    func text(_ column: Int) -> String?

    /// The UTF-8 of a text where the driver has it. It counts as long as the row does.
    func utf8(_ column: Int) -> UnsafeRawBufferPointer?

    /// Whether the column is NULL.
    func isNull(_ column: Int) -> Bool
}

/// A value that a statement takes.
public enum SQLValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case boolean(Bool)
}

/// What can stand for a `?` of a statement.
public protocol SQLConvertible {
    /// The value that the database gets.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    /// Itself.
    public var sqlValue: SQLValue { self }
}

extension String: SQLConvertible {
    /// A text.
    public var sqlValue: SQLValue { .text(self) }
}

extension Int: SQLConvertible {
    /// A number of 64 bits.
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLConvertible {
    /// The number.
    public var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLConvertible {
    /// A truth value; 0 or 1 in SQLite.
    public var sqlValue: SQLValue { .boolean(self) }
}
