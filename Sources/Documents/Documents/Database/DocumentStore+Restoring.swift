public import Database
public import Media

/// Restoring a backup.
extension DocumentStore {
    /// Records in this store, which is a copy of a database, when copying began.
    public func noteBackup(begun moment: Instant) throws(DocumentError) {
        _ = try write(of: nil) { table in
            try table.session.execute("UPDATE database_identity SET backed_up_at = ?", [moment.microseconds])
        }
    }

    /// Records in this store, which is a copy of a backup, that it is restored now.
    public func noteRestore() throws(DocumentError) {
        _ = try write(of: nil) { table in
            try table.session.execute(
                "INSERT INTO database_restores SELECT coalesce(backed_up_at, 0), ? FROM database_identity",
                [table.now.microseconds])
        }
    }

    /// Removes from this store, into which a backup was restored, what has since been deleted from another database.
    ///
    /// Documents, files, schools, shares, links and templates that the other one does not have are removed as if by a
    /// person: the files' bytes become removals. Each is identified by its ID alone: what has its path or name by now
    /// is another thing. A file that was replaced since stays if its last successor still exists. So does anything that
    /// the other database never had.
    ///
    /// - Returns: how many versions were removed.
    @discardableResult
    public func removeWhatWasDeleted(_ history: RestoreHistory) throws(DocumentError) -> Int {
        do {
            func deleted(_ table: String) throws -> Set<String> { try history.deleted(from: table, of: database) }
            let versions = try deleted("documents")
            let schools = try deleted("schools")
            let shares = try deleted("document_shares")
            let others = try ["communication_templates", "share_links"].map { (table: $0, ids: try deleted($0)) }
            let objects = try history.current.read { session in
                Set(try session.all("SELECT id FROM objects UNION SELECT first_id FROM objects") { $0.text(0) })
            }
            let persons = try history.current.read { session in
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
                for (name, ids) in others {
                    for id in ids { try table.session.execute("DELETE FROM \(name) WHERE id = ?", [id]) }
                }
                for share in shares { try table.removeShare(share) }
                for school in schools { try table.removeSchool(school) }
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
