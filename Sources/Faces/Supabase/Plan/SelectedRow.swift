package import Media

/// A row that fulfils a query, with the rows that belong to it.
package struct SelectedRow: Sendable {
    /// A value for every column of the table; null for columns that were not selected.
    package let values: [RowValue]
    /// The person to whom the row belongs, whether or not the table has a column for that.
    package let owner: ID<Person>
    /// The file of a version; `nil` if it was removed.
    let object: ObjectID?
    /// The related rows or their count, for each relation of the plan.
    var related: [Related] = []

    /// What belongs to a row by one relation.
    enum Related: Sendable {
        case rows([SelectedRow])
        case count(Int64)

        var rows: [SelectedRow] { if case .rows(let rows) = self { rows } else { [] } }
    }

    /// The row's primary key.
    package var id: String { values[0].text ?? "" }

    init(values: [RowValue], owner: ID<Person>, object: ObjectID?) {
        self.values = values
        self.owner = owner
        self.object = object
    }
}
