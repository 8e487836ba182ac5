/// Rows that expire; readers ignore expired rows.
///
/// A person's change leaves them in place: it would have to wait for others that change or delete the same rows. The
/// service's upkeep deletes them.
public struct ExpiringRows: Sendable {
    private let table: String
    private let key: String
    private let time: String
    private let condition: String

    /// - Parameters:
    ///   - table: the table's name.
    ///   - key: the primary key column.
    ///   - time: the column with the time, in microseconds since 1970; an index begins with it.
    ///   - condition: the condition of that partial index.
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

    /// The maximum number of rows that one transaction deletes: others may wait for it.
    fileprivate static let step = 1000
}

extension SQLDatabase {
    /// Deletes rows whose time lies before a moment, oldest first, in several short transactions. Locked rows stay for
    /// the next call, so it waits for nobody.
    public func remove(_ rows: ExpiringRows, before moment: Int64) throws {
        // Usually there is none, and then nothing is written.
        while try read({ session in try session.hasRow(rows.search, [moment]) }) {
            let count = try write([], .fast) { session in
                try session.execute(rows.deletion(session.dialect), [moment])
            }
            if count < ExpiringRows.step { return }
        }
    }
}

extension SQLDialect {
    /// The clause that locks the rows of a `SELECT` and skips rows that another transaction has locked. Empty for
    /// SQLite, which has one write transaction at a time.
    public var skippingLocked: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: "FOR UPDATE SKIP LOCKED"
        }
    }
}
