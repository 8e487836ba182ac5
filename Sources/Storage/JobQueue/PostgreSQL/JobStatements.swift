internal import Database
internal import Media

/// The statements on jobs and attempts, inside one transaction.
struct JobStatements: JobTransaction {
    let session: PostgreSQLSession

    func job(_ id: JobID) throws -> Job {
        let sql = "SELECT \(JobRow.columns) FROM queue_job WHERE id = ? FOR UPDATE"
        guard let job = try first(sql, [id.rawValue]) else { throw QueueError.noSuchJob(id) }
        return job
    }

    /// The first job that a statement on `JobRow.columns` returns.
    func first(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> Job? {
        try session.first(sql, values) { JobRow.job(PostgreSQLRow(row: $0)) }
    }

    /// The jobs that a statement on `JobRow.columns` returns.
    func all(_ sql: String, _ values: [(any SQLConvertible)?]) throws -> [Job] {
        try session.all(sql, values) { JobRow.job(PostgreSQLRow(row: $0)) }
    }

    /// The jobs that a claim has leased with some tokens, in their order, with its attempts.
    func claimed(by tokens: [LeaseToken]) throws -> [ClaimedJob] {
        if tokens.isEmpty { return [] }
        return try session.all(
            """
            SELECT \(JobRow.columns), (SELECT max(number) FROM queue_attempt WHERE job = queue_job.id AND ended IS NULL)
            FROM queue_job WHERE lease_token = ANY (CAST(?1 AS text[]))
            ORDER BY array_position(CAST(?1 AS text[]), lease_token)
            """, [SQLArray.text(tokens.map(\.hex))]
        ) { row in
            ClaimedJob(JobRow.job(PostgreSQLRow(row: row)), attempt: row.integer(JobRow.columnCount).map(Int.init))
        }
    }

    func readableJob(leasedBy token: LeaseToken, at now: QueueInstant) throws -> Job? {
        let sql = "SELECT \(JobRow.columns) FROM queue_job WHERE lease_token = ? FOR UPDATE"
        guard let job = try first(sql, [token.hex]) else { return nil }
        if job.unreadable.isEmpty { return job }
        try endUnreadable(job, at: now)
        return nil
    }

    func unfinished(alike id: JobID) throws -> JobID? {
        try session.integer(
            """
            SELECT other.id FROM queue_job AS job JOIN queue_job AS other ON other.identity = job.identity
            WHERE job.id = ? AND other.state IN ('available', 'leased')
            """, [id.rawValue]
        ).map(JobID.init(rawValue:))
    }

    /// If the server refuses it, the next statement that waits throws.
    func update(_ job: Job) throws {
        try session.executeLater(
            """
            UPDATE queue_job SET digest = ?, state = ?, not_before = ?, turn = ?, party = ?, finished = ?, failures = ?,
                worker_deaths = ?, alone_deaths = ?, failure = ?, lease_token = ?, lease_worker = ?,
                lease_claimed = ?, lease_deadline = ?, lease_alone = ?
            WHERE id = ?
            """,
            [
                job.digest?.hex, job.state.rawValue, job.notBefore.milliseconds, job.turn.milliseconds, job.party,
                job.finished?.milliseconds, job.failureCount, job.workerDeathCount, job.aloneDeathCount,
                job.lastFailure.map(JobRow.text),
                job.lease?.token.hex, job.lease?.worker, job.lease?.claimed.milliseconds,
                job.lease?.deadline.milliseconds, job.lease?.isAlone ?? false, job.id.rawValue,
            ])
    }

    func attempts(of id: JobID) throws -> [Attempt] {
        try session.all(
            "SELECT \(JobRow.attemptColumns) FROM queue_attempt WHERE job = ? ORDER BY number", [id.rawValue]
        ) { JobRow.attempt(PostgreSQLRow(row: $0)) }
    }

    func lastAttempt(of id: JobID) throws -> (number: Int, isOpen: Bool) {
        let sql = "SELECT number, ended FROM queue_attempt WHERE job = ? ORDER BY number DESC LIMIT 1"
        return try session.first(sql, [id.rawValue]) { (Int($0.integer(0) ?? 0), $0.isNull(1)) } ?? (0, false)
    }

    func insert(_ attempt: Attempt, of id: JobID) throws {
        try session.executeLater(
            "INSERT INTO queue_attempt (job, number, worker, started, timings, alone) VALUES (?, ?, ?, ?, '{}', ?)",
            [id.rawValue, attempt.number, attempt.worker, attempt.started.milliseconds, attempt.isAlone])
    }

    func closeAttempt(
        of id: JobID, _ end: Attempt.End, at now: QueueInstant, failure: Failure?, timings: [Attempt.Timing]
    ) throws {
        try session.executeLater(
            """
            UPDATE queue_attempt SET ended = ?, "end" = ?, failure = ?, timings = ? WHERE job = ? AND ended IS NULL
            """,
            [now.milliseconds, end.rawValue, failure.map(JobRow.text), JobRow.text(timings), id.rawValue])
    }

    func endUnreadable(_ job: Job, as state: JobState, at now: QueueInstant) throws {
        let type = if case .object = job.source { "object" } else { "path" }
        try session.executeLater(
            """
            UPDATE queue_job SET kind = ?, source_type = ?, source = ?, digest = ?, recipes = ?, priority = ?,
                state = ?, enqueued = ?, not_before = ?, turn = ?, party = NULL, finished = ?, failures = ?, worker_deaths = ?,
                alone_deaths = ?, failure = ?, lease_token = NULL, lease_worker = NULL, lease_claimed = NULL,
                lease_deadline = NULL, lease_alone = FALSE
            WHERE id = ?
            """,
            [
                job.kind.rawValue, type, job.source.location, job.digest?.hex, JobRow.text(job.recipes),
                job.priority.rawValue, state.rawValue, job.enqueued.milliseconds, job.notBefore.milliseconds,
                job.turn.milliseconds, now.milliseconds, job.failureCount, job.workerDeathCount, job.aloneDeathCount,
                JobRow.text(job.unreadableReason), job.id.rawValue,
            ])
        try closeAttempt(of: job.id, .failed, at: now, failure: job.unreadableReason, timings: [])
    }

    func hasReservation(_ worker: String) throws -> Bool {
        try session.hasRow("SELECT 1 FROM queue_reservation WHERE worker = ?", [worker])
    }

    /// The kinds of waiting jobs, by one seek each.
    static let waitingKinds = """
        WITH RECURSIVE waiting (kind) AS (
            SELECT (SELECT min(kind) FROM queue_job WHERE state = 'available')
            UNION ALL
            SELECT (SELECT min(kind) FROM queue_job WHERE state = 'available' AND kind > waiting.kind)
            FROM waiting WHERE waiting.kind IS NOT NULL)
        SELECT kind FROM waiting WHERE kind IS NOT NULL
        """

    /// The kinds of waiting jobs that may be claimed.
    static let claimableKinds = waitingKinds + " AND kind NOT IN (SELECT kind FROM queue_paused)"
}

/// Operations that take one statement each.
extension JobStatements {
    /// `JobTransaction.recordAttempt`. Returns the job's columns and the attempt's number, or no row if the lease is
    /// lost.
    static func recordAttempt(_ token: LeaseToken, at now: QueueInstant) -> PostgreSQLDatabase.Statement {
        .init(
            """
            WITH held AS MATERIALIZED (
                SELECT \(JobRow.columns) FROM queue_job WHERE lease_token = ?1 FOR UPDATE
            ), last AS MATERIALIZED (
                SELECT attempt.number, attempt.ended IS NULL AS is_open
                FROM held JOIN queue_attempt AS attempt ON attempt.job = held.id ORDER BY attempt.number DESC LIMIT 1
            ), new AS (
                INSERT INTO queue_attempt (job, number, worker, started, timings, alone)
                SELECT held.id, coalesce(last.number, 0) + 1, held.lease_worker, ?2, '{}', held.lease_alone
                FROM held LEFT JOIN last ON TRUE WHERE last.is_open IS NOT TRUE
                RETURNING number
            )
            SELECT held.*, coalesce(new.number, last.number)
            FROM held LEFT JOIN last ON TRUE LEFT JOIN new ON TRUE
            """, [token.hex, now.milliseconds])
    }

    /// `JobTransaction.complete`, including the end of the lease. Returns whether the worker's other slots may claim
    /// again, or no row if the lease is lost.
    static func complete(
        _ token: LeaseToken, _ outcome: JobOutcome, at now: QueueInstant
    ) -> PostgreSQLDatabase.Statement {
        .init(
            """
            WITH ended AS (
                UPDATE queue_job AS job SET digest = coalesce(?3, job.digest), state = 'done', party = NULL, finished = ?2,
                    failure = NULL, lease_token = NULL, lease_worker = NULL, lease_claimed = NULL, lease_deadline = NULL,
                    lease_alone = FALSE
                FROM queue_job AS held WHERE held.id = job.id AND job.lease_token = ?1
                RETURNING job.id, held.lease_worker, held.lease_alone
            ), closed AS (
                UPDATE queue_attempt AS attempt SET ended = ?2, "end" = 'completed', failure = NULL, timings = ?4
                FROM ended WHERE attempt.job = ended.id AND attempt.ended IS NULL
            )
            SELECT lease_alone OR EXISTS (SELECT 1 FROM queue_reservation WHERE worker = lease_worker) FROM ended
            """, [token.hex, now.milliseconds, outcome.digest?.hex, JobRow.text(outcome.timings)])
    }
}

/// A row of PostgreSQL, whose columns keep to their types. Only the content of a text or the value of a number can be
/// unreadable.
struct PostgreSQLRow: StoredRow {
    let row: any SQLRow

    func integer(_ column: Int) -> Int64? { row.integer(column) }

    func text(_ column: Int) -> String? { row.text(column) }

    func isNull(_ column: Int) -> Bool { row.isNull(column) }

    func words(_ column: Int) -> String { text(column)?.quoted ?? "NULL" }
}
