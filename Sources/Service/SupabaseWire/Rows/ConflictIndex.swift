internal import Access
internal import Documents

/// The rows of a table by the columns in which a new row may not equal another one.
struct ConflictIndex {
    private let reader: TableReader
    private let plan: RowPlan
    private let columns: [Int]
    /// The value of `user_id` for a row that gives none; `nil` where there is no such value.
    private let owner: RowValue?
    private var rows: [[RowValue]: SelectedRow] = [:]
    /// The identities of rows that this request has added.
    private var added: [[RowValue]: String] = [:]

    /// Reads the rows that some new ones may equal.
    ///
    /// - Parameters:
    ///   - columns: the names, none of which need be known.
    ///   - owner: the person whose rows all of them are; `nil` if the request is about everybody's.
    init(
        _ columns: [String], of table: RowTable, owner: ID<Person>?, for inputs: [RowInput], in reader: TableReader
    ) throws(RowError) {
        self.reader = reader
        self.owner = owner.map { .uuid($0.text) }
        plan = try .everything(of: table)
        var places: [Int] = []
        for column in columns { places.append(try table.place(of: column)) }
        guard table.uniqueKeys.contains(Set(columns)) else { throw .noUniqueKey }
        self.columns = places
        let keys = inputs.compactMap(key)
        let values = places.indices.map { index in (places[index], Array(Set(keys.map { $0[index] }))) }
        let found = try reader.rows(plan, where: Dictionary(values) { first, _ in first })
        rows = Dictionary(found.map { row in (places.map { row.values[$0] }, row) }) { first, _ in first }
    }

    /// The stored row that equals a new one in all columns; `nil` if there is none, or if one of the values is null.
    func row(likeThis row: RowInput) throws(RowError) -> SelectedRow? {
        guard let key = key(of: row) else { return nil }
        if let row = rows[key] { return row }
        return try added[key].flatMap { id throws(RowError) in
            try reader.rows(plan, ids: [id]).first
        }
    }

    /// Notes that a new row was stored with an identity, so that a later one can equal it.
    mutating func add(_ row: RowInput, id: String) {
        if let key = key(of: row), added[key] == nil { added[key] = id }
    }

    private func key(of row: RowInput) -> [RowValue]? {
        let values = columns.map { place -> RowValue in
            let name = plan.table.columns[place].name
            return row.values[name] ?? (name == "user_id" ? owner : nil) ?? .null
        }
        return values.contains(where: \.isNull) ? nil : values
    }
}
