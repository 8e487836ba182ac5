internal import GRDB

/// What a person calls who looks after the queue.
extension SQLiteQueue {
    public func requeue(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try write(.full) { table in
            var job = try table.job(id)
            if job.state.isUnfinished { throw QueueError.wrongState(id, job.state) }
            let identity = try String.fetchOne(
                table.database, sql: "SELECT identity FROM queue_job WHERE id = ?", arguments: [id.rawValue])
            if let other = try identity.flatMap(table.unfinished) { throw QueueError.duplicate(of: other.id) }
            job.requeue(at: now)
            try table.update(job)
        }
        announce()
    }

    public func cancel(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try write(.full) { table in
            var job = try table.job(id)
            guard job.state.isUnfinished else { throw QueueError.wrongState(id, job.state) }
            job.cancel(at: now)
            try table.update(job)
            try table.closeAttempt(of: id, .cancelled, at: now)
        }
    }

    public func pause(_ kind: JobKind) throws(QueueError) {
        try write(.full) { table in
            try table.database.execute(
                sql: "INSERT OR IGNORE INTO queue_paused VALUES (?)", arguments: [kind.rawValue])
        }
    }

    public func resume(_ kind: JobKind) throws(QueueError) {
        try write(.full) { table in
            try table.database.execute(sql: "DELETE FROM queue_paused WHERE kind = ?", arguments: [kind.rawValue])
        }
        announce()
    }

    public func list(_ filter: JobFilter) throws(QueueError) -> [Job] {
        var conditions = ["id < ?"]
        var arguments: StatementArguments = [filter.before?.rawValue ?? .max]
        if let state = filter.state {
            conditions.append("state = ?")
            arguments += [state.rawValue]
        }
        if let kind = filter.kind {
            conditions.append("kind = ?")
            arguments += [kind.rawValue]
        }
        arguments += [max(0, filter.limit)]
        let sql = """
            SELECT \(JobRow.columns) FROM queue_job WHERE \(conditions.joined(separator: " AND "))
            ORDER BY id DESC LIMIT ?
            """
        return try read { table in
            try Row.fetchAll(table.database.cachedStatement(sql: sql), arguments: arguments).map(JobRow.job)
        }
    }

    public func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt]) {
        try read { table in (try table.job(id), try table.attempts(of: id)) }
    }

    /// Deletes in steps of 500 jobs, so that workers are never kept waiting for long.
    @discardableResult
    public func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int {
        let moment = surroundings.now - age
        var total = 0
        while true {
            let deleted = try write { table in
                try Self.deleteOldest(in: table, before: moment, keepingAtMost: max(0, count))
            }
            total += deleted
            if deleted == 0 { return total }
        }
    }

    private static let pruneStep = 500

    private static func deleteOldest(
        in table: JobTable, before moment: QueueInstant, keepingAtMost count: Int
    ) throws -> Int {
        let doneCount =
            try Int.fetchOne(table.database, sql: "SELECT sum(jobs) FROM queue_count WHERE state = 'done'") ?? 0
        let oldest = "SELECT id FROM queue_job INDEXED BY queue_job_done WHERE state = 'done'"
        let excess = min(pruneStep, max(0, doneCount - count))
        try table.database.cachedStatement(
            sql: "DELETE FROM queue_job WHERE id IN (\(oldest) ORDER BY finished, id LIMIT ?)"
        ).execute(arguments: [excess])
        if excess > 0 { return table.database.changesCount }
        try table.database.cachedStatement(
            sql: "DELETE FROM queue_job WHERE id IN (\(oldest) AND finished < ? ORDER BY finished, id LIMIT ?)"
        ).execute(arguments: [moment.milliseconds, pruneStep])
        return table.database.changesCount
    }
}
