internal import Database
public import Matching
public import Media

/// Reading and searching postings.
extension PostingStore {
    private static let columns = """
        id, source, source_id, title, company, location, is_remote, posted, expires, url, text, salary, created_at, updated_at
        """

    /// - Throws: `unavailable` for a row that cannot be read.
    private static func posting(_ row: any SQLRow) throws -> StoredPosting {
        guard let id: ID<StoredPosting> = row.id(0), let source = row.text(1), let sourceID = row.text(2),
            let title = row.text(3), let company = row.text(4), let location = row.text(5),
            let isRemote = row.integer(6), let text = row.text(10), let added = row.instant(12),
            let changed = row.instant(13)
        else { throw PostingError.unavailable(detail: "the row of the posting \(row.words) cannot be read") }
        func day(_ column: Int) -> CivilDay? { row.integer(column).map { CivilDay(number: Int($0)) } }
        let posting = Posting(
            source: source, sourceID: sourceID, title: title, company: company, location: location,
            isRemote: isRemote != 0, posted: day(7), expires: day(8), url: row.text(9), text: text, salary: row.text(11)
        )
        return StoredPosting(id: id, posting: posting, added: added, changed: changed)
    }

    /// The posting in a row of a list; `nil` if it cannot be read, so that it hides no other.
    private static func listed(_ row: any SQLRow) -> StoredPosting? { try? posting(row) }

    /// Postings that have all words of one of some lists, the latest first; postings of one day are ordered by source
    /// and identity there.
    ///
    /// - Parameters:
    ///   - alternatives: lists of words as `ScannedWord.key`.
    ///   - day: the day on which they are shown.
    ///   - scope: where the work is.
    public func candidates(
        having alternatives: [[String]], in field: PostingField, openOn day: CivilDay,
        _ scope: PostingScope = .anywhere, limit: Int
    ) throws(PostingError) -> [StoredPosting] {
        try read { session in
            let found =
                switch session.dialect {
                case .sqlite: "rowid IN (SELECT rowid FROM posting_words WHERE posting_words MATCH ?)"
                case .postgreSQL: "words @@ CAST(? AS tsquery)"
                }
            var values: [any SQLConvertible] = [field.expression(alternatives, session.dialect), day.number]
            if case .at(let locations) = scope { values.append(JSON.array(locations.map(JSON.string)).text) }
            return try session.all(
                """
                SELECT \(Self.columns) FROM postings WHERE \(found) AND (expires IS NULL OR expires >= ?)
                    \(Self.condition(scope, session.dialect))
                ORDER BY coalesce(posted, 0) DESC, \(Self.keyOrder(session.dialect)) LIMIT ?
                """, values + [max(0, limit)], Self.listed)
        }
    }

    private static func condition(_ scope: PostingScope, _ dialect: SQLDialect) -> String {
        switch (scope, dialect) {
        case (.anywhere, _): ""
        case (.remote, _): "AND is_remote"
        case (.at, .sqlite): "AND location IN (SELECT value FROM json_each(?))"
        case (.at, .postgreSQL): "AND location IN (SELECT json_array_elements_text(CAST(? AS json)))"
        }
    }

    /// In byte order in both databases, whatever the server's language is.
    private static func keyOrder(_ dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: "source, source_id"
        case .postgreSQL: "source COLLATE \"C\", source_id COLLATE \"C\""
        }
    }

    /// The places, as written, of the postings shown on a day, each once, in no order.
    public func locations(openOn day: CivilDay) throws(PostingError) -> [String] {
        try read { session in
            try session.all(
                "SELECT DISTINCT location FROM postings WHERE location <> '' AND (expires IS NULL OR expires >= ?)",
                [day.number]
            ) { $0.text(0) ?? "" }
        }
    }

    /// The posting with an identity.
    ///
    /// - Throws: `notFound`.
    public func posting(_ id: ID<StoredPosting>) throws(PostingError) -> StoredPosting {
        try read { session in
            let sql = "SELECT \(Self.columns) FROM postings WHERE id = ?"
            guard let found = try session.first(sql, [id.text], Self.posting) else { throw PostingError.notFound }
            return found
        }
    }

    /// The posting with a source's identity.
    ///
    /// - Throws: `notFound`.
    public func posting(_ key: Posting.Key) throws(PostingError) -> StoredPosting {
        try read { session in
            let sql = "SELECT \(Self.columns) FROM postings WHERE source = ? AND source_id = ?"
            guard let found = try session.first(sql, [key.source, key.id], Self.posting) else {
                throw PostingError.notFound
            }
            return found
        }
    }

    /// A page of postings in order of source and identity.
    ///
    /// - Parameters:
    ///   - source: `nil` for all sources.
    ///   - last: the posting after which the page begins.
    ///   - limit: the maximum number of rows to read.
    public func postings(
        of source: String?, behind last: Posting.Key?, limit: Int
    ) throws(PostingError) -> StorePage<StoredPosting, Posting.Key> {
        try read { session in
            var (found, unreadable) = ([StoredPosting](), [String]())
            var (count, end) = (0, Posting.Key?.none)
            try session.forEachRow(
                """
                SELECT \(Self.columns) FROM postings
                WHERE (source, source_id) > (?1, ?2) \(source == nil ? "" : "AND source = ?4")
                ORDER BY source, source_id LIMIT ?3
                """, [last?.source ?? "", last?.id ?? "", max(0, limit)] + (source.map { [$0] } ?? [])
            ) { row in
                count += 1
                if let source = row.text(1), let id = row.text(2) { end = Posting.Key(source: source, id: id) }
                if let posting = Self.listed(row) { found.append(posting) } else { unreadable.append(row.words) }
            }
            return StorePage(found, unreadable: unreadable, next: count < limit || end == last ? nil : end)
        }
    }

    /// The numbers of each source on a day, in order of source name.
    public func statistics(on day: CivilDay) throws(PostingError) -> [SourceStatistics] {
        try read { session in
            try session.all(
                """
                SELECT source, sum(is_open), sum(1 - is_open), sum(CASE WHEN is_remote THEN is_open ELSE 0 END),
                    count(DISTINCT CASE is_open WHEN 1 THEN title END), max(posted)
                FROM (SELECT *, CASE WHEN expires IS NULL OR expires >= ? THEN 1 ELSE 0 END AS is_open FROM postings) AS posting
                GROUP BY source ORDER BY source
                """, [day.number]
            ) { row in
                SourceStatistics(
                    source: row.text(0) ?? "", openCount: Int(row.integer(1) ?? 0),
                    endedCount: Int(row.integer(2) ?? 0), remoteCount: Int(row.integer(3) ?? 0),
                    titleCount: Int(row.integer(4) ?? 0), newest: row.integer(5).map { CivilDay(number: Int($0)) })
            }
        }
    }
}

/// Where the work of candidates is.
public enum PostingScope: Hashable, Sendable {
    case anywhere
    /// At one of these texts of `locations`.
    case at([String])
    /// It can be done from anywhere.
    case remote
}

/// Where the words of a query must occur.
public enum PostingField: Hashable, Sendable {
    /// Only words of the title count.
    case title
    /// Words of title and text count, also in combination.
    case anywhere
}

extension PostingField {
    /// A query for lists of words in the syntax of the index.
    fileprivate func expression(_ alternatives: [[String]], _ dialect: SQLDialect) -> String {
        let parts = alternatives.filter { !$0.isEmpty }.map { words in
            let terms = words.map { word in
                switch dialect {
                case .sqlite: "\"\(IndexWord.encoded(word))\""
                case .postgreSQL: "'\(self == .title ? "t:" : "")\(IndexWord.encoded(word))'"
                }
            }
            return "(\(terms.joined(separator: dialect == .sqlite ? " AND " : " & ")))"
        }
        switch dialect {
        case .sqlite:
            // FTS5 has no query without words; no posting has this word.
            let all = parts.isEmpty ? "\"_\"" : parts.joined(separator: " OR ")
            return self == .title ? "title_words : (\(all))" : all
        case .postgreSQL: return parts.joined(separator: " | ")
        }
    }
}
