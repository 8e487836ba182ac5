internal import GRDB
internal import Media

/// The statements over jobs and attempts, inside one transaction.
struct JobTable {
    let database: Database

    func job(_ id: JobID) throws -> Job {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(JobRow.columns) FROM queue_job WHERE id = ?"),
            arguments: [id.rawValue])
        guard let row else { throw QueueError.noSuchJob(id) }
        return try JobRow.job(row)
    }

    func job(leasedBy token: LeaseToken) throws -> Job {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(JobRow.columns) FROM queue_job WHERE lease_token = ?"),
            arguments: [token.hex])
        guard let row else { throw QueueError.leaseLost }
        return try JobRow.job(row)
    }

    /// The unfinished job of an identity, with its priority.
    func unfinished(_ identity: String) throws -> (id: JobID, priority: Int)? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT id, priority FROM queue_job WHERE identity = ? AND state IN ('available', 'leased')"),
            arguments: [identity]
        ).map { (JobID(rawValue: $0[0]), $0[1]) }
    }

    func insert(_ request: JobRequest, identity: String, at now: QueueInstant) throws -> JobID {
        let job = Job(id: JobID(rawValue: 0), request: request, at: now)
        let type = if case .object = request.source { "object" } else { "path" }
        try database.cachedStatement(
            sql: """
                INSERT INTO queue_job (kind, identity, source_type, source, digest, recipes, priority, state, enqueued,
                    not_before, failures, worker_deaths)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'available', ?, ?, 0, 0)
                """
        ).execute(arguments: [
            job.kind.rawValue, identity, type, job.source.location, job.digest?.hex, JobRow.text(job.recipes),
            job.priority.rawValue, now.milliseconds, job.notBefore.milliseconds,
        ])
        return JobID(rawValue: database.lastInsertedRowID)
    }

    func raise(_ id: JobID, to priority: Priority) throws {
        try database.cachedStatement(sql: "UPDATE queue_job SET priority = ? WHERE id = ?")
            .execute(arguments: [priority.rawValue, id.rawValue])
    }

    /// Writes what a transition may have changed.
    func update(_ job: Job) throws {
        try database.cachedStatement(
            sql: """
                UPDATE queue_job SET digest = ?, state = ?, not_before = ?, finished = ?, failures = ?,
                    worker_deaths = ?, failure = ?, lease_token = ?, lease_worker = ?, lease_claimed = ?,
                    lease_deadline = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            job.digest?.hex, job.state.rawValue, job.notBefore.milliseconds, job.finished?.milliseconds,
            job.failureCount, job.workerDeathCount, job.lastFailure.map(JobRow.text), job.lease?.token.hex,
            job.lease?.worker, job.lease?.claimed.milliseconds, job.lease?.deadline.milliseconds, job.id.rawValue,
        ])
    }
}

extension JobTable {
    func attempts(of id: JobID) throws -> [Attempt] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, worker, started, ended, "end", failure, timings FROM queue_attempt
                    WHERE job = ? ORDER BY number
                    """), arguments: [id.rawValue]
        ).map(JobRow.attempt)
    }

    /// The number of a job's last attempt, and whether it runs; number 0 where there was none.
    func lastAttempt(of id: JobID) throws -> (number: Int, isOpen: Bool) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT number, ended FROM queue_attempt WHERE job = ? ORDER BY number DESC LIMIT 1"),
            arguments: [id.rawValue])
        return row.map { ($0[0], ($0[1] as Int64?) == nil) } ?? (0, false)
    }

    func insert(_ attempt: Attempt, of id: JobID) throws {
        try database.cachedStatement(
            sql: "INSERT INTO queue_attempt (job, number, worker, started, timings) VALUES (?, ?, ?, ?, '{}')"
        ).execute(arguments: [id.rawValue, attempt.number, attempt.worker, attempt.started.milliseconds])
    }

    /// Closes the attempt that runs, if one does.
    func closeAttempt(
        of id: JobID, _ end: Attempt.End, at now: QueueInstant, failure: Failure? = nil, timings: [Attempt.Timing] = []
    ) throws {
        try database.cachedStatement(
            sql: """
                UPDATE queue_attempt SET ended = ?, "end" = ?, failure = ?, timings = ? WHERE job = ? AND ended IS NULL
                """
        ).execute(arguments: [
            now.milliseconds, end.rawValue, failure.map(JobRow.text), JobRow.text(timings), id.rawValue,
        ])
    }
}
