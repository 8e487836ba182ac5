/// A condition with its columns' places and values of their types.
indirect enum BoundCondition: Hashable, Sendable {
    case test(ColumnExpression, BoundTest)
    /// Whether rows of a selected relation exist.
    case related(Int, exists: Bool)
    case all([BoundCondition])
    case any([BoundCondition])
    case not(BoundCondition)

    /// - Parameter relations: the keys of the selected relations, which filters may name as columns.
    init(_ condition: RowCondition, of table: RowTable, relations: [String]) throws(RowError) {
        switch condition {
        case .filter(let filter): self = try Self.filter(filter, of: table, relations)
        case .all(let conditions): self = .all(try Self.list(conditions, table, relations))
        case .any(let conditions): self = .any(try Self.list(conditions, table, relations))
        case .not(let condition): self = .not(try BoundCondition(condition, of: table, relations: relations))
        }
    }

    private static func list(
        _ conditions: [RowCondition], _ table: RowTable, _ relations: [String]
    ) throws(RowError) -> [BoundCondition] {
        var bound: [BoundCondition] = []
        for condition in conditions {
            bound.append(try BoundCondition(condition, of: table, relations: relations))
        }
        return bound
    }

    private static func filter(
        _ filter: RowFilter, of table: RowTable, _ relations: [String]
    ) throws(RowError) -> BoundCondition {
        if filter.column.steps.isEmpty, let index = relations.firstIndex(of: filter.column.name) {
            switch filter.test {
            case .state(.null): return .related(index, exists: filter.isNegated)
            case .state(.notNull): return .related(index, exists: !filter.isNegated)
            default: break
            }
        }
        let column = try ColumnExpression(filter.column, of: table)
        let test = BoundCondition.test(column, try BoundTest(filter.test, of: column.type))
        return filter.isNegated ? .not(test) : test
    }

    /// Whether a row fulfils the condition; `nil` for unknown.
    ///
    /// - Parameter related: for each selected relation, whether it has rows for this row.
    func result(for row: [RowValue], related: [Bool], effort: inout Effort) throws(RowError) -> Bool? {
        switch self {
        case .test(let column, let test):
            try effort.spend(1)
            return try test.result(for: column.value(in: row), effort: &effort)
        case .related(let index, let exists): return related[index] == exists
        case .not(let condition):
            return try condition.result(for: row, related: related, effort: &effort).map { !$0 }
        case .all(let conditions):
            var result: Bool? = true
            for condition in conditions where result != false {
                result = Truth.and(result, try condition.result(for: row, related: related, effort: &effort))
            }
            return result
        case .any(let conditions):
            var result: Bool? = false
            for condition in conditions where result != true {
                result = Truth.or(result, try condition.result(for: row, related: related, effort: &effort))
            }
            return result
        }
    }
}
