internal import GRDB
internal import Media

/// The statements on jobs and attempts, inside one transaction.
struct JobTable: JobTransaction {
    let database: Database

    func job(_ id: JobID) throws -> Job {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(JobRow.columnsAsBytes) FROM queue_job WHERE id = ?"),
            arguments: [id.rawValue])
        guard let row else { throw QueueError.noSuchJob(id) }
        return JobRow.job(SQLiteRow(row))
    }

    /// The job that a token leases; `nil` if there is none, or if it could not be read and is now a dead letter.
    func readableJob(leasedBy token: LeaseToken, at now: QueueInstant) throws -> Job? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(JobRow.columnsAsBytes) FROM queue_job WHERE lease_token = ?"),
            arguments: [token.hex])
        guard let job = row.map({ JobRow.job(SQLiteRow($0)) }) else { return nil }
        if job.unreadable.isEmpty { return job }
        try endUnreadable(job, at: now)
        return nil
    }

    /// The unfinished job that has the same identity as a job. SQLite compares the two, because a damaged identity may
    /// not be text.
    func unfinished(alike id: JobID) throws -> JobID? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT other.id FROM queue_job AS job JOIN queue_job AS other ON other.identity = job.identity
                    WHERE job.id = ? AND other.state IN ('available', 'leased')
                    """), arguments: [id.rawValue]
        ).map(JobID.init(rawValue:))
    }

    /// The unfinished job with an identity.
    func unfinished(_ identity: String) throws -> Job? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(JobRow.columnsAsBytes) FROM queue_job WHERE identity = ? AND state IN ('available', 'leased')
                    """), arguments: [identity]
        ).map { JobRow.job(SQLiteRow($0)) }
    }

    /// The job that a request becomes, with its place in the line.
    func job(_ request: JobRequest, at now: QueueInstant) throws -> Job {
        var job = Job(id: JobID(rawValue: 0), request: request, at: now)
        guard let party = job.party else { return job }
        let turn = try DatabaseValue.fetchOne(
            database.cachedStatement(sql: Self.newTurn),
            arguments: [party, job.priority.rawValue, now.milliseconds])
        if let turn = turn.flatMap(SQLiteRow.integer) { job.turn = QueueInstant(milliseconds: turn) }
        return job
    }

    private static let newTurn = """
        SELECT \(PartyLine.newTurn(of: "new", number: "0", at: "?3"))
        FROM (SELECT ?1 AS party, ?2 AS priority) AS new
        """

    func insert(_ job: Job, identity: String) throws -> JobID {
        let type = if case .object = job.source { "object" } else { "path" }
        try database.cachedStatement(
            sql: """
                INSERT INTO queue_job (kind, identity, source_type, source, digest, recipes, priority, state, enqueued,
                    not_before, turn, party, failures, worker_deaths)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'available', ?, ?, ?, ?, 0, 0)
                """
        ).execute(arguments: [
            job.kind.rawValue, identity, type, job.source.location, job.digest?.hex, JobRow.text(job.recipes),
            job.priority.rawValue, job.enqueued.milliseconds, job.notBefore.milliseconds, job.turn.milliseconds,
            job.party,
        ])
        return JobID(rawValue: database.lastInsertedRowID)
    }

    /// Writes the columns that `Job.join` has changed.
    func move(_ job: Job) throws {
        try database.cachedStatement(sql: "UPDATE queue_job SET priority = ?, turn = ?, party = ? WHERE id = ?")
            .execute(arguments: [job.priority.rawValue, job.turn.milliseconds, job.party, job.id.rawValue])
    }

    /// Writes all columns that a transition may have changed.
    func update(_ job: Job) throws {
        try database.cachedStatement(
            sql: """
                UPDATE queue_job SET digest = ?, state = ?, not_before = ?, turn = ?, party = ?, finished = ?, failures = ?,
                    worker_deaths = ?, alone_deaths = ?, failure = ?, lease_token = ?, lease_worker = ?,
                    lease_claimed = ?, lease_deadline = ?, lease_alone = ?
                WHERE id = ?
                """
        ).execute(arguments: [
            job.digest?.hex, job.state.rawValue, job.notBefore.milliseconds, job.turn.milliseconds, job.party,
            job.finished?.milliseconds, job.failureCount, job.workerDeathCount, job.aloneDeathCount,
            job.lastFailure.map(JobRow.text),
            job.lease?.token.hex, job.lease?.worker, job.lease?.claimed.milliseconds, job.lease?.deadline.milliseconds,
            job.lease?.isAlone ?? false, job.id.rawValue,
        ])
    }
}

extension JobTable {
    func attempts(of id: JobID) throws -> [Attempt] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT \(JobRow.attemptColumnsAsBytes) FROM queue_attempt WHERE job = ? ORDER BY number"),
            arguments: [id.rawValue]
        ).map { JobRow.attempt(SQLiteRow($0)) }
    }

    /// The number of a job's last attempt (0 if there was none), and whether it is still open.
    func lastAttempt(of id: JobID) throws -> (number: Int, isOpen: Bool) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT number, ended FROM queue_attempt
                    WHERE job = ? AND number BETWEEN 0 AND 1000000000 AND typeof(number) = 'integer'
                    ORDER BY number DESC LIMIT 1
                    """), arguments: [id.rawValue])
        guard let row else { return (0, false) }
        return (Int(SQLiteRow.integer(row[0]) ?? 0), (row[1] as DatabaseValue).isNull)
    }

    func insert(_ attempt: Attempt, of id: JobID) throws {
        try database.cachedStatement(
            sql: "INSERT INTO queue_attempt (job, number, worker, started, timings, alone) VALUES (?, ?, ?, ?, '{}', ?)"
        ).execute(arguments: [
            id.rawValue, attempt.number, attempt.worker, attempt.started.milliseconds, attempt.isAlone,
        ])
    }

    /// Closes a job's open attempt, if there is one.
    func closeAttempt(
        of id: JobID, _ end: Attempt.End, at now: QueueInstant, failure: Failure?, timings: [Attempt.Timing]
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
