public import Database

extension SearchStore {
    /// Removes the searches that the current database no longer has from a database restored from a backup.
    public static func removeWhatWasDeleted(
        from restored: any SQLDatabase, _ history: RestoreHistory
    ) throws(SearchError) {
        do {
            // A service without searches removes none.
            guard try history.current.read({ session in try session.hasTable("resume_searches") }) else { return }
            let store = try SearchStore(restored)
            let gone = try history.deleted(from: "resume_searches", of: restored)
            try store.write { session in
                for id in gone { try session.execute("DELETE FROM resume_searches WHERE id = ?", [id]) }
                try session.execute(
                    "DELETE FROM search_matches WHERE session_id NOT IN (SELECT session_id FROM resume_searches)")
            }
        } catch {
            throw converted(error)
        }
    }
}
