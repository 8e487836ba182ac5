public import DocumentDatabase
public import SQL

extension SQLSearchStore {
    /// Removes from a database, which a backup was restored into, the searches that another one has no more.
    ///
    /// - Parameter history: the restores of `current`.
    public static func removeWhatWasDeleted(
        in current: any SQLDatabase, from restored: any SQLDatabase, _ history: RestoreHistory
    ) throws(SearchError) {
        func ids(_ database: any SQLDatabase, where condition: String = "TRUE") throws -> Set<String> {
            try database.read { session in
                Set(try session.all("SELECT id FROM resume_searches WHERE \(condition)") { $0.text(0) })
            }
        }
        do {
            // A service without searches removes none.
            guard try current.read({ session in try session.hasTable("resume_searches") }) else { return }
            let store = try SQLSearchStore(restored)
            let gone = try ids(restored, where: history.covers("created_at")).subtracting(try ids(current))
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
