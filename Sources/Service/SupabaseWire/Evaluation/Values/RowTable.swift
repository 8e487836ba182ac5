/// A table of the wire: its columns and the tables that it points to.
package struct RowTable: Hashable, Sendable {
    /// What every row has a value of.
    package struct Column: Hashable, Sendable {
        /// As queries name it, in snake case.
        package var name: String
        /// How its literals are read and its values compared.
        package var type: ColumnType

        /// A column for a table of the wire.
        package init(_ name: String, _ type: ColumnType) {
            self.name = name
            self.type = type
        }
    }

    /// A column whose values are the identities of another table's rows.
    package struct ForeignKey: Hashable, Sendable {
        /// The name of the constraint.
        package var name: String
        /// This table's column, which holds the identities.
        package var column: String
        /// The other table's name; its column is `id`.
        package var target: String
    }

    /// As addresses name it.
    package var name: String
    /// In the order of `select=*`, and of the values in a row.
    package var columns: [Column]
    /// The ways along which other tables can be selected too.
    package var foreignKeys: [ForeignKey]

    private init(_ name: String, _ columns: [Column], foreignKeys: KeyValuePairs<String, String> = [:]) {
        self.name = name
        self.columns = columns
        self.foreignKeys = foreignKeys.map { column, target in
            ForeignKey(name: "\(name)_\(column)_fkey", column: column, target: target)
        }
    }

    /// The place of a column in a row; `nil` for a name that is none.
    package func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

extension RowTable {
    /// Every version of every document is a row.
    package static let documents = RowTable(
        "documents",
        [
            Column("id", .uuid), Column("user_id", .uuid), Column("type", .text), Column("title", .text),
            Column("description", .text), Column("file_url", .text), Column("file_type", .text),
            Column("version", .integer), Column("school_id", .uuid), Column("is_current", .boolean),
            Column("shared_with_schools", .array(.text)), Column("uploaded_by", .uuid),
            Column("created_at", .timestamp), Column("updated_at", .timestamp),
        ], foreignKeys: ["school_id": "schools"])

    /// A person's own list of schools.
    package static let schools = RowTable(
        "schools",
        [
            Column("id", .uuid), Column("user_id", .uuid), Column("name", .text), Column("created_at", .timestamp),
            Column("updated_at", .timestamp),
        ])

    /// Every document that is shared with a school, once for each school.
    package static let documentShares = RowTable(
        "document_shares",
        [
            Column("id", .uuid), Column("document_id", .uuid), Column("school_id", .uuid),
            Column("permission", .text), Column("created_at", .timestamp),
        ], foreignKeys: ["document_id": "documents", "school_id": "schools"])

    /// A person's reusable texts.
    package static let communicationTemplates = RowTable(
        "communication_templates",
        [
            Column("id", .uuid), Column("user_id", .uuid), Column("name", .text), Column("type", .text),
            Column("body", .text), Column("variables", .array(.text)), Column("created_at", .timestamp),
            Column("updated_at", .timestamp),
        ])

    /// All tables of the wire.
    package static let all = [documents, schools, documentShares, communicationTemplates]

    /// The table with this name.
    ///
    /// - Throws: `PGRST205`.
    package static func named(_ name: String) throws(RowError) -> RowTable {
        if let table = all.first(where: { $0.name == name }) { return table }
        throw .unknownTable(name, perhaps: Likeness.nearest(to: name, among: all.map(\.name), within: 3).first)
    }

    /// The place of a column that a query names.
    ///
    /// - Throws: `42703`, with the columns that may be meant.
    func place(of column: String) throws(RowError) -> Int {
        if let index = index(of: column) { return index }
        let nearest = Likeness.nearest(to: column, among: columns.map(\.name), within: min(3, column.utf8.count / 2))
        throw .unknownColumn(column, of: name, perhaps: nearest.count > 2 ? [] : nearest)
    }
}

/// How alike names are.
enum Likeness {
    /// The names nearest to a name by Levenshtein's distance; none beyond `limit`.
    static func nearest(to name: String, among names: [String], within limit: Int) -> [String] {
        guard name.utf8.count <= 64 else { return [] }
        let distances = names.map { (name: $0, distance: distance(name, $0)) }
        guard let least = distances.map(\.distance).min(), least <= limit else { return [] }
        return distances.filter { $0.distance == least }.map(\.name)
    }

    private static func distance(_ left: String, _ right: String) -> Int {
        let columns = Array(right.utf8)
        var row = Array(0...columns.count)
        for (rowIndex, byte) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = rowIndex + 1
            for (index, other) in columns.enumerated() {
                let changed = diagonal + (byte == other ? 0 : 1)
                diagonal = row[index + 1]
                row[index + 1] = min(changed, row[index] + 1, diagonal + 1)
            }
        }
        return row[columns.count]
    }
}
