internal import Database
internal import GRDB

/// The operations of a person who administers the queue.
extension SQLiteQueue {
    /// Makes a finished job available; synchronised to the disk on return.
    public func requeue(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try write(.durable) { table in try table.requeue(id, at: now) }
        announce()
    }

    /// Cancels an unfinished job; synchronised to the disk on return.
    public func cancel(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try write(.durable) { table in try table.cancel(id, at: now) }
        announce()
    }

    /// Stores the pause in the file, so that all processes observe it.
    public func pause(_ kind: JobKind) throws(QueueError) {
        try write(.durable) { table in
            try table.database.execute(
                sql: "INSERT OR IGNORE INTO queue_paused VALUES (?)", arguments: [kind.rawValue])
        }
        announce()
    }

    /// Deletes the pause from the file and wakes waiting workers.
    public func resume(_ kind: JobKind) throws(QueueError) {
        try write(.durable) { table in
            try table.database.execute(sql: "DELETE FROM queue_paused WHERE kind = ?", arguments: [kind.rawValue])
        }
        announce()
    }

    /// Reads one page of jobs in one query.
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
            SELECT \(JobRow.columnsAsBytes) FROM queue_job WHERE \(conditions.joined(separator: " AND "))
            ORDER BY id DESC LIMIT ?
            """
        return try read { table in
            try Row.fetchAll(table.database.cachedStatement(sql: sql), arguments: arguments).map {
                JobRow.job(SQLiteRow($0))
            }
        }
    }

    /// Reads the job and its attempts from one snapshot of the file.
    public func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt]) {
        try read { table in (try table.job(id), try table.attempts(of: id)) }
    }

    /// Deletes 500 jobs per transaction, so that no worker waits long for the write lock.
    @discardableResult
    public func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int {
        let now = surroundings.now
        let moment = now - age
        try buryUnreachable(at: now)
        var total = 0
        while true {
            let deleted = try write { table in
                try Self.deleteOldest(in: table, before: moment, keepingAtMost: max(0, count))
            }
            total += deleted
            if deleted == 0 { return total }
        }
    }

    private func buryUnreachable(at now: QueueInstant) throws(QueueError) {
        let (jobs, hasDamagedCounts) = try read { table in (try table.unreachable(), try table.hasDamagedCounts()) }
        if jobs.isEmpty && !hasDamagedCounts { return }
        try write { table in
            for id in jobs {
                let job = try table.job(id)
                if !job.unreadable.isEmpty { try table.endUnreadable(job, at: now) }
            }
            if hasDamagedCounts { try table.recount() }
        }
    }

    private static let pruneStep = 500

    /// The number of done jobs. The count that triggers maintain may be damaged, so the jobs are counted before any are
    /// deleted because of it.
    private static func doneCount(in table: JobTable, beyond count: Int) throws -> Int {
        let kept = try DatabaseValue.fetchAll(table.database, sql: "SELECT jobs FROM queue_count WHERE state = 'done'")
            .reduce(into: 0.0) { $0 += Double(SQLiteRow.integer($1) ?? 0) }
        guard kept > Double(count) else { return 0 }
        return try Int.fetchOne(
            table.database, sql: "SELECT count(*) FROM queue_job INDEXED BY queue_job_done WHERE state = 'done'") ?? 0
    }

    private static func deleteOldest(
        in table: JobTable, before moment: QueueInstant, keepingAtMost count: Int
    ) throws -> Int {
        let doneCount = try doneCount(in: table, beyond: count)
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
