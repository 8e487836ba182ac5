internal import Access
internal import Documents

/// The rows of a table by the columns in which a new row may not equal another one: read once for a request, and only if it is needed.
struct ConflictIndex {
    private let table: RowTable
    private let columns: [(name: String, place: Int)]
    /// The value of `user_id` for a row that gives none; `nil` where there is no such value.
    private let owner: RowValue?
    /// `nil` until somebody has asked for a row.
    private var rows: [[RowValue]: [RowValue]]?

    /// - Parameters:
    ///   - columns: the names, none of which need be known.
    ///   - owner: the person whose rows all of them are; `nil` if the request is about everybody's.
    init(_ columns: [String], of table: RowTable, owner: ID<Person>?) throws(RowError) {
        self.table = table
        self.owner = owner.map { .uuid($0.text) }
        var places: [(String, Int)] = []
        for column in columns { places.append((column, try table.place(of: column))) }
        self.columns = places
    }

    /// The stored row that equals a new one in all columns; `nil` if there is none, or if one of the values is null.
    mutating func row(likeThis row: RowInput, in source: CallerRows) throws(RowError) -> [RowValue]? {
        let key = columns.map { row.values[$0.name] ?? ($0.name == "user_id" ? owner : nil) ?? .null }
        if key.contains(where: \.isNull) { return nil }
        if rows == nil {
            rows = Dictionary(
                try source.rows(of: table).map { (self.key(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        }
        return rows?[key]
    }

    /// Notes a row that this request has added.
    mutating func add(_ row: [RowValue]) {
        let key = key(of: row)
        if rows?[key] == nil { rows?[key] = row }
    }

    private func key(of row: [RowValue]) -> [RowValue] { columns.map { row[$0.place] } }
}
