public import SQL

extension SQLSearchStore {
    /// Whether a database has the tables of searches.
    public static func areInstalled(in database: any SQLDatabase) throws(SearchError) -> Bool {
        do {
            return try database.read { session in try session.hasTable("resume_searches") }
        } catch {
            throw .unavailable(detail: "\(error)")
        }
    }

    /// Removes from this store, which a backup was restored into, the searches that another one has no more.
    public func removeWhatWasDeleted(in current: SQLSearchStore) throws(SearchError) {
        func ids(_ store: SQLSearchStore) throws(SearchError) -> Set<String> {
            Set(try store.read { session in try session.all("SELECT id FROM resume_searches") { $0.text(0) } })
        }
        let gone = try ids(self).subtracting(try ids(current))
        try write { session in
            for id in gone { try session.execute("DELETE FROM resume_searches WHERE id = ?", [id]) }
            try session.execute(
                "DELETE FROM search_matches WHERE session_id NOT IN (SELECT session_id FROM resume_searches)")
        }
    }
}
