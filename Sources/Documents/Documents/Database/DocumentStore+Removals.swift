internal import Database
public import Media

/// Bytes that are to be removed. Taking a removal moves `due` to the end of the lease, which identifies its holder.
extension DocumentStore {
    /// At most `limit` removals that are due and that nobody has taken.
    public func dueRemovals(limit: Int) throws(DocumentError) -> [Removal] {
        try read { table in try table.dueRemovals(limit: limit) }
    }

    /// Takes the removal that has been due the longest: nobody else gets it until `lease` expires.
    ///
    /// - Returns: `nil` if none is due.
    public func takeRemoval(for lease: Duration) throws(DocumentError) -> Removal? {
        // Usually there is none, and then nothing is written.
        if try !read({ try $0.hasDueRemoval() }) { return nil }
        return try write(of: nil) { table in
            guard let removal = try table.firstDueRemoval(table.session.dialect.skippingLocked) else { return nil }
            let taken = Removal(
                object: removal.object, digest: removal.digest, failureCount: removal.failureCount,
                due: table.now + lease)
            try table.session.execute(
                "UPDATE removals SET due = ? WHERE object_id = ?", [taken.due.microseconds, taken.object.rawValue])
            return taken
        }
    }

    /// Whether bytes of a person still wait to be removed, whoever has taken them.
    public func hasRemovals(of owner: ID<Person>) throws(DocumentError) -> Bool {
        try read { table in
            try table.session.hasRow("SELECT 1 FROM removals WHERE user_id = ? LIMIT 1", [owner.text])
        }
    }

    /// Deletes the jobs for a removed object.
    ///
    /// - Returns: `false` if a worker is running one: it may still store pictures.
    public func forgetJobs(of removal: Removal) throws(DocumentError) -> Bool {
        try write(of: nil, addsJobs: true) { table in
            try forgetJobs(for: removal.object, of: removal.digest, in: table)
            return try !table.session.hasRow(
                """
                SELECT 1 FROM picture_jobs WHERE object_id = ?1
                UNION ALL SELECT 1 FROM ordered_pictures WHERE object_id = ?1
                """, [removal.object.rawValue])
        }
    }

    /// Ends a completed removal, unless somebody else has taken it since.
    public func endRemoval(_ removal: Removal) throws(DocumentError) {
        _ = try write(of: nil) { table in
            try table.session.execute(
                "DELETE FROM removals WHERE object_id = ? AND due = ?",
                [removal.object.rawValue, removal.due.microseconds])
        }
    }

    /// Postpones a removal after a failed attempt, unless somebody else has taken it since.
    public func delayRemoval(_ removal: Removal) throws(DocumentError) {
        let pause = Duration.seconds(min(3600, 1 << min(removal.failureCount, 12)))
        _ = try write(of: nil) { table in
            try table.session.execute(
                "UPDATE removals SET failures = ?, due = ? WHERE object_id = ? AND due = ?",
                [
                    removal.failureCount + 1, (table.now + pause).microseconds, removal.object.rawValue,
                    removal.due.microseconds,
                ])
        }
    }
}

extension DocumentTable {
    fileprivate func hasDueRemoval() throws -> Bool {
        try session.hasRow("SELECT 1 FROM removals WHERE due <= ? LIMIT 1", [now.microseconds])
    }

    /// The readable removal that has been due the longest.
    fileprivate func firstDueRemoval(_ lock: String) throws -> Removal? {
        var (due, object) = (Int64.min, "")
        while true {
            var found: (removal: Removal?, due: Int64?, object: String?)?
            try session.forEachRow(
                """
                SELECT \(Self.removalColumns), CAST(due AS BIGINT) FROM removals WHERE due <= ? AND (due, object_id) > (?, ?)
                ORDER BY due, object_id LIMIT 1 \(lock)
                """, [now.microseconds, due, object]
            ) { row in found = (removal(row), row.integer(4), row.text(0)) }
            guard let found else { return nil }
            if let removal = found.removal { return removal }
            // Behind an ID that is not text, no other ID with the same time is text.
            if let next = found.object, let time = found.due, (time, next) > (due, object) {
                (due, object) = (time, next)
            } else {
                (due, object) = ((found.due ?? due) + 1, "")
            }
        }
    }

    fileprivate func dueRemovals(limit: Int) throws -> [Removal] {
        try session.all(
            "SELECT \(Self.removalColumns) FROM removals WHERE due <= ? ORDER BY due LIMIT ?",
            [now.microseconds, limit], removal)
    }

    fileprivate static let removalColumns = "object_id, digest, failures, due"

    /// The removal in a row; an unreadable one is reported.
    fileprivate func removal(_ row: any SQLRow) -> Removal? {
        guard let object = row.object(0) else {
            unreadable("removal \(row.words)")
            return nil
        }
        return Removal(
            object: object, digest: row.digest(1), failureCount: Int(row.integer(2) ?? 0),
            due: row.instant(3) ?? Instant(microseconds: 0))
    }
}
