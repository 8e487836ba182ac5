internal import Documents
internal import GRDB
internal import Media

/// A list's query as SQL: the filters, the order, and the place behind which the page begins.
///
/// Each statement names its index: SQLite has no statistics of the tables, and would sometimes read all of an owner's rows.
struct ListStatement {
    /// A condition with the arguments of its question marks.
    struct Condition {
        let sql: String
        let arguments: [any DatabaseValueConvertible]

        init(_ sql: String, _ arguments: [any DatabaseValueConvertible] = []) {
            self.sql = sql
            self.arguments = arguments
        }
    }

    /// The rows among which a page is sought.
    enum Source {
        /// All of the owner's, in the list's order.
        case order
        /// Those that an index of filters finds, which are then sorted.
        case index(String)
        /// Rows that are known already, which are then sorted.
        case numbers([Int64])
    }

    let query: ListQuery
    let owner: ID<Person>
    /// The filters but the search, for rows of `documents`.
    let filters: [Condition]
    /// The same filters for rows of `document_counts`.
    let countFilters: [Condition]

    init(_ query: ListQuery, of owner: ID<Person>) {
        self.query = query
        self.owner = owner
        filters = Self.filters(query, general: "school_id IS NULL", shared: "share_count > 0", other: "share_count = 0")
        countFilters = Self.filters(
            query, general: "school_id = ''", shared: "is_shared = 1", other: "is_shared = 0")
    }

    private static func filters(_ query: ListQuery, general: String, shared: String, other: String) -> [Condition] {
        var filters: [Condition] = []
        if !query.types.isEmpty {
            let types = query.types.map(\.rawValue).sorted()
            filters.append(Condition("type IN (\(types.map { _ in "?" }.joined(separator: ", ")))", types))
        }
        switch query.school {
        case .school(let id): filters.append(Condition("school_id = ?", [id.text]))
        case .general: filters.append(Condition(general))
        case nil: break
        }
        if let isShared = query.isShared { filters.append(Condition(isShared ? shared : other)) }
        return filters
    }

    /// The condition of the search, without an index.
    var contains: Condition { Condition("instr(search, ?) > 0", [query.search.folded]) }

    /// Rows of a segment in the list's order, without the first `skipped` ones.
    func rows(
        of segment: Condition, from source: Source, also condition: Condition?, skipping skipped: Int, limit: Int,
        in database: Database
    ) throws -> [Row] {
        let (index, numbers): (String, Condition?) =
            switch source {
            case .order: ("INDEXED BY \(orderIndex)", nil)
            case .index(let name): ("INDEXED BY \(name)", nil)
            case .numbers(let numbers):
                ("NOT INDEXED", Condition("number IN (SELECT value FROM json_each(?))", [Self.list(numbers)]))
            }
        let conditions =
            [numbers, Condition("user_id = ?", [owner.text])].compactMap { $0 } + filters
            + [condition, segment].compactMap { $0 }
        let sql = """
            SELECT \(DocumentRow.columns) FROM documents \(index) WHERE shown AND \(Self.text(conditions))
            ORDER BY \(order) LIMIT ? OFFSET ?
            """
        return try Row.fetchAll(
            database.cachedStatement(sql: sql),
            arguments: StatementArguments(conditions.flatMap(\.arguments) + [limit, skipped]))
    }

    static func text(_ conditions: [Condition]) -> String { conditions.map(\.sql).joined(separator: " AND ") }

    static func list(_ numbers: [Int64]) -> String { "[\(numbers.map(String.init).joined(separator: ","))]" }
}

extension ListStatement {
    private var order: String {
        switch query.sort {
        case .newest: "created_at DESC, id DESC"
        case .oldest: "created_at, id"
        case .name: "title_key, id"
        case .type: "type, created_at DESC, id DESC"
        case .mostShared: "share_count DESC, created_at DESC, id DESC"
        }
    }

    /// The index whose order is the list's.
    private var orderIndex: String {
        switch query.sort {
        case .newest, .oldest: "document_times"
        case .name: "document_titles"
        case .type: "document_types"
        case .mostShared: "document_share_counts"
        }
    }

    /// The rows behind the cursor as ranges of the order's index, to be read one after the other.
    ///
    /// The order by type mixes directions, so that no single range is the rest of the list.
    var segments: [Condition] {
        guard let cursor = query.cursor else { return [Condition("1")] }
        let place: [any DatabaseValueConvertible] = [cursor.created.microseconds, cursor.id.text]
        switch query.sort {
        case .newest: return [Condition("(created_at, id) < (?, ?)", place)]
        case .oldest: return [Condition("(created_at, id) > (?, ?)", place)]
        case .name: return [Condition("(title_key, id) > (?, ?)", [cursor.key, cursor.id.text])]
        case .type:
            return [
                Condition("type = ? AND (created_at, id) < (?, ?)", [cursor.key] + place),
                Condition("type > ?", [cursor.key]),
            ]
        case .mostShared:
            return [Condition("(share_count, created_at, id) < (?, ?, ?)", [Int(cursor.key) ?? 0] + place)]
        }
    }
}
