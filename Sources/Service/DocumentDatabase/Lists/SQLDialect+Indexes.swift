internal import SQL

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

    /// The condition that a column has one of some values, which are given together as one (`list`).
    ///
    /// - Parameter type: the column's, as PostgreSQL calls it.
    func isAmong(_ column: String, _ type: String) -> String {
        switch self {
        case .sqlite: "\(column) IN (SELECT value FROM json_each(?))"
        case .postgreSQL: "\(column) = ANY (CAST(? AS \(type)[]))"
        }
    }

    /// The value for `isAmong`.
    ///
    /// - Parameter items: numbers, or texts in quotation marks that need no escaping.
    func list(_ items: some Sequence<String>) -> String {
        let list = items.joined(separator: ",")
        return switch self {
        case .sqlite: "[\(list)]"
        case .postgreSQL: "{\(list)}"
        }
    }
}
