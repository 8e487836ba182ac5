internal import DocumentDatabase
public import Documents
internal import JobQueue
public import Media
internal import SQL

/// The file of a search for jobs.
public struct SearchFile: Hashable, Sendable {
    /// The latest session of the search, whose own identity is a secret.
    public let session: ID<SearchSession>
    /// The file's path in the object store.
    public let path: String
    /// Its size; `nil` where nobody has noted that.
    public let byteCount: Int64?
}

/// The files that searches name.
extension SQLSearchStore {
    /// A page of the files of searches in the database's order of their paths.
    public func files(
        behind place: StorePlace?, limit: Int
    ) throws(SearchError) -> StorePage<SearchFile, StorePlace> {
        try read { session in
            var (found, unreadable) = ([SearchFile](), [String]())
            var (count, last) = (0, String?.none)
            try session.forEachRow(
                "SELECT session_id, path, byte_count FROM resume_searches WHERE path > ? ORDER BY path LIMIT ?",
                [place?.key ?? "", limit]
            ) { row in
                count += 1
                last = row.text(1)
                guard let session: ID<SearchSession> = row.id(0), let path = last else {
                    return unreadable.append(row.words)
                }
                // Rows of before have 0.
                let byteCount = row.integer(2).flatMap { $0 > 0 ? $0 : nil }
                found.append(SearchFile(session: session, path: path, byteCount: byteCount))
            }
            let next = count < limit ? nil : last.flatMap { $0 == place?.key ? nil : StorePlace($0) }
            return StorePage(found, unreadable: unreadable, next: next)
        }
    }
}

/// What has to go of a search, whether or not it can be read.
public struct SearchRemains: Hashable, Sendable {
    /// The row's key.
    let id: String
    let session: String?
    let job: Int64?
    /// The file's path in the object store; `nil` if nobody can tell it.
    public let path: String?
}

/// The end of searches.
extension SQLSearchStore {
    /// A page of what is there of searches, by identity.
    ///
    /// - Parameters:
    ///   - owner: whose; `nil` for everybody's.
    ///   - moment: when they began at the latest.
    public func remains(
        of owner: ID<Person>?, before moment: Instant, behind place: StorePlace?, limit: Int
    ) throws(SearchError) -> StorePage<SearchRemains, StorePlace> {
        let ofOwner = owner == nil ? "" : "AND user_id = ?4"
        return try read { session in
            let values: [(any SQLConvertible)?] = [moment.microseconds, place?.key ?? "", limit]
            let found = try session.all(
                """
                SELECT id, session_id, job, path FROM resume_searches WHERE created_at < ?1 AND id > ?2 \(ofOwner)
                ORDER BY id LIMIT ?3
                """, values + (owner.map { [$0.text as (any SQLConvertible)?] } ?? [])
            ) { row in
                row.text(0).map {
                    SearchRemains(id: $0, session: row.text(1), job: row.integer(2), path: row.text(3))
                }
            }
            return StorePage(found, next: found.count < limit ? nil : found.last.map { StorePlace($0.id) })
        }
    }

    /// Deletes a search with its matches and its waiting job. The file is the caller's to remove.
    public func remove(_ remains: SearchRemains) throws(SearchError) {
        try write { session in
            try session.execute("DELETE FROM resume_searches WHERE id = ?", [remains.id])
            try session.execute("DELETE FROM search_matches WHERE session_id = ?", [remains.session])
            if let job = remains.job { _ = try QueueTables.forget(JobID(rawValue: job), in: session) }
        }
    }
}
