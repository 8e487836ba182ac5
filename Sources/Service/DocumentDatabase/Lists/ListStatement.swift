internal import Documents
internal import Media
internal import SQL

/// A list's query as SQL: the filters, the order, and the place behind which the page begins.
///
/// Each statement names its index: SQLite has no statistics of the tables, and would sometimes read all of an owner's rows.
struct ListStatement {
    /// A condition with the arguments of its question marks.
    struct Condition {
        let sql: String
        let arguments: [any SQLConvertible]

        init(_ sql: String, _ arguments: [any SQLConvertible] = []) {
            self.sql = sql
            self.arguments = arguments
        }
    }

    /// A part of the list that one range of the order's index holds; the parts follow each other.
    struct Segment {
        /// The range, with the filters.
        var conditions: [Condition]
        let order: String
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
    let dialect: SQLDialect
    /// The filters but the search, for rows of `documents`.
    var filters: [Condition] { [typeFilter].compactMap { $0 } + otherFilters }
    private let typeFilter: Condition?
    private let otherFilters: [Condition]
    /// The same filters for rows of `document_counts`.
    let countFilters: [Condition]

    init(_ query: ListQuery, of owner: ID<Person>, in dialect: SQLDialect) {
        self.query = query
        self.owner = owner
        self.dialect = dialect
        typeFilter = Self.typeFilter(query)
        otherFilters = Self.filters(
            query, general: "school_id IS NULL", shared: "share_count > 0", other: "share_count = 0")
        countFilters =
            [typeFilter].compactMap { $0 }
            + Self.filters(query, general: "school_id = ''", shared: "is_shared", other: "NOT is_shared")
    }

    private static func typeFilter(_ query: ListQuery) -> Condition? {
        if query.types.isEmpty { return nil }
        let types = query.types.map(\.rawValue).sorted()
        return Condition("type IN (\(types.map { _ in "?" }.joined(separator: ", ")))", types)
    }

    private static func filters(_ query: ListQuery, general: String, shared: String, other: String) -> [Condition] {
        var filters: [Condition] = []
        switch query.school {
        case .school(let id): filters.append(Condition("school_id = ?", [id.text]))
        case .general: filters.append(Condition(general))
        case nil: break
        }
        if let isShared = query.isShared { filters.append(Condition(isShared ? shared : other)) }
        return filters
    }

    /// The condition of the search, without an index.
    var contains: Condition {
        let function =
            switch dialect {
            case .sqlite: "instr"
            case .postgreSQL: "strpos"
            }
        return Condition("\(function)(search, ?) > 0", [query.search.folded])
    }

    /// The statement for rows of a segment in the list's order, without the first `skipped` ones: `DocumentRow.columns`, then the
    /// folded title.
    func rows(
        of segment: Segment, from source: Source, also condition: Condition?, skipping skipped: Int, limit: Int
    ) -> (sql: String, values: [(any SQLConvertible)?]) {
        let (index, numbers): (String, Condition?) =
            switch source {
            case .order: (dialect.indexed(by: orderIndex), nil)
            case .index(let name): (dialect.indexed(by: name), nil)
            case .numbers(let numbers): (dialect.notIndexed, isAmong(numbers))
            }
        let conditions =
            [numbers, Condition("user_id = ?", [owner.text]), condition].compactMap { $0 } + segment.conditions
        let columns = "\(DocumentRow.columns(dialect)), title_key"
        let rows =
            "FROM documents \(index) WHERE shown AND \(Self.text(conditions)) ORDER BY \(segment.order) LIMIT ? OFFSET ?"
        let sql: String
        if case .order = source {
            sql = "SELECT \(columns) \(rows)"
        } else {
            // Numbers are sorted faster than whole rows.
            sql = "SELECT \(columns) FROM documents WHERE number IN (SELECT number \(rows)) ORDER BY \(segment.order)"
        }
        return (sql, conditions.flatMap(\.arguments) + [limit, skipped])
    }

    static func text(_ conditions: [Condition]) -> String { conditions.map(\.sql).joined(separator: " AND ") }

    /// The condition that a row's number is one of some.
    func isAmong(_ numbers: [Int64]) -> Condition {
        Condition(dialect.isAmong("number", "bigint"), [dialect.list(numbers.map(String.init))])
    }
}

extension ListStatement {
    /// The index that SQLite reads from one end to find the rows as they are shown.
    private var orderIndex: String {
        switch query.sort {
        case .newest, .oldest: "document_times"
        case .name: "document_titles"
        case .type: "document_types"
        case .mostShared: "document_share_counts"
        }
    }

    /// The rows behind the cursor, to be read one part after the other.
    ///
    /// Each part has one order only, which its range of the index has too: SQLite 3.40 sorts the rows behind a place of an order
    /// of mixed directions, and those of an order whose first column a filter fixes.
    var segments: [Segment] {
        let cursor = query.cursor
        let place: [any SQLConvertible] =
            cursor.map { [$0.created.microseconds, $0.id.text] as [any SQLConvertible] } ?? []
        func behind(_ sql: String, _ arguments: [any SQLConvertible]) -> [Condition] {
            cursor == nil ? [] : [Condition(sql, arguments)]
        }
        switch query.sort {
        case .newest:
            return [Segment(conditions: filters + behind("(created_at, id) < (?, ?)", place), order: Self.newest)]
        case .oldest:
            return [Segment(conditions: filters + behind("(created_at, id) > (?, ?)", place), order: "created_at, id")]
        case .name:
            let place: [any SQLConvertible] = cursor.map { [$0.key, $0.id.text] } ?? []
            return [Segment(conditions: filters + behind("(title_key, id) > (?, ?)", place), order: "title_key, id")]
        case .type: return typeSegments(place)
        case .mostShared:
            let count = cursor.flatMap { Int($0.key) } ?? 0
            if query.isShared == false {
                let isAmong = cursor != nil && count == 0
                let range = isAmong ? [Condition("(created_at, id) < (?, ?)", place)] : []
                return cursor != nil && count < 0 ? [] : [Segment(conditions: filters + range, order: Self.newest)]
            }
            let range = behind("(share_count, created_at, id) < (?, ?, ?)", [count] + place)
            return [Segment(conditions: filters + range, order: "share_count DESC, \(Self.newest)")]
        }
    }

    /// A part for each type that the filters let through, in the order of the types' words.
    private func typeSegments(_ place: [any SQLConvertible]) -> [Segment] {
        let types = (query.types.isEmpty ? Set(DocumentType.allCases) : query.types).map(\.rawValue).sorted()
        return types.filter { $0 >= query.cursor?.key ?? "" }.map { type in
            let isCut = type == query.cursor?.key
            let range = isCut ? [Condition("(created_at, id) < (?, ?)", place)] : []
            return Segment(
                conditions: [Condition("type = ?", [type])] + otherFilters + range, order: Self.newest)
        }
    }

    private static let newest = "created_at DESC, id DESC"
}
