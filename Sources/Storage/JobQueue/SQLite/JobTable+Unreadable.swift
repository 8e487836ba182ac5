internal import GRDB
internal import Media

/// Handles rows with values that this program never writes, as after a disk fault or a change by another program.
extension JobTable {
    func endUnreadable(_ job: Job, as state: JobState, at now: QueueInstant) throws {
        let type = if case .object = job.source { "object" } else { "path" }
        try database.cachedStatement(
            sql: """
                UPDATE queue_job SET kind = ?, source_type = ?, source = ?, digest = ?, recipes = ?, priority = ?,
                    state = ?, enqueued = ?, not_before = ?, turn = ?, party = NULL, finished = ?, failures = ?, worker_deaths = ?,
                    alone_deaths = ?, failure = ?, lease_token = NULL, lease_worker = NULL, lease_claimed = NULL,
                    lease_deadline = NULL, lease_alone = 0,
                    identity = CASE WHEN typeof(identity) = 'text' THEN identity ELSE 'unreadable ' || id END
                WHERE id = ?
                """
        ).execute(arguments: [
            job.kind.rawValue, type, job.source.location, job.digest?.hex, JobRow.text(job.recipes),
            job.priority.rawValue, state.rawValue, job.enqueued.milliseconds, job.notBefore.milliseconds,
            job.turn.milliseconds, now.milliseconds, job.failureCount, job.workerDeathCount, job.aloneDeathCount,
            JobRow.text(job.unreadableReason), job.id.rawValue,
        ])
        try closeAttempt(of: job.id, .failed, at: now, failure: job.unreadableReason, timings: [])
        // The kind and state under which the job was counted are unknown.
        if job.unreadable.contains(where: { ["kind", "state"].contains($0.name) }) { try recount() }
    }

    /// Damaged jobs that no claim would find: waiting jobs outside the order, leases without a deadline, unknown
    /// states.
    func unreachable() throws -> [JobID] {
        let latest = QueueInstant.latest.milliseconds
        let found = try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id FROM queue_job INDEXED BY queue_job_waiting
                    WHERE state = 'available' AND (kind IS NULL OR priority IS NULL OR priority NOT IN (0, 1, 2)
                        OR typeof(not_before) <> 'integer' OR not_before > \(latest)
                        OR typeof(turn) <> 'integer' OR turn > \(latest))
                    UNION ALL
                    SELECT id FROM queue_job WHERE state = 'leased' AND (lease_token IS NULL
                        OR typeof(lease_deadline) <> 'integer' OR lease_deadline > \(latest))
                    UNION ALL
                    SELECT id FROM queue_job WHERE state IS NULL
                        OR state NOT IN ('available', 'leased', 'done', 'dead', 'cancelled')
                    UNION ALL
                    SELECT id FROM queue_job WHERE state = 'done' AND (finished IS NULL OR finished > \(latest))
                    """))
        return found.map(JobID.init(rawValue:))
    }

    /// Whether a count that the triggers maintain is not a plausible number.
    func hasDamagedCounts() throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT 1 FROM queue_count WHERE typeof(jobs) <> 'integer' OR jobs < 0 OR jobs > 1000000000000
                    OR typeof(kind) <> 'text' OR typeof(state) <> 'text'
                """) ?? false
    }

    /// Recomputes the counts by kind and state from the jobs themselves.
    func recount() throws {
        try database.execute(sql: "DELETE FROM queue_count")
        try database.execute(
            sql: """
                INSERT INTO queue_count SELECT kind, state, count(*) FROM queue_job
                WHERE kind IS NOT NULL AND state IS NOT NULL GROUP BY kind, state
                """)
    }
}
