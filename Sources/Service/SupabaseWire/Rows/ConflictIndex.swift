internal import Access
internal import Documents

/// The rows of a table by the columns in which a new row may not equal another one.
struct ConflictIndex {
    private let reader: RowReader
    private let plan: RowPlan
    private let columns: [Int]
    /// The value of `user_id` for a row that gives none; `nil` where there is no such value.
    private let owner: RowValue?
    private var rows: [[RowValue]: SelectedRow] = [:]

    /// Reads the rows that some new ones may equal, with a statement for the column of most values.
    ///
    /// - Parameters:
    ///   - columns: the names, none of which need be known.
    ///   - owner: the person whose rows all of them are; `nil` if the request is about everybody's.
    init(
        _ columns: [String], of table: RowTable, owner: ID<Person>?, for inputs: [RowInput], in reader: RowReader
    ) throws(RowError) {
        self.reader = reader
        self.owner = owner.map { .uuid($0.text) }
        plan = try RowPlan(RowQuery(), of: table)
        var places: [Int] = []
        for column in columns { places.append(try table.place(of: column)) }
        self.columns = places
        let keys = inputs.compactMap(key)
        let values = places.indices.map { index in Set(keys.map { $0[index] }) }
        guard let most = values.indices.max(by: { values[$0].count < values[$1].count }) else { return }
        let found = try reader.rows(plan, where: places[most], isAmong: Array(values[most]), everything: true)
        rows = Dictionary(found.map { row in (places.map { row.values[$0] }, row) }) { first, _ in first }
    }

    /// The stored row that equals a new one in all columns; `nil` if there is none, or if one of the values is null.
    func row(likeThis row: RowInput) -> SelectedRow? { key(of: row).flatMap { rows[$0] } }

    /// Notes that a new row was stored with an identity, so that a later one can equal it.
    mutating func add(_ row: RowInput, id: String) throws(RowError) {
        guard let key = key(of: row), rows[key] == nil else { return }
        rows[key] = try reader.rows(plan, ids: [id], everything: true).first
    }

    private func key(of row: RowInput) -> [RowValue]? {
        let values = columns.map { place -> RowValue in
            let name = plan.table.columns[place].name
            return row.values[name] ?? (name == "user_id" ? owner : nil) ?? .null
        }
        return values.contains(where: \.isNull) ? nil : values
    }
}
