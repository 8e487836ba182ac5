/// Rows that expire; readers ignore expired rows.
///
/// A person's change leaves them in place: it would wait for whoever changes or deletes the same rows of somebody
/// else's. The service's upkeep deletes them.
public struct ExpiringRows: Sendable {
    private let table: String
    private let key: String
    private let time: String
    private let condition: String

    /// - Parameters:
    ///   - table: the table's name.
    ///   - key: the column that is the primary key.
    ///   - time: the column with the time, in microseconds since 1970; an index begins with it.
    ///   - condition: what that index says of its rows.
    public init(_ table: String, key: String, time: String, where condition: String = "TRUE") {
        self.table = table
        self.key = key
        self.time = time
        self.condition = condition
    }

    fileprivate var isOver: String { "\(condition) AND \(time) < ?" }

    fileprivate func deletion(_ dialect: SQLDialect) -> String {
        """
        WITH ended AS (
            SELECT \(key) FROM \(table) WHERE \(isOver) ORDER BY \(time) LIMIT \(Self.step) \(dialect.skippingLocked))
        DELETE FROM \(table) WHERE \(key) IN (SELECT \(key) FROM ended)
        """
    }

    fileprivate var search: String { "SELECT 1 FROM \(table) WHERE \(isOver) LIMIT 1" }

    /// How many rows one transaction deletes at most: others may wait for it.
    fileprivate static let step = 1000
}

extension SQLDatabase {
    /// Deletes rows whose time lies before a moment, the oldest first, some in each of several short transactions. Rows
    /// that somebody has locked stay for the next call, so that nobody is waited for.
    public func remove(_ rows: ExpiringRows, before moment: Int64) throws {
        // Most of the time there is none, and then nothing is written.
        while try read({ session in try session.hasRow(rows.search, [moment]) }) {
            let count = try write([], .fast) { session in
                try session.execute(rows.deletion(session.dialect), [moment])
            }
            if count < ExpiringRows.step { return }
        }
    }
}

extension SQLDialect {
    /// What locks the rows that a `SELECT` chooses, without those that another transaction has locked. SQLite has one
    /// transaction of changes at a time.
    public var skippingLocked: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE SKIP LOCKED"
        }
    }
}
