internal import Database

/// What lists and look-ups say in different ways.
extension SQLDialect {
    /// Names the index that SQLite reads, which has no statistics of the tables; PostgreSQL chooses by its own.
    func indexed(by name: String) -> String {
        switch self {
        case .sqlite: "INDEXED BY \(name)"
        case .postgreSQL: ""
        }
    }

    /// Keeps SQLite from its indexes of conditions: rows are sought by their numbers.
    var notIndexed: String {
        switch self {
        case .sqlite: "NOT INDEXED"
        case .postgreSQL: ""
        }
    }
}
