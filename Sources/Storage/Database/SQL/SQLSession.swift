/// A connection to a database, inside one transaction. The stores use it for everything that is the same in SQLite and
/// PostgreSQL.
///
/// Statements have `?` (or `?1`, `?2`) for their values. A driver prepares each text once per connection, so values
/// never belong in the text. Both databases support what the stores use: `ON CONFLICT`, `RETURNING`, `coalesce`, `TRUE`
/// and `FALSE`. If they differ, `dialect` says which one it is.
public protocol SQLSession: AnyObject {
    /// The SQL dialect of the database.
    var dialect: SQLDialect { get }

    /// Runs a statement, and lends each row that it returns. A row is valid until the closure returns. The closure runs
    /// no statements.
    ///
    /// - Throws: the driver's error, or what `body` throws.
    func forEachRow(
        _ sql: String, _ values: [(any SQLConvertible)?], _ body: (any SQLRow) throws -> Void) throws

    /// Runs a statement whose text is made for one request, and lends each row. It stays prepared only for a while at
    /// most, and its running time is bounded.
    ///
    /// - Throws: as `forEachRow`; if the limit ends the statement, a fault whose trouble is `stopped`.
    func forEachRow(
        of statement: SQLText, within limit: SQLLimit, _ body: (any SQLRow) throws -> Void) throws

    /// Runs a statement that returns no rows.
    ///
    /// - Returns: the number of rows that it has inserted, changed or deleted.
    @discardableResult
    func execute(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> Int

    /// Runs a statement that returns no rows. Its error may be thrown by a later statement, at the latest at the end of
    /// the transaction. Across a network, many such statements cost one round trip.
    func executeLater(_ sql: String, _ values: [(any SQLConvertible)?]) throws

    /// Rolls back to the last `SAVEPOINT part`, and releases it, unless the failure has ended the whole transaction. If
    /// that fails, the commit is refused.
    func takeBackPart()

    /// Runs several statements without values, as for creating tables.
    func script(_ sql: String) throws

    /// Whether a table of the name exists.
    func hasTable(_ name: String) throws -> Bool

    /// Waits for locks, and holds them until the end of the transaction.
    func take(_ locks: [SQLLock]) throws
}

/// A database whose SQL a session uses.
public enum SQLDialect: Sendable {
    case sqlite
    case postgreSQL
}

/// Stops reading rows.
private struct Enough: Error {}

extension SQLSession {
    /// Runs the statement immediately.
    public func executeLater(_ sql: String, _ values: [(any SQLConvertible)?]) throws { try execute(sql, values) }

    /// Runs a part of the transaction; if it fails, only this part is rolled back.
    func savepoint<Answer>(_ body: () throws -> Answer) throws -> Answer {
        // Of savepoints with one name, the last one counts. Each statement waits, so earlier statements fail in their
        // own part.
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

    /// Runs a statement without values that returns no rows.
    @discardableResult
    public func execute(_ sql: String) throws -> Int { try execute(sql, []) }

    /// Runs one of the program's own statements, composed of parts, and lends each row.
    public func forEachRow(of statement: SQLText, _ body: (any SQLRow) throws -> Void) throws {
        try forEachRow(statement.text, statement.values, body)
    }

    /// What `body` makes from each row of a statement that is composed of parts; `nil` results are omitted.
    public func all<Answer>(of statement: SQLText, _ body: (any SQLRow) throws -> Answer?) throws -> [Answer] {
        try all(statement.text, statement.values, body)
    }

    /// What `body` makes from each row; `nil` results are omitted.
    public func all<Answer>(
        _ sql: String, _ values: [(any SQLConvertible)?] = [], _ body: (any SQLRow) throws -> Answer?
    ) throws -> [Answer] {
        var answers: [Answer] = []
        try forEachRow(sql, values) { row in
            if let answer = try body(row) { answers.append(answer) }
        }
        return answers
    }

    /// What `body` makes from the first row; `nil` if there is none.
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
            // The rows after the first one are not read.
        }
        return answer
    }

    /// The first column of the first row as a whole number; `nil` if there is none.
    public func integer(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws -> Int64? {
        try first(sql, values) { $0.integer(0) }
    }

    /// The first column of the first row as a text; `nil` if there is none.
    public func text(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws -> String? {
        try first(sql, values) { $0.text(0) }
    }

    /// Whether the statement returns a row.
    public func hasRow(_ sql: String, _ values: [(any SQLConvertible)?] = []) throws -> Bool {
        try first(sql, values) { _ in true } ?? false
    }
}

/// The current row of a running statement. A value of a different type than requested is `nil`, like NULL.
public protocol SQLRow {
    /// A whole number; a Boolean is 0 or 1.
    func integer(_ column: Int) -> Int64?

    /// A text; broken UTF-8 is repaired.
    func text(_ column: Int) -> String?

    /// The UTF-8 of a text, in the driver's memory. It is valid as long as the row is.
    func utf8(_ column: Int) -> UnsafeRawBufferPointer?

    /// Whether the column is NULL.
    func isNull(_ column: Int) -> Bool
}

/// A value that a statement accepts.
public enum SQLValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case boolean(Bool)
}

/// A type that can replace a `?` of a statement.
public protocol SQLConvertible {
    /// The value that the database receives.
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
    /// A Boolean; 0 or 1 in SQLite.
    public var sqlValue: SQLValue { .boolean(self) }
}
