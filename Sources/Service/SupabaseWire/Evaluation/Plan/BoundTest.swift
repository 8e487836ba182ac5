import Documents
import Media

/// A filter's test with values of the column's type.
enum BoundTest: Hashable, Sendable {
    /// How a value must stand to another.
    enum Relation: Hashable, Sendable {
        case equal, unequal, less, lessOrEqual, greater, greaterOrEqual
    }

    case relation(Relation, RowValue)
    case like(LikePattern)
    case among(Set<RowValue>)
    case set(RowTest.SetRelation, RowValue)
    case state(RowTest.State)
}

/// From text to values.
extension BoundTest {
    /// - Throws: PostgreSQL's error for a value or an operator that is not of the type.
    init(_ test: RowTest, of type: ColumnType) throws(RowError) {
        switch test {
        case .compare(let comparison, let quantifier, let value):
            self = try Self.comparison(comparison, quantifier, value, type)
        case .unequal(let value): self = .relation(.unequal, try type.value(of: value))
        case .set(let relation, let value):
            guard type.hasSets, !(type == .json && relation == .overlaps) else {
                throw Self.noOperator(["cs": "@>", "cd": "<@", "ov": "&&"][relation.rawValue] ?? "", type)
            }
            self = .set(relation, try type.value(of: value))
        case .range(let relation, _):
            let names = ["sl": "<<", "sr": ">>", "nxr": "&<", "nxl": "&>", "adj": "-|-"]
            throw Self.noOperator(names[relation.rawValue] ?? "", type)
        case .among(let literals):
            var values: Set<RowValue> = []
            for literal in literals { values.insert(try type.value(of: literal)) }
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
        case .equal: .relation(.equal, try type.value(of: value))
        case .greaterOrEqual: .relation(.greaterOrEqual, try type.value(of: value))
        case .greater: .relation(.greater, try type.value(of: value))
        case .lessOrEqual: .relation(.lessOrEqual, try type.value(of: value))
        case .less: .relation(.less, try type.value(of: value))
        case .like: .like(LikePattern(withPercents(value), ignoresCase: false))
        case .ilike: .like(LikePattern(withPercents(value), ignoresCase: true))
        case .match, .imatch: throw .notBuilt("Regular expressions are not built.")
        }
    }

    private static func withPercents(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(scalar == "*" ? "%" : scalar) }
        return String(scalars)
    }

    private static func noOperator(_ name: String, _ type: ColumnType) -> RowError {
        RowError(
            404, "42883", "operator does not exist: \(type.name) \(name) unknown",
            hint: "No operator matches the given name and argument types. You might need to add explicit type casts.")
    }
}

extension ColumnType {
    /// Whether values of the type contain others.
    fileprivate var hasSets: Bool {
        switch self {
        case .array, .json: true
        case .uuid, .text, .integer, .boolean, .timestamp: false
        }
    }
}

/// From values to an answer.
extension BoundTest {
    /// Whether the value passes; `nil` for unknown.
    func result(for value: RowValue, effort: inout Effort) throws(RowError) -> Bool? {
        if case .state(let state) = self { return Self.holds(state, value) }
        if value.isNull, self != .among([]) { return nil }
        switch self {
        case .relation(.equal, let other): return value == other
        case .relation(.unequal, let other): return value != other
        case .relation(let relation, let other): return relation.holds(value.order(to: other))
        case .like(let pattern):
            return try value.text.map { text throws(RowError) in
                try pattern.matches(text, effort: &effort)
            }
        case .among(let values): return values.contains(value)
        case .set(let relation, let other): return relation.holds(value, other)
        case .state: return nil
        }
    }

    private static func holds(_ state: RowTest.State, _ value: RowValue) -> Bool {
        switch state {
        case .null, .unknown: value.isNull
        case .notNull: !value.isNull
        case .true: value == .boolean(true)
        case .false: value == .boolean(false)
        }
    }
}

extension BoundTest.Relation {
    /// - Parameter order: of the column's value to the other one.
    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .unequal: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension RowTest.SetRelation {
    /// Nulls in arrays are equal to nothing.
    fileprivate func holds(_ value: RowValue, _ other: RowValue) -> Bool? {
        switch (value, other) {
        case (.array(let left), .array(let right)):
            switch self {
            case .contains: Self.contains(left, right)
            case .isContained: Self.contains(right, left)
            case .overlaps: left.contains { !$0.isNull && right.contains($0) }
            }
        case (.json(let left), .json(let right)):
            self == .contains ? Self.contains(left, right) : Self.contains(right, left)
        default: nil
        }
    }

    private static func contains(_ outer: [RowValue], _ inner: [RowValue]) -> Bool {
        let values = Set(outer)
        return inner.allSatisfy { !$0.isNull && values.contains($0) }
    }

    /// Containment of `jsonb`: an array may also contain a single value.
    private static func contains(_ outer: JSON, _ inner: JSON, isTop: Bool = true) -> Bool {
        switch (outer, inner) {
        case (.object, .object(let members)):
            members.allSatisfy { member in
                outer[member.key].map { contains($0, member.value, isTop: false) } ?? false
            }
        case (.array(let outers), .array(let inners)):
            inners.allSatisfy { inner in outers.contains { contains($0, inner, isTop: false) } }
        case (.array(let outers), _): isTop && inner.members == nil && outers.contains(inner)
        default: outer == inner
        }
    }
}

/// SQL's logic of three values: true, false and unknown.
enum Truth {
    static func and(_ left: Bool?, _ right: Bool?) -> Bool? {
        if left == false || right == false { return false }
        return left == nil || right == nil ? nil : true
    }

    static func or(_ left: Bool?, _ right: Bool?) -> Bool? {
        if left == true || right == true { return true }
        return left == nil || right == nil ? nil : false
    }
}
