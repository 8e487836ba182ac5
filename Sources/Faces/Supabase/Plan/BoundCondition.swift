/// A condition with its columns' places, and with values of the columns' types.
indirect enum BoundCondition: Hashable, Sendable {
    /// The place of a column, and the test of its value.
    case test(Int, BoundTest)
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
        if let index = relations.firstIndex(of: filter.column) {
            switch filter.test {
            case .state(.null): return .related(index, exists: filter.isNegated)
            case .state(.notNull): return .related(index, exists: !filter.isNegated)
            default: break
            }
        }
        let place = try table.place(of: filter.column)
        let test = BoundCondition.test(place, try BoundTest(filter.test, of: table.columns[place].type))
        return filter.isNegated ? .not(test) : test
    }

    /// The number of tests in the condition. Each value of a list counts, and so do the tests in a relation's
    /// condition.
    func weight(_ relations: [RowPlan.Relation]) -> Int {
        switch self {
        case .test(_, .among(let values)): 1 + values.count
        case .test: 1
        case .related(let index, _): 1 + relations[index].plan.weight
        case .all(let conditions), .any(let conditions): conditions.reduce(0) { $0 + $1.weight(relations) }
        case .not(let condition): condition.weight(relations)
        }
    }
}
