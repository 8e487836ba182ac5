/// One item of `select`.
package indirect enum RowSelection: Hashable, Sendable {
    /// All columns.
    case everything
    case column(SelectedColumn)
    case relation(SelectedRelation)
    /// An aggregate such as a count or a sum, which nobody may use.
    case aggregate
}

/// A column of the response.
package struct SelectedColumn: Hashable, Sendable {
    /// The column whose value is returned.
    package var column: String
    /// The key in the response, if it is not the column's name.
    package var alias: String?
    /// The type that the value is cast to.
    package var cast: String?

    /// An item of `select` without brackets.
    package init(_ column: String, alias: String? = nil, cast: String? = nil) {
        self.column = column
        self.alias = alias
        self.cast = cast
    }
}

/// Rows of another table that are returned inside the rows of this one.
package struct SelectedRelation: Hashable, Sendable {
    /// The other table, the foreign key or its column.
    package var target: String
    /// The key in the response, if it is not the target.
    package var alias: String?
    /// The foreign key or one of its columns, if there are several.
    package var hint: String?
    /// Whether rows without a row in the other table are left out.
    package var isInner: Bool
    /// Whether the other row's columns are placed beside this row's columns.
    package var isSpread: Bool
    /// The items between the brackets; without any, the relation only filters.
    package var selection: [RowSelection]

    /// An item of `select` with brackets.
    package init(
        _ target: String, alias: String? = nil, hint: String? = nil, isInner: Bool = false, isSpread: Bool = false,
        selection: [RowSelection]
    ) {
        self.target = target
        self.alias = alias
        self.hint = hint
        self.isInner = isInner
        self.isSpread = isSpread
        self.selection = selection
    }

    /// The name of the member in the response: the alias, or else the target.
    package var key: String { alias ?? target }
}

/// One item of `order`.
package struct RowOrder: Hashable, Sendable {
    /// What is compared.
    package enum Term: Hashable, Sendable {
        case column(String)
        /// A column of the one row of another table that is also selected.
        case related(String, String)
    }

    /// The values that decide.
    package var term: Term
    /// Whether the greatest comes first.
    package var isDescending: Bool
    /// Whether nulls come first.
    package var nullsFirst: Bool

    /// - Parameter nullsFirst: if `nil`, nulls come first in a descending order.
    package init(_ term: Term, isDescending: Bool = false, nullsFirst: Bool? = nil) {
        self.term = term
        self.isDescending = isDescending
        self.nullsFirst = nullsFirst ?? isDescending
    }
}
