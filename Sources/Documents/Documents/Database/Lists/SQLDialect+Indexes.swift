internal import Database

/// SQL of lists and look-ups that differs between the engines.
extension SQLDialect {
    /// Names the index for SQLite, which has no table statistics; PostgreSQL chooses by its own.
    func indexed(by name: String) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(name)"
        case .postgreSQL: ""
        }
    }

    /// Keeps SQLite from using indexes of conditions: rows are found by their numbers.
    var notIndexed: String {
        switch self {
        case .sqlite: "NOT INDEXED"
        case .postgreSQL: ""
        }
    }
}
