internal import Database
internal import Matching
public import Media

/// Reading searches and their matches.
extension SearchStore {
    private static let columns = """
        id, session_id, view_token, user_id, object_id, file_name, created_at, state, step, message, title, is_corrected, job, total, \
        direct, local
        """

    /// - Throws: `damaged` for a row that cannot be read.
    private static func search(_ row: any SQLRow) throws -> ResumeSearch {
        guard let id: ID<ResumeSearch> = row.id(0), let session: ID<SearchSession> = row.id(1),
            let token = row.text(2), let object = row.object(4), let fileName = row.text(5),
            let created = row.instant(6),
            let state = row.text(7).flatMap(ResumeSearch.State.init),
            let step = row.text(8).flatMap(ResumeSearch.Step.init)
        else {
            // The search's own identity is a secret.
            let session = row.text(1) ?? "?"
            throw SearchError.damaged(detail: "the row of the search with the session \(session) cannot be read")
        }
        var counts = ResumeSearch.Counts()
        counts.total = Int(row.integer(13) ?? 0)
        counts.direct = Int(row.integer(14) ?? 0)
        counts.local = Int(row.integer(15) ?? 0)
        return ResumeSearch(
            id: id, session: session, viewToken: token, owner: row.id(3), object: object, fileName: fileName,
            created: created, state: state, step: step, message: row.text(9), title: row.text(10),
            isCorrected: row.integer(11) == 1, job: row.integer(12), counts: counts)
    }

    /// The search in a row of a list; `nil` if it cannot be read, so that it hides no other.
    private static func listed(_ row: any SQLRow) -> ResumeSearch? { try? search(row) }

    /// - Throws: `notFound`.
    static func search(where column: String, is value: String, _ session: any SQLSession) throws -> ResumeSearch {
        let sql = "SELECT \(columns) FROM resume_searches WHERE \(column) = ?"
        guard let found = try session.first(sql, [value], search) else { throw SearchError.notFound }
        return found
    }

    /// The search with an identity.
    ///
    /// - Throws: `notFound`.
    public func search(_ id: ID<ResumeSearch>) throws(SearchError) -> ResumeSearch {
        try read { try Self.search(where: "id", is: id.text, $0) }
    }

    /// The search whose matches a token shows.
    ///
    /// - Throws: `notFound`.
    public func search(viewToken: String) throws(SearchError) -> ResumeSearch {
        try read { try Self.search(where: "view_token", is: viewToken, $0) }
    }

    /// The search of a file, as the job names it.
    ///
    /// - Throws: `notFound`.
    public func search(ofObject object: String) throws(SearchError) -> ResumeSearch {
        try read { try Self.search(where: "object_id", is: object, $0) }
    }

    /// What was read from the résumé; `nil` until then.
    public func reading(of id: ID<ResumeSearch>) throws(SearchError) -> StoredReading? {
        try read { session in
            try session.first("SELECT pages, profile FROM resume_searches WHERE id = ?", [id.text]) { row in
                guard let profile = row.text(1), let pages = row.json(0)?.array else { return nil }
                return StoredReading(pages: pages.map { $0.string ?? "" }, profile: profile)
            }
        }
    }

    private static let matchColumns = """
        id, posting_id, title, company, location, is_remote, posted, url, query, is_direct, is_local, parts
        """

    /// - Throws: `damaged` for a row that cannot be read.
    private static func match(_ row: any SQLRow, text: String?) throws -> SearchMatch {
        guard let id: ID<SearchMatch> = row.id(0), let posting = row.text(1), let title = row.text(2) else {
            throw SearchError.damaged(detail: "the row of the match \(row.words) cannot be read")
        }
        return SearchMatch(
            id: id, posting: posting, title: title, company: row.text(3) ?? "", location: row.text(4) ?? "",
            isRemote: row.integer(5) == 1, posted: row.integer(6).map { CivilDay(number: Int($0)) },
            url: row.text(7), query: row.text(8), isDirect: row.integer(9) == 1, isLocal: row.integer(10) == 1,
            parts: row.text(11) ?? "{}", text: text)
    }

    /// The matches of a search's session without their texts, the best first.
    ///
    /// - Parameter localOnly: whether to omit matches out of the person's reach.
    public func matches(of search: ResumeSearch, localOnly: Bool) throws(SearchError) -> [SearchMatch] {
        try read { session in
            try session.all(
                """
                SELECT \(Self.matchColumns) FROM search_matches WHERE session_id = ? \(localOnly ? "AND is_local" : "")
                ORDER BY position
                """, [search.session.text]
            ) { try Self.match($0, text: nil) }
        }
    }

    /// The match of a posting that a search has found, with its text.
    ///
    /// - Throws: `notFound`.
    public func match(_ posting: String, in search: ResumeSearch) throws(SearchError) -> SearchMatch {
        try read { session in
            let found = try session.first(
                "SELECT \(Self.matchColumns), text FROM search_matches WHERE session_id = ? AND posting_id = ?",
                [search.session.text, posting]
            ) { try Self.match($0, text: $0.text(12)) }
            guard let found else { throw SearchError.notFound }
            return found
        }
    }

    /// A page of a person's searches, in order of identity.
    public func searches(
        of owner: ID<Person>, behind place: StorePlace?, limit: Int
    ) throws(SearchError) -> StorePage<ResumeSearch, StorePlace> {
        try read { session in
            var (found, unreadable) = ([ResumeSearch](), [String]())
            var (count, last) = (0, String?.none)
            try session.forEachRow(
                "SELECT \(Self.columns) FROM resume_searches WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
                [owner.text, place?.key ?? "", limit]
            ) { row in
                count += 1
                last = row.text(0)
                // The search's own identity is a secret.
                if let search = Self.listed(row) { found.append(search) } else { unreadable.append(row.text(1) ?? "?") }
            }
            let next = count < limit ? nil : last.flatMap { $0 > place?.key ?? "" ? StorePlace($0) : nil }
            return StorePage(found, unreadable: unreadable, next: next)
        }
    }

    /// A person's searches, the latest first. A search that cannot be read is omitted.
    ///
    /// - Parameter offset: how many of the latest to skip.
    public func searches(
        of owner: ID<Person>, limit: Int, offset: Int = 0
    ) throws(SearchError) -> [ResumeSearch] {
        try read { session in
            try session.all(
                """
                SELECT \(Self.columns) FROM resume_searches WHERE user_id = ? ORDER BY created_at DESC, id DESC
                LIMIT ? OFFSET ?
                """, [owner.text, limit, offset], Self.listed)
        }
    }

    /// The totals of a person's searches.
    public func statistics(of owner: ID<Person>) throws(SearchError) -> SearchStatistics {
        try read { session in
            try session.first(
                """
                SELECT count(*), CAST(coalesce(sum(total), 0) AS BIGINT) FROM resume_searches WHERE user_id = ?
                """, [owner.text]
            ) { row in
                SearchStatistics(
                    searchCount: Int(row.integer(0) ?? 0), matchCount: Int(row.integer(1) ?? 0))
            }!
        }
    }

    /// Searches that began before a moment, the oldest first. A search that cannot be read is omitted.
    ///
    /// - Parameter state: `nil` for all.
    public func searches(
        before moment: Instant, in state: ResumeSearch.State? = nil, limit: Int
    ) throws(SearchError) -> [ResumeSearch] {
        try read { session in
            try session.all(
                """
                SELECT \(Self.columns) FROM resume_searches WHERE created_at < ?1 \(state == nil ? "" : "AND state = ?3")
                ORDER BY created_at LIMIT ?2
                """, [moment.microseconds, limit] + (state.map { [$0.rawValue as any SQLConvertible] } ?? []),
                Self.listed)
        }
    }
}
