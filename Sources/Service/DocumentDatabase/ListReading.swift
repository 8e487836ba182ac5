internal import Documents
internal import GRDB
internal import Media

/// Reads one page of a list, with its counts, in the way that reads the fewest rows.
///
/// The counts that triggers keep say how many rows the filters let through. Few are found by an index of filters and sorted; of
/// many, a page's worth is found soon by the index of the order.
struct ListReading {
    let statement: ListStatement
    let table: DocumentTable
    let searches: SearchMemory

    private var query: ListQuery { statement.query }
    private var database: Database { table.database }

    /// The most rows that are sorted for a page.
    static let fewRows = 1000

    func page() throws -> ListPage {
        let counts = try Counts(of: statement, in: database)
        let (filteredCount, source, condition) = try plan(counts)
        if filteredCount == 0 {
            return ListPage(documents: [], next: nil, filteredCount: 0, totalCount: counts.total)
        }
        let limit = max(1, query.limit)
        var documents: [Document] = []
        for segment in statement.segments {
            var skipped = 0
            // Rows that cannot be read make no page shorter.
            while documents.count <= limit {
                let wanted = limit + 1 - documents.count
                let rows = try statement.rows(
                    of: segment, from: source, also: condition, skipping: skipped, limit: wanted, in: database)
                documents += try table.documents(rows)
                skipped += rows.count
                if rows.count < wanted { break }
            }
        }
        let next = documents.count > limit ? ListCursor(behind: documents[limit - 1], sort: query.sort) : nil
        return ListPage(
            documents: Array(documents.prefix(limit)), next: next, filteredCount: filteredCount,
            totalCount: counts.total)
    }

    private typealias Plan = (filteredCount: Int, source: ListStatement.Source, condition: ListStatement.Condition?)

    private func plan(_ counts: Counts) throws -> Plan {
        guard !query.search.isEmpty else {
            return (counts.filtered, counts.filterIndex.map { .index($0) } ?? .order, nil)
        }
        let found = try search(counts)
        return (found.count, found.numbers.map { .numbers($0) } ?? .order, statement.contains)
    }

    private func search(_ counts: Counts) throws -> SearchMemory.Found {
        if counts.filtered == 0 { return SearchMemory.Found(count: 0, numbers: []) }
        let key = try key()
        if let key, let found = searches[key] { return found }
        let found = try counts.filtered > Self.fewRows ? searchIndex() ?? scan() : scan()
        if let key { searches.keep(found, for: key) }
        return found
    }

    private func key() throws -> SearchMemory.Key? {
        let revision = try DatabaseValue.fetchOne(
            database.cachedStatement(sql: "SELECT revision FROM document_owners WHERE user_id = ?"),
            arguments: [statement.owner.text])
        guard let revision = revision.flatMap(DocumentRow.integer) else { return nil }
        let filters = statement.filters.map { "\($0.sql)\u{1}\($0.arguments)" }.joined(separator: "\u{1}")
        return SearchMemory.Key(
            owner: statement.owner.text, filters: filters, text: query.search.folded, revision: revision)
    }

    /// Seeks in the index of trigrams; `nil` where it has no answer: the text is too short, or many rows have it.
    private func searchIndex() throws -> SearchMemory.Found? {
        let text = query.search.folded
        guard text.unicodeScalars.count >= 3, !text.utf8.contains(0) else { return nil }
        let numbers = try table.numbers(of: statement.owner)
        let phrase = "\"\(text.replacing("\"", with: "\"\""))\""
        let matches = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT rowid FROM document_search WHERE document_search MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?
                    """),
            arguments: [phrase, numbers.lowerBound, numbers.upperBound, Self.fewRows + 1])
        if matches.count > Self.fewRows { return nil }
        if matches.isEmpty || statement.filters.isEmpty {
            return SearchMemory.Found(count: matches.count, numbers: matches)
        }
        let filters = statement.filters
        let passed = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number FROM documents NOT INDEXED WHERE number IN (SELECT value FROM json_each(?)) AND shown
                        AND \(ListStatement.text(filters))
                    """),
            arguments: StatementArguments([ListStatement.list(matches)] + filters.flatMap(\.arguments)))
        return SearchMemory.Found(count: passed.count, numbers: passed)
    }

    /// Looks into the texts of all rows that the other filters let through, in an index that holds them.
    private func scan() throws -> SearchMemory.Found {
        let conditions =
            [ListStatement.Condition("user_id = ?", [statement.owner.text])] + statement.filters + [statement.contains]
        let cursor = try Int64.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT number FROM documents INDEXED BY document_texts
                    WHERE shown AND \(ListStatement.text(conditions))
                    """), arguments: StatementArguments(conditions.flatMap(\.arguments)))
        var count = 0
        var numbers: [Int64] = []
        while let number = try cursor.next() {
            count += 1
            if count <= Self.fewRows { numbers.append(number) }
        }
        return SearchMemory.Found(count: count, numbers: count <= Self.fewRows ? numbers : nil)
    }
}

extension ListReading {
    /// An owner's counts, as far as a list's filters are concerned.
    private struct Counts {
        let total: Int
        /// How many rows pass the filters but the search.
        let filtered: Int
        /// The index by which these rows are found and then sorted; `nil` where the index of the order is faster.
        let filterIndex: String?

        init(of statement: ListStatement, in database: Database) throws {
            let query = statement.query
            let passes = ListStatement.text(statement.countFilters + [ListStatement.Condition("documents > 0")])
            let row = try Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT sum(documents), sum(iif(\(passes), documents, 0)) FROM document_counts
                        WHERE user_id = ? AND typeof(documents) = 'integer'
                        """),
                arguments: StatementArguments(
                    statement.countFilters.flatMap(\.arguments) + [statement.owner.text]))
            total = Int(row.flatMap { DocumentRow.integer($0[0]) } ?? 0)
            filtered = Int(row.flatMap { DocumentRow.integer($0[1]) } ?? 0)
            // The index of the order meets one passing row in `total / filtered`.
            let walk = filtered == 0 ? total : min(total, total / filtered * (query.limit + 1))
            let isSelective = filtered <= ListReading.fewRows && walk > filtered * 4
            let index =
                switch (query.school, query.types.isEmpty) {
                case (.some, _): "document_schools"
                case (nil, false): "document_texts"
                case (nil, true): "document_share_counts"
                }
            filterIndex = isSelective && !statement.filters.isEmpty ? index : nil
        }
    }
}
