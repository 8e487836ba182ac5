public import Documents
public import SQL

/// The restores of a database.
///
/// A restored database does not have what was made after the backup began and before it was restored. That such a row is missing does
/// not say that somebody deleted it.
public struct RestoreHistory: Sendable {
    private let gaps: [ClosedRange<Int64>]

    /// Reads the history of a database.
    public init(of database: any SQLDatabase) throws(DocumentError) {
        do {
            gaps = try database.read { session in
                try session.all("SELECT backed_up_at, restored_at FROM database_restores") { row in
                    guard let start = row.integer(0), let end = row.integer(1), start <= end else { return nil }
                    return start...end
                }
            }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// The condition that the database would have a row unless it was deleted.
    ///
    /// - Parameter column: when the row was made, in microseconds.
    public func covers(_ column: String) -> String {
        let conditions = gaps.map { "\(column) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
        return conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
    }
}
