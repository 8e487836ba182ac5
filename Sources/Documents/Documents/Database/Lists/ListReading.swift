internal import Database
internal import Media

/// Reads one page of a list, with its counts, in the way that reads the fewest rows.
///
/// The counts that triggers maintain say how many rows pass the filters. If they are few, an index of filters finds
/// them, and they are sorted. If they are many, the index of the order soon finds a page.
struct ListReading {
    let statement: ListStatement
    let table: DocumentTable
    let searches: SearchMemory

    private var query: ListQuery { statement.query }
    private var session: any SQLSession { table.session }

    /// The most rows that are sorted for a page.
    static let fewRows = 1000

    func page() throws -> ListPage {
        let counts = try Counts(of: statement, in: session)
        let (filteredCount, source, condition) = try plan(counts)
        let limit = max(1, query.limit)
        var found = Found()
        for segment in statement.segments where found.documents.count <= limit {
            var skipped = 0
            // Unreadable rows do not shorten a page.
            while found.documents.count <= limit {
                let wanted = limit + 1 - found.documents.count
                let rows = statement.rows(
                    of: segment, from: source, also: condition, skipping: skipped, limit: wanted)
                var count = 0
                try session.forEachRow(of: rows) { row in
                    count += 1
                    take(row, into: &found)
                }
                skipped += count
                if count < wanted { break }
            }
        }
        let isLast = found.documents.count <= limit
        let next = isLast ? nil : place(behind: found.documents[limit - 1], key: found.keys[limit - 1])
        if !isLast { found.documents.removeLast() }
        try table.addShares(of: found.sharedLines, to: &found.documents)
        return ListPage(
            documents: found.documents, next: next, filteredCount: filteredCount, totalCount: counts.total)
    }

    /// The rows of a page that are read so far.
    private struct Found {
        var documents: [Document] = []
        /// The sort key of each row.
        var keys: [String] = []
        var sharedLines: Set<ID<Line>> = []
    }

    private func take(_ row: any SQLRow, into found: inout Found) {
        guard let document = table.document(row, &found.sharedLines) else { return }
        guard let key = sortKey(row) else { return table.unreadable("document \(document.id)") }
        found.documents.append(document)
        found.keys.append(key)
    }

    /// The place has the row's stored sort key: with a recomputed key, a list over a damaged key would loop.
    private func place(behind document: Document, key: String) -> ListCursor {
        ListCursor(sort: query.sort, key: key, created: document.created, id: document.id)
    }

    /// The row's stored sort key; `nil` if it is unreadable. Plain `if`s: Swift 6.3 cannot compile a `switch` here.
    private func sortKey(_ row: any SQLRow) -> String? {
        let sort = query.sort
        if sort == .name { return row.text(DocumentRow.columnCount) }
        if sort == .type { return row.text(DocumentRow.typeColumn) }
        if sort == .mostShared { return row.integer(DocumentRow.shareCountColumn).map { "\($0)" } }
        return ""
    }

    /// SQLite's plan for the page, one string per step.
    func explanation() throws -> [String] {
        let (_, source, condition) = try plan(try Counts(of: statement, in: session))
        return try statement.segments.flatMap { segment in
            let rows = statement.rows(of: segment, from: source, also: condition, skipping: 0, limit: 1)
            // The last column describes the step.
            return try session.all(of: "EXPLAIN QUERY PLAN \(rows)") { $0.text(3) }
        }
    }

    private typealias Plan = (filteredCount: Int, source: ListStatement.Source, condition: SQLText?)

    private func plan(_ counts: Counts) throws -> Plan {
        guard !query.search.isEmpty else {
            return (counts.filtered, counts.filterIndex.map { .index($0) } ?? .order, nil)
        }
        let found = try search(counts)
        return (found.count, found.numbers.map { .numbers($0) } ?? .order, statement.contains)
    }

    private func search(_ counts: Counts) throws -> SearchMemory.Found {
        if counts.filtered == 0 || query.search.utf8.contains(0) { return SearchMemory.Found(count: 0, numbers: []) }
        let key = try key()
        if let key, let found = searches[key] { return found }
        // At this limit, looking up few matches reads as many rows as walking to a page of many.
        let few = max(Self.fewRows, Int(Double(counts.total * (query.limit + 1)).squareRoot()))
        let found =
            try counts.filtered > Self.fewRows
            ? searchIndex(few: few) ?? scan(counts, few: few) : scan(counts, few: few)
        if let key { searches.keep(found, for: key) }
        return found
    }

    private func key() throws -> SearchMemory.Key? {
        let revision = try session.integer(
            "SELECT revision FROM document_owners WHERE user_id = ?", [statement.owner.text])
        guard let revision else { return nil }
        let filters = statement.filters.map { "\($0.text)\u{1}\($0.values)" }.joined(separator: "\u{1}")
        return SearchMemory.Key(
            owner: statement.owner.text, filters: filters, text: query.search.folded, revision: revision)
    }

    /// Searches the trigram index; `nil` if the scan is faster: the text is too short, or many rows have it and there
    /// are other filters.
    private func searchIndex(few: Int) throws -> SearchMemory.Found? {
        let text = query.search.folded
        guard case .sqlite = session.dialect, text.unicodeScalars.count >= 3 else { return nil }
        let numbers = try table.numbers(of: statement.owner)
        let phrase = DocumentStore.phrase(text)
        let matching = "FROM document_search WHERE document_search MATCH ? AND rowid BETWEEN ? AND ?"
        let matches = try session.all(
            "SELECT rowid \(matching) LIMIT ?", [phrase, numbers.lowerBound, numbers.upperBound, few + 1]
        ) { $0.integer(0) }
        if matches.count > few {
            guard statement.filters.isEmpty else { return nil }
            let count = try session.integer(
                "SELECT count(*) \(matching)", [phrase, numbers.lowerBound, numbers.upperBound])
            return SearchMemory.Found(count: Int(count ?? 0), numbers: nil)
        }
        if matches.isEmpty || statement.filters.isEmpty {
            return SearchMemory.Found(count: matches.count, numbers: matches)
        }
        let conditions = [statement.isAmong(matches)] + statement.filters
        let passed = try session.all(
            of: """
                SELECT number FROM documents \(name: session.dialect.notIndexed) WHERE shown AND \(ListStatement.all(conditions))
                """
        ) { $0.integer(0) }
        return SearchMemory.Found(count: passed.count, numbers: passed)
    }

    /// Scans the texts of all rows that pass the other filters. For many rows it reads an index that holds the texts.
    private func scan(_ counts: Counts, few: Int) throws -> SearchMemory.Found {
        let conditions = [statement.isOwners] + statement.filters + [statement.contains]
        let index = counts.filtered > Self.fewRows ? "document_texts" : counts.fewIndex
        var count = 0
        var numbers: [Int64] = []
        try session.forEachRow(
            of: """
                SELECT number FROM documents \(name: session.dialect.indexed(by: index))
                WHERE shown AND \(ListStatement.all(conditions))
                """
        ) { row in
            count += 1
            if count <= few, let number = row.integer(0) { numbers.append(number) }
        }
        return SearchMemory.Found(count: count, numbers: count <= few ? numbers : nil)
    }
}

extension ListReading {
    /// An owner's counts, as far as a list's filters need them.
    private struct Counts {
        let total: Int
        /// How many rows pass the filters except the search.
        let filtered: Int
        /// The index that finds these rows, which are then sorted; `nil` if the index of the order is faster.
        let filterIndex: String?
        /// The index that finds the rows if they are few.
        let fewIndex: String

        init(of statement: ListStatement, in session: any SQLSession) throws {
            let query = statement.query
            let passes = statement.countFilters.isEmpty ? "TRUE" : ListStatement.all(statement.countFilters)
            let sums = try session.all(
                of: """
                    SELECT sum(documents), sum(CASE WHEN \(passes) THEN documents ELSE 0 END) FROM document_counts
                    WHERE \(statement.isOwners) AND documents BETWEEN 0 AND 1000000000
                    """
            ) { (total: Int($0.integer(0) ?? 0), filtered: Int($0.integer(1) ?? 0)) }.first
            total = sums?.total ?? 0
            filtered = sums?.filtered ?? 0
            // The index of the order meets one passing row in `total / filtered`.
            let walk = filtered == 0 ? total : min(total, total / filtered * (query.limit + 1))
            let isSelective = filtered <= ListReading.fewRows && walk > filtered * 4
            fewIndex =
                switch (query.school, query.types.isEmpty) {
                case (.some, _): "document_schools"
                case (nil, false): "document_texts"
                case (nil, true): query.isShared == nil ? "document_texts" : "document_share_counts"
                }
            filterIndex = isSelective && !statement.filters.isEmpty ? fewIndex : nil
        }
    }
}
