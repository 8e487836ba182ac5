internal import Documents
internal import GRDB
internal import Media

/// A list's query as SQL: the filters, the order, and the place behind which the page begins.
struct ListStatement {
    private let query: ListQuery
    /// Conditions on rows of `documents`.
    private var conditions = ["user_id = ?"]
    /// The same filters on rows of `document_counts`, which know no texts.
    private var countConditions = ["user_id = ?"]
    private var arguments: [(any DatabaseValueConvertible)?]

    init(_ query: ListQuery, of owner: ID<Person>) {
        self.query = query
        arguments = [owner.text]
        addFilters()
    }

    /// The rows of the page and one more, which tells whether another page follows.
    func rows(in database: Database) throws -> [Row] {
        var page = self
        if let cursor = query.cursor { page.begin(behind: cursor) }
        let sql = """
            SELECT \(DocumentRow.columns) FROM documents WHERE shown AND \(page.conditions.joined(separator: " AND "))
            ORDER BY \(page.order) LIMIT \(query.limit + 1)
            """
        return try Row.fetchAll(
            database.cachedStatement(sql: sql), arguments: StatementArguments(page.arguments))
    }

    /// How many documents the filters let through: from the counts by type, school and sharing, unless there is a search.
    func filteredCount(in database: Database) throws -> Int {
        let sql =
            if query.search.isEmpty {
                """
                SELECT ifnull(sum(documents), 0) FROM document_counts
                WHERE \(countConditions.joined(separator: " AND "))
                """
            } else {
                "SELECT count(*) FROM documents WHERE shown AND \(conditions.joined(separator: " AND "))"
            }
        return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: StatementArguments(arguments)) ?? 0
    }

    private mutating func addFilters() {
        if !query.types.isEmpty {
            let types = query.types.map(\.rawValue).sorted()
            let condition = "type IN (\(types.map { _ in "?" }.joined(separator: ", ")))"
            addFilter(condition, counts: condition)
            arguments += types
        }
        switch query.school {
        case .school(let id):
            addFilter("school_id = ?", counts: "school_id = ?")
            arguments.append(id.text)
        case .general: addFilter("school_id IS NULL", counts: "school_id = ''")
        case nil: break
        }
        if let isShared = query.isShared {
            addFilter(isShared ? "share_count > 0" : "share_count = 0", counts: "is_shared = \(isShared ? 1 : 0)")
        }
        if !query.search.isEmpty {
            conditions.append("instr(search, ?) > 0")
            arguments.append(query.search.folded)
        }
    }

    private mutating func addFilter(_ condition: String, counts: String) {
        conditions.append(condition)
        countConditions.append(counts)
    }

    private var order: String {
        switch query.sort {
        case .newest: "created_at DESC, id DESC"
        case .oldest: "created_at, id"
        case .name: "title_key, id"
        case .type: "type, created_at DESC, id DESC"
        case .mostShared: "share_count DESC, created_at DESC, id DESC"
        }
    }

    private mutating func begin(behind cursor: ListCursor) {
        let (created, id) = (cursor.created.microseconds, cursor.id.text)
        switch query.sort {
        case .newest:
            conditions.append("(created_at, id) < (?, ?)")
            arguments += [created, id]
        case .oldest:
            conditions.append("(created_at, id) > (?, ?)")
            arguments += [created, id]
        case .name:
            conditions.append("(title_key, id) > (?, ?)")
            arguments += [cursor.key, id]
        case .type:
            conditions.append("type >= ? AND (type > ? OR (created_at, id) < (?, ?))")
            arguments += [cursor.key, cursor.key, created, id]
        case .mostShared:
            let count = Int(cursor.key) ?? 0
            conditions.append("share_count <= ? AND (share_count < ? OR (created_at, id) < (?, ?))")
            arguments += [count, count, created, id]
        }
    }
}
