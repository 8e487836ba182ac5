public import Documents
internal import GRDB
internal import Media

/// Lists and sums.
extension SQLiteDocumentStore {
    /// Seeks the page by an index of its order. The counts come from sums that triggers keep.
    public func list(_ query: ListQuery, of owner: ID<Person>) throws(DocumentError) -> ListPage {
        try read { table in
            let statement = ListStatement(query, of: owner)
            let rows = try statement.rows(in: table.database)
            let documents = try table.documents(Array(rows.prefix(query.limit)))
            let next = rows.count > query.limit ? documents.last.map { ListCursor(behind: $0, sort: query.sort) } : nil
            return ListPage(
                documents: documents, next: next, filteredCount: try statement.filteredCount(in: table.database),
                totalCount: try Self.totalCount(of: owner, in: table.database))
        }
    }

    private static func totalCount(of owner: ID<Person>, in database: Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT ifnull(sum(documents), 0) FROM document_counts WHERE user_id = ?"),
            arguments: [owner.text]) ?? 0
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
                    SELECT type, is_shared, sum(documents) FROM document_counts WHERE user_id = ?
                    GROUP BY type, is_shared HAVING sum(documents) > 0
                    """), arguments: [owner.text])
        return rows.compactMap { row in
            guard let type = DocumentRow.text(row[0]).flatMap(DocumentType.init(rawValue:)),
                let isShared = DocumentRow.integer(row[1]), let count = DocumentRow.integer(row[2])
            else { return nil }
            return (type, isShared != 0, Int(count))
        }
    }

    private static func byteCount(of owner: ID<Person>, in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT ifnull(sum(byte_count), 0) FROM document_storage WHERE user_id = ?"),
            arguments: [owner.text]) ?? 0
    }
}
