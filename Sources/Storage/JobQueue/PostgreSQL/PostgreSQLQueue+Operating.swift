internal import Database

/// The operations of a person who administers the queue.
extension PostgreSQLQueue {
    /// Makes a finished job available; on the server's disk on return.
    public func requeue(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try write(.durable) { statements in try statements.requeue(id, at: now) }
        memory.forget()
        announce()
    }

    /// Cancels an unfinished job; on the server's disk on return.
    public func cancel(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try write(.durable) { statements in try statements.cancel(id, at: now) }
        announce()
    }

    /// Stores the pause in the database, so that all processes observe it.
    public func pause(_ kind: JobKind) throws(QueueError) {
        try write(.durable) { statements in
            _ = try statements.session.execute(
                "INSERT INTO queue_paused VALUES (?) ON CONFLICT DO NOTHING", [kind.rawValue])
        }
        announce()
    }

    /// Deletes the pause and wakes waiting workers.
    public func resume(_ kind: JobKind) throws(QueueError) {
        try write(.durable) { statements in
            _ = try statements.session.execute("DELETE FROM queue_paused WHERE kind = ?", [kind.rawValue])
        }
        memory.forget()
        announce()
    }

    /// Reads one page of jobs in one query.
    public func list(_ filter: JobFilter) throws(QueueError) -> [Job] {
        var conditions = ["id < ?"]
        var values: [(any SQLConvertible)?] = [filter.before?.rawValue ?? .max]
        if let state = filter.state {
            conditions.append("state = ?")
            values.append(state.rawValue)
        }
        if let kind = filter.kind {
            conditions.append("kind = ?")
            values.append(kind.rawValue)
        }
        values.append(max(0, filter.limit))
        let sql = """
            SELECT \(JobRow.columns) FROM queue_job WHERE \(conditions.joined(separator: " AND "))
            ORDER BY id DESC LIMIT ?
            """
        return try read { statements in try statements.all(sql, values) }
    }

    /// Reads the job and its attempts from one snapshot of the database.
    public func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt]) {
        try read { statements in
            let found = try statements.first(
                "SELECT \(JobRow.columns) FROM queue_job WHERE id = ?", [id.rawValue])
            guard let job = found else { throw QueueError.noSuchJob(id) }
            return (job, try statements.attempts(of: id))
        }
    }

    /// Deletes 500 jobs per transaction, and merges the rows of each count into one.
    @discardableResult
    public func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int {
        let now = surroundings.now
        let moment = now - age
        try foldCounts()
        var total = 0
        while true {
            let deleted = try write { statements in
                try Self.deleteOldest(in: statements.session, before: moment, keepingAtMost: max(0, count))
            }
            total += deleted
            if deleted == 0 { return total }
        }
    }

    private static let pruneStep = 500

    private static func deleteOldest(
        in session: PostgreSQLSession, before moment: QueueInstant, keepingAtMost count: Int
    ) throws -> Int {
        let oldest = "SELECT id FROM queue_job WHERE state = 'done'"
        let held = try session.integer(
            "SELECT CAST(coalesce(sum(jobs), 0) AS bigint) FROM queue_count WHERE state = 'done'")
        let excess = min(pruneStep, max(0, Int(held ?? 0) - count))
        if excess > 0 {
            let deleted = try session.execute(
                """
                DELETE FROM queue_job WHERE id IN (
                    \(oldest) ORDER BY finished, id LIMIT ? FOR UPDATE SKIP LOCKED)
                """, [excess])
            if deleted > 0 { return deleted }
        }
        return try session.execute(
            """
            DELETE FROM queue_job WHERE id IN (
                \(oldest) AND finished < ? ORDER BY finished, id LIMIT ? FOR UPDATE SKIP LOCKED)
            """, [moment.milliseconds, pruneStep])
    }

    /// Merges all rows of each count into one. One program does it at a time; the others skip it.
    func foldCounts() throws(QueueError) {
        try write { statements in
            let session = statements.session
            let isFirst = try session.integer("SELECT pg_try_advisory_xact_lock(\(Self.foldingLock))")
            guard isFirst == 1 else { return }
            try session.execute(
                """
                WITH folded AS (DELETE FROM queue_count RETURNING kind, state, jobs)
                INSERT INTO queue_count
                SELECT kind, state, CAST(sum(jobs) AS bigint) FROM folded GROUP BY kind, state HAVING sum(jobs) <> 0
                """, [])
        }
    }

    private static let foldingLock = 0x636D_7002
}
