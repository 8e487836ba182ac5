/// A test of one column, such as `title=not.ilike.*video*`.
package struct RowFilter: Hashable, Sendable {
    /// The tested column.
    package var column: String
    /// Whether the test's result is negated; unknown stays unknown.
    package var isNegated: Bool
    /// How the value is tested.
    package var test: RowTest

    /// A filter of a query.
    package init(_ column: String, isNegated: Bool = false, _ test: RowTest) {
        self.column = column
        self.isNegated = isNegated
        self.test = test
    }
}

/// What a filter tests; the values are text that is not yet bound to a column's type.
package enum RowTest: Hashable, Sendable {
    /// An operator that `(any)` and `(all)` may follow.
    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal = "eq"
        case greaterOrEqual = "gte"
        case greater = "gt"
        case lessOrEqual = "lte"
        case less = "lt"
        case like, ilike, match, imatch
    }

    /// How many elements of an array must pass.
    package enum Quantifier: String, Hashable, Sendable, CaseIterable {
        case any, all
    }

    /// A relation of two sets.
    package enum SetRelation: String, Hashable, Sendable, CaseIterable {
        case contains = "cs"
        case isContained = "cd"
        case overlaps = "ov"
    }

    /// A relation of two ranges; no column has a range.
    package enum RangeRelation: String, Hashable, Sendable, CaseIterable {
        case left = "sl"
        case right = "sr"
        case notRight = "nxr"
        case notLeft = "nxl"
        case adjacent = "adj"
    }

    /// The words after `is`.
    package enum State: String, Hashable, Sendable, CaseIterable {
        case null
        case notNull = "not_null"
        case `true`, `false`, unknown
    }

    /// An operator of full text search, which is not implemented.
    package enum Search: String, Hashable, Sendable, CaseIterable {
        case words = "fts"
        case plain = "plfts"
        case phrase = "phfts"
        case web = "wfts"
    }

    case compare(Comparison, Quantifier?, String)
    case unequal(String)
    case set(SetRelation, String)
    case range(RangeRelation, String)
    /// One of these values; none if the list is empty.
    case among([String])
    case state(State)
    /// Different from the value; null counts as a value.
    case distinct(String)
    case search(Search, String)
}

/// The condition that rows must fulfil: filters joined by and, or and not.
package indirect enum RowCondition: Hashable, Sendable {
    case filter(RowFilter)
    case all([RowCondition])
    case any([RowCondition])
    case not(RowCondition)

    /// Whether every row fulfils it.
    package var isEmpty: Bool { self == .all([]) }
}
