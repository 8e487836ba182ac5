public import Documents
public import SQL

/// Restores of a backup.
extension SQLDocumentStore {
    /// Notes in this store, which is a copy of a database, when the copying began.
    public func noteBackup(begun moment: Instant) throws(DocumentError) {
        _ = try write(of: nil) { table in
            try table.session.execute("UPDATE database_identity SET backed_up_at = ?", [moment.microseconds])
        }
    }

    /// Notes in this store, which is a copy of a backup, that it is restored now.
    public func noteRestore() throws(DocumentError) {
        _ = try write(of: nil) { table in
            try table.session.execute(
                "INSERT INTO database_restores SELECT coalesce(backed_up_at, 0), ? FROM database_identity",
                [table.now.microseconds])
        }
    }

    /// The people whose data was removed from a database, for as long as it knows them.
    public static func removedPersons(in database: any SQLDatabase) throws(DocumentError) -> Set<ID<Person>> {
        do {
            return try database.read { session in
                Set(try session.all("SELECT user_id FROM removed_persons") { $0.text(0).flatMap { ID($0) } })
            }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Removes from this store, which a backup was restored into, what has been deleted since from another database.
    ///
    /// Documents, files, schools, shares, links and templates that `current` does not have are removed as a person removes them: the
    /// files' bytes become removals. Each is known by its identity alone: what has its path or name by now is another
    /// thing. A file that was replaced since, and whose last successor is still there, stays. So does what `current` never had.
    ///
    /// - Parameter history: the restores of `current`.
    /// - Returns: how many versions were removed.
    @discardableResult
    public func removeWhatWasDeleted(
        in current: any SQLDatabase, _ history: RestoreHistory
    ) throws(DocumentError) -> Int {
        do {
            func kept(_ sql: String) throws -> Set<String> {
                try current.read { session in Set(try session.all("SELECT \(sql)") { $0.text(0) }) }
            }
            let documents = try kept("id FROM documents")
            let schools = try kept("id FROM schools")
            let templates = try kept("id FROM communication_templates")
            let shares = try kept("id FROM document_shares")
            let links = try kept("id FROM share_links")
            let objects = try kept("id FROM objects").union(
                kept("first_id FROM objects WHERE first_id IS NOT NULL"))
            let persons = try current.read { session in
                try session.all("SELECT user_id, removed_at FROM removed_persons") { row in
                    (id: row.text(0), removed: row.integer(1))
                }
            }
            return try write(of: nil) { table in
                for person in persons {
                    try table.session.execute(
                        "INSERT INTO removed_persons VALUES (?, ?) ON CONFLICT DO NOTHING",
                        [person.id, person.removed])
                }
                func gone(_ name: String, _ kept: Set<String>) throws -> [String] {
                    try table.session.all("SELECT id FROM \(name) WHERE \(history.covers("created_at"))") { $0.text(0) }
                        .filter { !kept.contains($0) }
                }
                for (name, kept) in [("communication_templates", templates), ("share_links", links)] {
                    for id in try gone(name, kept) {
                        try table.session.execute("DELETE FROM \(name) WHERE id = ?", [id])
                    }
                }
                for share in try gone("document_shares", shares) { try table.removeShare(share) }
                for school in try gone("schools", schools) { try table.removeSchool(school) }
                let versions = try gone("documents", documents)
                for id in versions {
                    if let document = try table.documents("WHERE id = ?", [id]).first {
                        try remove(document, in: table)
                    }
                }
                for object in try table.session.all(
                    "SELECT id, coalesce(first_id, id) FROM objects WHERE \(history.covers("stored_at"))", [],
                    { (id: $0.text(0), first: $0.text(1)) })
                where !objects.contains(object.id ?? "") && !objects.contains(object.first ?? "") {
                    try removeObjects(where: "id = ?", [object.id], in: table)
                }
                return versions.count
            }
        } catch {
            throw DocumentError(database: error)
        }
    }
}

extension DocumentTable {
    fileprivate func removeShare(_ id: String) throws {
        let line = try session.text("SELECT line FROM document_shares WHERE id = ?", [id])
        try session.execute("DELETE FROM document_shares WHERE id = ?", [id])
        if let line { try countShares(of: line) }
    }
}
