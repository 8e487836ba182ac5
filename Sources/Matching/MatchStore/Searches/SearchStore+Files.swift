internal import Database
internal import JobQueue
public import Media

/// What must be deleted of a search, even if it cannot be read.
public struct SearchRemains: Hashable, Sendable {
    /// The row's key.
    let id: String
    let session: String?
    let job: Int64?
    /// The file; `nil` if it is unknown.
    public let object: ObjectID?
}

/// Deletion of searches.
extension SearchStore {
    /// A page of the remains of searches, in order of identity.
    ///
    /// - Parameters:
    ///   - owner: whose searches; `nil` for all.
    ///   - moment: the time before which they began.
    public func remains(
        of owner: ID<Person>?, before moment: Instant, behind place: StorePlace?, limit: Int
    ) throws(SearchError) -> StorePage<SearchRemains, StorePlace> {
        let ofOwner = owner == nil ? "" : "AND user_id = ?4"
        return try read { session in
            let values: [(any SQLConvertible)?] = [moment.microseconds, place?.key ?? "", limit]
            let found = try session.all(
                """
                SELECT id, session_id, job, object_id FROM resume_searches WHERE created_at < ?1 AND id > ?2 \(ofOwner)
                ORDER BY id LIMIT ?3
                """, values + (owner.map { [$0.text as (any SQLConvertible)?] } ?? [])
            ) { row in
                row.text(0).map {
                    SearchRemains(id: $0, session: row.text(1), job: row.integer(2), object: row.object(3))
                }
            }
            return StorePage(found, next: found.count < limit ? nil : found.last.map { StorePlace($0.id) })
        }
    }

    /// Deletes a search with its matches and its waiting job, but not its file.
    public func remove(_ remains: SearchRemains) throws(SearchError) {
        try write { session in
            try session.execute("DELETE FROM resume_searches WHERE id = ?", [remains.id])
            try session.execute("DELETE FROM search_matches WHERE session_id = ?", [remains.session])
            if let job = remains.job { _ = try QueueTables.forget(JobID(rawValue: job), in: session) }
        }
    }
}
