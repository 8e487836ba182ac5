public import Media

/// What a database says about a backup of it: what was deleted since, and what it never had.
///
/// A restored database lacks the rows that were made after its backup began and before it was restored. If such a row
/// is missing, that does not mean that somebody deleted it.
public struct RestoreHistory: Sendable {
    /// The database.
    public let current: any SQLDatabase
    private let gaps: [ClosedRange<Int64>]

    /// Reads the restores of a database.
    public init(of current: any SQLDatabase) throws {
        self.current = current
        gaps = try current.read { session in
            try session.all("SELECT backed_up_at, restored_at FROM database_restores") { row in
                guard let start = row.integer(0), let end = row.integer(1), start <= end else { return nil }
                return start...end
            }
        }
    }

    /// The identities of rows that a backup has and that have been deleted since.
    ///
    /// - Parameter table: a table with the columns `id` and `created_at`.
    public func deleted(from table: String, of backup: any SQLDatabase) throws -> Set<String> {
        let kept = try current.read { session in Set(try session.all("SELECT id FROM \(table)") { $0.text(0) }) }
        return try backup.read { session in
            Set(try session.all("SELECT id FROM \(table) WHERE \(covers("created_at"))") { $0.text(0) })
        }.subtracting(kept)
    }

    /// The people whose data was removed, as long as the database remembers them.
    public func removedPersons() throws -> Set<ID<Person>> {
        try current.read { session in
            Set(try session.all("SELECT user_id FROM removed_persons") { $0.text(0).flatMap { ID($0) } })
        }
    }

    /// The condition under which a missing row must have been deleted.
    ///
    /// - Parameter column: the column with the row's creation time, in microseconds.
    package func covers(_ column: String) -> String {
        let conditions = gaps.map { "\(column) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
        return conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
    }
}
