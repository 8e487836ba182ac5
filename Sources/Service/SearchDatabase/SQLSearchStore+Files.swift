internal import DocumentDatabase
public import Documents
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
    /// The files of searches in the database's order of their paths, behind a path; at most `limit`.
    ///
    /// - Throws: `unavailable`, also for a row that cannot be read.
    public func files(behind path: String?, limit: Int) throws(SearchError) -> [SearchFile] {
        try read { session in
            try session.all(
                "SELECT session_id, path, byte_count FROM resume_searches WHERE path > ? ORDER BY path LIMIT ?",
                [path ?? "", limit]
            ) { row in
                guard let session: ID<SearchSession> = row.id(0), let path = row.text(1) else {
                    throw SearchError.unavailable(
                        detail: "the row of the search with the session \(row.words) cannot be read")
                }
                // Rows of before have 0.
                let byteCount = row.integer(2).flatMap { $0 > 0 ? $0 : nil }
                return SearchFile(session: session, path: path, byteCount: byteCount)
            }
        }
    }
}
