/// A table of the wire: its columns and its foreign keys.
///
/// The database has a view of each, named `row_` and the table's name. Besides the columns here, each view has the
/// row's person as `user_id`. The view of documents also has the version's file as `object_id`.
package struct RowTable: Hashable, Sendable {
    /// A column, of which every row has a value.
    package struct Column: Hashable, Sendable {
        /// The name in queries, in snake case.
        package var name: String
        /// How its literals are read and its values compared.
        package var type: ColumnType
        /// Whether the value may be null.
        package var isNullable: Bool

        /// A column for a table of the wire.
        package init(_ name: String, _ type: ColumnType, isNullable: Bool = false) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
        }
    }

    /// A column whose values are the IDs of another table's rows.
    package struct ForeignKey: Hashable, Sendable {
        /// The name of the constraint.
        package var name: String
        /// This table's column, which has the IDs.
        package var column: String
        /// The other table's name; its column is `id`.
        package var target: String
    }

    /// The name in addresses.
    package var name: String
    /// In the order of `select=*`, and of the values in a row. The first one is `id`.
    package var columns: [Column]
    /// The foreign keys along which other tables can be selected too.
    package var foreignKeys: [ForeignKey]
    /// The sets of columns in which no two rows are equal.
    package var uniqueKeys: [Set<String>]

    private init(
        _ name: String, _ columns: [Column], foreignKeys: KeyValuePairs<String, String> = [:],
        unique: Set<String>? = nil
    ) {
        self.name = name
        self.columns = columns
        uniqueKeys = [["id"]] + [unique].compactMap(\.self)
        self.foreignKeys = foreignKeys.map { column, target in
            ForeignKey(name: "\(name)_\(column)_fkey", column: column, target: target)
        }
    }

    /// The view that a statement selects from.
    package var view: String { "row_\(name)" }

    /// The place of a column in a row; `nil` for an unknown name.
    package func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

extension RowTable {
    /// Every version of every document is a row.
    package static let documents = RowTable(
        "documents",
        [
            Column("id", .uuid), Column("user_id", .uuid), Column("type", .text), Column("title", .text),
            Column("description", .text, isNullable: true), Column("file_url", .text), Column("file_type", .text),
            Column("version", .integer), Column("school_id", .uuid, isNullable: true), Column("is_current", .boolean),
            Column("shared_with_schools", .texts), Column("uploaded_by", .uuid), Column("created_at", .timestamp),
            Column("updated_at", .timestamp),
        ], foreignKeys: ["school_id": "schools"])

    /// A person's own list of schools.
    package static let schools = RowTable(
        "schools",
        [
            Column("id", .uuid), Column("user_id", .uuid), Column("name", .text), Column("created_at", .timestamp),
            Column("updated_at", .timestamp),
        ], unique: ["user_id", "name"])

    /// Every document that is shared with a school, once for each school. A line is shared, not a version: its rows
    /// have the version that lists show.
    package static let documentShares = RowTable(
        "document_shares",
        [
            Column("id", .uuid), Column("document_id", .uuid), Column("school_id", .uuid),
            Column("permission", .text), Column("created_at", .timestamp),
        ], foreignKeys: ["document_id": "documents", "school_id": "schools"],
        unique: ["document_id", "school_id"])

    /// A person's reusable texts.
    package static let communicationTemplates = RowTable(
        "communication_templates",
        [
            Column("id", .uuid), Column("user_id", .uuid), Column("name", .text), Column("type", .text),
            Column("body", .text), Column("variables", .texts), Column("created_at", .timestamp),
            Column("updated_at", .timestamp),
        ])

    /// All tables of the wire.
    package static let all = [documents, schools, documentShares, communicationTemplates]

    /// The table with this name.
    ///
    /// - Throws: `PGRST205`.
    package static func named(_ name: String) throws(RowError) -> RowTable {
        guard let table = all.first(where: { $0.name == name }) else { throw .unknownTable(name) }
        return table
    }

    /// The place of a column that a query names.
    ///
    /// - Throws: `42703`; `PGRST127` for a path into JSON, because no column is JSON.
    func place(of column: String) throws(RowError) -> Int {
        if let index = index(of: column) { return index }
        throw column.contains("->") ? .notBuilt("Ways into JSON are not built.") : .unknownColumn(column, of: name)
    }
}
