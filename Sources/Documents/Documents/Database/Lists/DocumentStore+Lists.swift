internal import Database
public import Media

/// Lists and sums.
extension DocumentStore {
    /// A page of the lines, each at the version that it shows. An unreadable row is left out.
    ///
    /// Seeks the page by an index. Counts come from sums that triggers maintain; counts of searches come from the
    /// search index.
    public func list(_ query: ListQuery, of owner: ID<Person>) throws(DocumentError) -> ListPage {
        try read { table in
            try ListReading(
                statement: ListStatement(query, of: owner, in: table.session.dialect), table: table, searches: searches
            ).page()
        }
    }

    /// SQLite's plan for a page, one string per step: for the test that no list sorts many rows.
    package func explain(_ query: ListQuery, of owner: ID<Person>) throws(DocumentError) -> [String] {
        try read { table in
            try ListReading(
                statement: ListStatement(query, of: owner, in: table.session.dialect), table: table, searches: searches
            ).explanation()
        }
    }

    /// Sums over all documents of a person.
    public func statistics(of owner: ID<Person>) throws(DocumentError) -> DocumentStatistics {
        try read { table in
            let counts = try Self.counts(of: owner, in: table.session)
            return DocumentStatistics(
                totalCount: counts.reduce(0) { $0 + $1.count },
                sharedCount: counts.reduce(0) { $0 + ($1.isShared ? $1.count : 0) },
                countsByType: Dictionary(counts.map { ($0.type, $0.count) }, uniquingKeysWith: +),
                byteCount: try Self.byteCount(of: owner, in: table.session))
        }
    }

    private typealias Count = (type: DocumentType, isShared: Bool, count: Int)

    private static func counts(of owner: ID<Person>, in session: any SQLSession) throws -> [Count] {
        try session.all(
            """
            SELECT type, is_shared, sum(documents) FROM document_counts
            WHERE user_id = ? AND documents BETWEEN 1 AND 1000000000 GROUP BY type, is_shared
            """, [owner.text]
        ) { row in
            guard let type = row.text(0).flatMap(DocumentType.init(rawValue:)), let isShared = row.integer(1),
                let count = row.integer(2)
            else { return nil }
            return (type, isShared != 0, Int(count))
        }
    }

    private static func byteCount(of owner: ID<Person>, in session: any SQLSession) throws -> Int64 {
        max(0, try session.integer("SELECT byte_count FROM document_owners WHERE user_id = ?", [owner.text]) ?? 0)
    }

    /// A person's versions whose title or description may contain a text, from an index of all texts. Any of them may
    /// not contain it.
    ///
    /// Searches the trigram index, which has the versions that lists show, and adds all others. PostgreSQL has no such
    /// index.
    ///
    /// - Parameter text: at least three characters, all of them ASCII.
    /// - Returns: `nil` if there is no such index, or there are more than `most`: then the caller must check each
    ///   version.
    public func versions(
        thatMayHave text: String, of owner: ID<Person>, atMost most: Int
    ) throws(DocumentError) -> [ID<Document>]? {
        try read { table in
            let session = table.session
            guard case .sqlite = session.dialect else { return nil }
            let range = try table.numbers(of: owner)
            var numbers = try session.all(
                "SELECT rowid FROM document_search WHERE document_search MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?",
                [Self.phrase(text), range.lowerBound, range.upperBound, most + 1]
            ) { $0.integer(0) }
            numbers += try session.all(
                "SELECT number FROM documents INDEXED BY document_hidden WHERE user_id = ? AND NOT shown LIMIT ?",
                [owner.text, most + 1]
            ) { $0.integer(0) }
            guard numbers.count <= most else { return nil }
            return try session.all(
                "SELECT id FROM documents NOT INDEXED WHERE number IN (SELECT value FROM json_each(?))",
                [session.dialect.list(numbers.map { "\($0)" })]
            ) { $0.id(0) }
        }
    }

    /// A text as a query of the trigram index.
    static func phrase(_ text: String) -> String { "\"\(text.folded.replacing("\"", with: "\"\""))\"" }
}
