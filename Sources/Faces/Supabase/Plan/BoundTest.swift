import Media

/// A filter's test with values of the column's type.
enum BoundTest: Hashable, Sendable {
    /// A comparison of two values, as SQL writes it.
    enum Relation: String, Hashable, Sendable {
        case equal = "="
        case unequal = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    case relation(Relation, RowValue)
    case like(LikePattern)
    case among([RowValue])
    case set(RowTest.SetRelation, [String?])
    case state(RowTest.State)

    /// - Throws: PostgreSQL's error for a value or an operator that is not of the type.
    init(_ test: RowTest, of type: ColumnType) throws(RowError) {
        switch test {
        case .compare(let comparison, let quantifier, let value):
            self = try Self.comparison(comparison, quantifier, value, type)
        case .unequal(let value): self = .relation(.unequal, try Self.single(value, type))
        case .set(let relation, let literal):
            guard case .texts(let texts) = type == .texts ? try type.value(of: literal) : .null else {
                throw Self.noOperator(["cs": "@>", "cd": "<@", "ov": "&&"][relation.rawValue] ?? "", type)
            }
            self = .set(relation, texts)
        case .range(let relation, _):
            let names = ["sl": "<<", "sr": ">>", "nxr": "&<", "nxl": "&>", "adj": "-|-"]
            throw Self.noOperator(names[relation.rawValue] ?? "", type)
        case .among(let literals):
            var values: [RowValue] = []
            for literal in literals { values.append(try Self.single(literal, type)) }
            self = .among(values)
        case .state(let state):
            let isTruth = state == .true || state == .false || state == .unknown
            guard !isTruth || type == .boolean else {
                throw RowError(
                    400, "42804",
                    "argument of IS \(state.rawValue.uppercased()) must be type boolean, not type \(type.name)")
            }
            self = .state(state)
        case .distinct: throw .notBuilt("The operator isdistinct is not built.")
        case .search: throw .notBuilt("Full text search is not built.")
        }
    }

    private static func comparison(
        _ comparison: RowTest.Comparison, _ quantifier: RowTest.Quantifier?, _ value: String, _ type: ColumnType
    ) throws(RowError) -> BoundTest {
        guard quantifier == nil else { throw .notBuilt("The operators with (any) and (all) are not built.") }
        let patterns: [RowTest.Comparison: String] = [.like: "~~", .ilike: "~~*"]
        if let name = patterns[comparison], type != .text { throw noOperator(name, type) }
        return switch comparison {
        case .equal: .relation(.equal, try single(value, type))
        case .greaterOrEqual: .relation(.greaterOrEqual, try single(value, type))
        case .greater: .relation(.greater, try single(value, type))
        case .lessOrEqual: .relation(.lessOrEqual, try single(value, type))
        case .less: .relation(.less, try single(value, type))
        case .like: .like(try LikePattern(value, ignoresCase: false))
        case .ilike: .like(try LikePattern(value, ignoresCase: true))
        case .match, .imatch: throw .notBuilt("Regular expressions are not built.")
        }
    }

    /// A value to compare with a column's.
    private static func single(_ literal: String, _ type: ColumnType) throws(RowError) -> RowValue {
        guard type != .texts else { throw .notBuilt("Arrays are compared by cs, cd and ov alone.") }
        return try type.value(of: literal)
    }

    private static func noOperator(_ name: String, _ type: ColumnType) -> RowError {
        RowError(
            404, "42883", "operator does not exist: \(type.name) \(name) unknown",
            hint: "No operator matches the given name and argument types. You might need to add explicit type casts.")
    }
}
