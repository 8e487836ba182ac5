internal import Database
internal import Media

/// A list's query as SQL: the filters, the order, and the place after which the page begins.
///
/// Each statement names its index: SQLite has no table statistics, and would sometimes read all of an owner's rows.
struct ListStatement {
    /// A part of the list in one range of the order's index; the parts follow each other.
    struct Segment {
        /// The range, with the filters.
        var conditions: [SQLText]
        let order: SQLText
    }

    /// The rows from which a page is taken.
    enum Source {
        /// All rows of the owner, in the list's order.
        case order
        /// Rows that an index of filters finds, which are then sorted.
        case index(String)
        /// Known rows, which are then sorted.
        case numbers([Int64])
    }

    let query: ListQuery
    let owner: ID<Person>
    let dialect: SQLDialect
    /// The filters except the search, for rows of `documents`.
    var filters: [SQLText] { [typeFilter].compactMap { $0 } + otherFilters }
    private let typeFilter: SQLText?
    private let otherFilters: [SQLText]
    /// The same filters for rows of `document_counts`.
    let countFilters: [SQLText]

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

    private static func typeFilter(_ query: ListQuery) -> SQLText? {
        if query.types.isEmpty { return nil }
        let types = query.types.map(\.rawValue).sorted()
        return "type IN (\(SQLText.joined(types.map { "\(value: $0)" }, by: ", ")))"
    }

    private static func filters(
        _ query: ListQuery, general: SQLText, shared: SQLText, other: SQLText
    ) -> [SQLText] {
        var filters: [SQLText] = []
        switch query.school {
        case .school(let id): filters.append("school_id = \(value: id.text)")
        case .general: filters.append(general)
        case nil: break
        }
        if let isShared = query.isShared { filters.append(isShared ? shared : other) }
        return filters
    }

    /// The condition of the search, without an index.
    var contains: SQLText {
        let function =
            switch dialect {
            case .sqlite: "instr"
            case .postgreSQL: "strpos"
            }
        return "\(name: function)(search, \(value: query.search.folded)) > 0"
    }

    /// The statement for rows of a segment in the list's order, without the first `skipped` rows:
    /// `DocumentRow.columns`, then the folded title.
    func rows(
        of segment: Segment, from source: Source, also condition: SQLText?, skipping skipped: Int, limit: Int
    ) -> SQLText {
        let (index, numbers): (String, SQLText?) =
            switch source {
            case .order: (dialect.indexed(by: orderIndex), nil)
            case .index(let name): (dialect.indexed(by: name), nil)
            case .numbers(let numbers): (dialect.notIndexed, isAmong(numbers))
            }
        let conditions = [numbers, isOwners, condition].compactMap { $0 } + segment.conditions
        let columns = "\(DocumentRow.columns(dialect)), title_key"
        let rows: SQLText = """
            FROM documents \(name: index) WHERE shown AND \(Self.all(conditions)) ORDER BY \(segment.order)
            LIMIT \(value: limit) OFFSET \(value: skipped)
            """
        if case .order = source { return "SELECT \(name: columns) \(rows)" }
        // Sorting numbers is faster than sorting whole rows.
        return """
            SELECT \(name: columns) FROM documents WHERE number IN (SELECT number \(rows)) ORDER BY \(segment.order)
            """
    }

    /// The condition that a row is the owner's.
    var isOwners: SQLText { "user_id = \(value: owner.text)" }

    static func all(_ conditions: [SQLText]) -> SQLText { .joined(conditions, by: " AND ") }

    /// The condition that a row has one of some numbers.
    func isAmong(_ numbers: [Int64]) -> SQLText {
        SQLText(dialect.isAmong("number", "bigint"), [dialect.list(numbers.map(String.init))])
    }
}

extension ListStatement {
    /// The index that SQLite reads from one end to get the rows in the list's order.
    private var orderIndex: String {
        switch query.sort {
        case .newest, .oldest: "document_times"
        case .name: "document_titles"
        case .type: "document_types"
        case .mostShared: "document_share_counts"
        }
    }

    /// The rows behind the cursor, to be read one part after another.
    ///
    /// Each part has one order only, which its range of the index has too. SQLite 3.40 sorts the rows behind a place if
    /// the order has mixed directions, or if a filter fixes its first column.
    var segments: [Segment] {
        let older = query.cursor.map { "(created_at, id) < (\(place($0)))" as SQLText }
        switch query.sort {
        case .newest: return [segment(older, Self.newest)]
        case .oldest:
            let newer = query.cursor.map { "(created_at, id) > (\(place($0)))" as SQLText }
            return [segment(newer, "created_at, id")]
        case .name:
            let behind = query.cursor.map { "(title_key, id) > (\(value: $0.key), \(value: $0.id.text))" as SQLText }
            return [segment(behind, "title_key, id")]
        case .type: return typeSegments(older)
        case .mostShared:
            let count = query.cursor.map { Int($0.key) ?? 0 }
            if query.isShared == false {
                return (count ?? 0) < 0 ? [] : [segment(count == 0 ? older : nil, Self.newest)]
            }
            let behind = query.cursor.map {
                "(share_count, created_at, id) < (\(value: count), \(place($0)))" as SQLText
            }
            return [segment(behind, "share_count DESC, \(Self.newest)")]
        }
    }

    private func segment(_ range: SQLText?, _ order: SQLText) -> Segment {
        Segment(conditions: filters + [range].compactMap { $0 }, order: order)
    }

    /// A row's place in the order of creation.
    private func place(_ cursor: ListCursor) -> SQLText {
        "\(value: cursor.created.microseconds), \(value: cursor.id.text)"
    }

    /// A part for each type that passes the filters, in the order of the types' words.
    private func typeSegments(_ older: SQLText?) -> [Segment] {
        let types = (query.types.isEmpty ? Set(DocumentType.allCases) : query.types).map(\.rawValue).sorted()
        return types.filter { $0 >= query.cursor?.key ?? "" }.map { type in
            let range = type == query.cursor?.key ? [older].compactMap { $0 } : []
            return Segment(
                conditions: ["type = \(value: type)"] + otherFilters + range, order: Self.newest)
        }
    }

    private static let newest: SQLText = "created_at DESC, id DESC"
}
