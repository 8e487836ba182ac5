/// Conditions with many values.
extension SQLDialect {
    /// The condition that a column has one of some values, which are passed as a single value (`list`).
    ///
    /// - Parameter type: the column's type, as PostgreSQL names it.
    public func isAmong(_ column: String, _ type: String) -> String {
        switch self {
        case .sqlite: "\(column) IN (SELECT value FROM json_each(?))"
        case .postgreSQL: "\(column) = ANY (CAST(? AS \(type)[]))"
        }
    }

    /// The value for `isAmong`.
    ///
    /// - Parameter items: numbers, or texts in quotation marks that need no escaping.
    public func list(_ items: some Sequence<String>) -> String {
        let list = items.joined(separator: ",")
        return switch self {
        case .sqlite: "[\(list)]"
        case .postgreSQL: "{\(list)}"
        }
    }
}
