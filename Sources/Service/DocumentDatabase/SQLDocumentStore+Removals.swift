public import Documents
internal import SQL

/// Files that are to be removed. A removal is taken by moving `due` to the end of the lease, by which its holder is known.
extension SQLDocumentStore {
    /// Reads by the index of due times.
    public func dueRemovals(limit: Int) throws(DocumentError) -> [Removal] {
        try read { table in try table.dueRemovals(limit: limit) }
    }

    /// Takes the row under its lock, which nobody waits for.
    public func takeRemoval(for lease: Duration) throws(DocumentError) -> Removal? {
        // Most of the time there is none, and then nothing is written.
        if try !read({ try $0.hasDueRemoval() }) { return nil }
        return try write(of: nil) { table in
            // SQLite has one transaction of changes at a time.
            let lock = if case .postgreSQL = table.session.dialect { "FOR UPDATE SKIP LOCKED" } else { "" }
            guard let removal = try table.firstDueRemoval(lock) else { return nil }
            let taken = Removal(
                path: removal.path, digest: removal.digest, failureCount: removal.failureCount, due: table.now + lease)
            try table.session.execute(
                "UPDATE removals SET due = ? WHERE path = ?", [taken.due.microseconds, taken.path])
            return taken
        }
    }

    /// Seeks by the keys of removals and files.
    public func holds(_ removal: Removal) throws(DocumentError) -> Bool {
        try read { table in
            if removal.due <= table.now { return false }
            return try table.session.hasRow(
                """
                SELECT 1 FROM removals WHERE path = ?1 AND due = ?2
                    AND NOT EXISTS (SELECT 1 FROM documents WHERE object_path = ?1)
                """, [removal.path, removal.due.microseconds])
        }
    }

    /// Seeks by the key of removals.
    public func hasRemovals(of owner: ID<Person>) throws(DocumentError) -> Bool {
        try read { table in
            // Behind a person's last path: `0` follows `/`.
            try table.session.hasRow(
                "SELECT 1 FROM removals WHERE path > ? AND path < ? LIMIT 1", ["\(owner)/", "\(owner)0"])
        }
    }

    /// Deletes by the indexes of paths.
    public func forgetJobs(of removal: Removal) throws(DocumentError) -> Bool {
        try write(of: nil, addsJobs: true) { table in
            try forgetJobs(forFile: removal.path, of: removal.digest, in: table)
            return try !table.session.hasRow(
                "SELECT 1 FROM picture_jobs WHERE path = ?1 UNION ALL SELECT 1 FROM ordered_pictures WHERE path = ?1",
                [removal.path])
        }
    }

    /// Deletes the row, and the file's notes.
    public func endRemoval(_ removal: Removal) throws(DocumentError) {
        try write(of: nil) { table in
            let count = try table.session.execute(
                "DELETE FROM removals WHERE path = ? AND due = ?", [removal.path, removal.due.microseconds])
            // The notes at the path may be those of a new file.
            if count > 0 { try table.forgetNotes(ofFile: removal.path) }
        }
    }

    /// Counts the failure; the pause doubles from a second up to an hour.
    public func delayRemoval(_ removal: Removal) throws(DocumentError) {
        let pause = Duration.seconds(min(3600, 1 << min(removal.failureCount, 12)))
        _ = try write(of: nil) { table in
            try table.session.execute(
                "UPDATE removals SET failures = ?, due = ? WHERE path = ? AND due = ?",
                [
                    removal.failureCount + 1, (table.now + pause).microseconds, removal.path,
                    removal.due.microseconds,
                ])
        }
    }
}

extension DocumentTable {
    fileprivate func hasDueRemoval() throws -> Bool {
        try session.hasRow("SELECT 1 FROM removals WHERE due <= ? LIMIT 1", [now.microseconds])
    }

    /// The removal that has been due the longest, behind those that cannot be read.
    fileprivate func firstDueRemoval(_ lock: String) throws -> Removal? {
        var (due, path) = (Int64.min, "")
        while true {
            var found: (removal: Removal?, due: Int64?, path: String?)?
            try session.forEachRow(
                """
                SELECT \(Self.removalColumns), CAST(due AS BIGINT) FROM removals WHERE due <= ? AND (due, path) > (?, ?)
                ORDER BY due, path LIMIT 1 \(lock)
                """, [now.microseconds, due, path]
            ) { row in found = (removal(row), row.integer(4), row.text(0)) }
            guard let found else { return nil }
            if let removal = found.removal { return removal }
            // Behind a path that is no text the others with its time are of this sort, too.
            if let next = found.path, let time = found.due, (time, next) > (due, path) {
                (due, path) = (time, next)
            } else {
                (due, path) = ((found.due ?? due) + 1, "")
            }
        }
    }

    /// - Parameter lock: the clause by which rows are locked.
    fileprivate func dueRemovals(limit: Int, _ lock: String = "") throws -> [Removal] {
        try session.all(
            "SELECT \(Self.removalColumns) FROM removals WHERE due <= ? ORDER BY due LIMIT ? \(lock)",
            [now.microseconds, limit], removal)
    }
}
