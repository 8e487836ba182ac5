public import Documents
internal import GRDB
internal import Media

/// Lists and sums.
extension SQLiteDocumentStore {
    /// Seeks the page by an index. The counts come from sums that triggers keep, and those of searches from the search index.
    public func list(_ query: ListQuery, of owner: ID<Person>) throws(DocumentError) -> ListPage {
        try read { table in
            try ListReading(statement: ListStatement(query, of: owner), table: table, searches: searches).page()
        }
    }

    /// SQLite's plan for a page, a step each: for the test that no list sorts many rows.
    package func explain(_ query: ListQuery, of owner: ID<Person>) throws(DocumentError) -> [String] {
        try read { table in
            try ListReading(statement: ListStatement(query, of: owner), table: table, searches: searches).explanation()
        }
    }

    /// Adds up the sums that triggers keep.
    public func statistics(of owner: ID<Person>) throws(DocumentError) -> DocumentStatistics {
        try read { table in
            let counts = try Self.counts(of: owner, in: table.database)
            return DocumentStatistics(
                totalCount: counts.reduce(0) { $0 + $1.count },
                sharedCount: counts.reduce(0) { $0 + ($1.isShared ? $1.count : 0) },
                countsByType: Dictionary(counts.map { ($0.type, $0.count) }, uniquingKeysWith: +),
                byteCount: try Self.byteCount(of: owner, in: table.database))
        }
    }

    private typealias Count = (type: DocumentType, isShared: Bool, count: Int)

    private static func counts(of owner: ID<Person>, in database: Database) throws -> [Count] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT type, is_shared, sum(documents) FROM document_counts
                    WHERE user_id = ? AND documents BETWEEN 1 AND 1000000000 GROUP BY type, is_shared
                    """), arguments: [owner.text])
        return rows.compactMap { row in
            guard let type = DocumentRow.text(row[0]).flatMap(DocumentType.init(rawValue:)),
                let isShared = DocumentRow.integer(row[1]), let count = DocumentRow.integer(row[2])
            else { return nil }
            return (type, isShared != 0, Int(count))
        }
    }

    private static func byteCount(of owner: ID<Person>, in database: Database) throws -> Int64 {
        let byteCount = try DatabaseValue.fetchOne(
            database.cachedStatement(sql: "SELECT byte_count FROM document_owners WHERE user_id = ?"),
            arguments: [owner.text])
        return max(0, byteCount.flatMap(DocumentRow.integer) ?? 0)
    }
}
