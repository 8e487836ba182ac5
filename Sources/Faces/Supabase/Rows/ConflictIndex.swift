internal import Media

/// An index of a table's rows by the columns in which a new row may not equal another one.
struct ConflictIndex {
    private let table: RowTable
    private let columns: [Int]
    /// The value of `user_id` for a row that gives none; `nil` if there is no such value.
    private let owner: RowValue?
    private var rows: [[RowValue]: Match] = [:]

    /// The row that a new row equals.
    enum Match {
        case stored(SelectedRow)
        /// A row that the same request adds.
        case added
    }

    /// Reads the rows that new ones may equal.
    ///
    /// - Parameters:
    ///   - columns: the names, which may be unknown.
    ///   - owner: the person to whom all of them belong; `nil` if the request is about everybody's.
    init(
        _ columns: [String], of table: RowTable, owner: ID<Person>?, for inputs: [RowInput], in reader: TableReader
    ) throws(RowError) {
        self.table = table
        self.owner = owner.map { .uuid($0.text) }
        var places: [Int] = []
        for column in columns { places.append(try table.place(of: column)) }
        guard table.uniqueKeys.contains(Set(columns)) else { throw .noUniqueKey }
        self.columns = places
        let keys = inputs.compactMap(key)
        let values = places.indices.map { index in (places[index], Array(Set(keys.map { $0[index] }))) }
        let found = try reader.rows(.everything(of: table), where: Dictionary(values) { first, _ in first })
        rows = Dictionary(found.map { row in (places.map { row.values[$0] }, .stored(row)) }) { first, _ in first }
    }

    /// The row that equals a new one in all columns; `nil` if there is none, or if one of the values is null. Later
    /// rows can equal the new one.
    mutating func add(_ row: RowInput) -> Match? {
        guard let key = key(of: row) else { return nil }
        if let match = rows[key] { return match }
        rows[key] = .added
        return nil
    }

    private func key(of row: RowInput) -> [RowValue]? {
        let values = columns.map { place -> RowValue in
            let name = table.columns[place].name
            return row.values[name] ?? (name == "user_id" ? owner : nil) ?? .null
        }
        return values.contains(where: \.isNull) ? nil : values
    }
}
