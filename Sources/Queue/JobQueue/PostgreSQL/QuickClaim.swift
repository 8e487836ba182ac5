internal import Media
internal import PostgreSQL
internal import SQL

/// A claim by one statement, in one round trip: for a worker that holds no job alone, while nobody has reserved a job, and the next job is
/// not suspected. Everything else is `Claim`'s.
struct QuickClaim {
    let claim: Claim
    let starts: [ClaimMemory.Start]
    /// Whether the job that has waited longest is claimed, instead of the most urgent one.
    let isFair: Bool
    /// Whether the job's attempt is recorded, too.
    let begins: Bool
    /// The job's from now on: one token however often the statement runs, and no two jobs can have it.
    let token = LeaseToken.random()

    /// What the statement did.
    enum Result {
        case claimed(ClaimedJob)
        /// Leased a job that cannot be read.
        case unreadable(LeaseToken)
        /// No job waits behind the starts.
        case noneFound
        /// Nothing was changed; `Claim` has to decide.
        case special
    }

    func statements() -> [PostgreSQLDatabase.Statement] {
        let values: [any SQLConvertible] =
            starts.arrays(downTo: claim.lowest)
            + [
                claim.now.milliseconds, isFair ? 0 : claim.lowest.rawValue, claim.worker, token.hex,
                (claim.now + claim.lease).milliseconds, isFair,
            ]
        // Claims of the same worker that `Claim` decides are over, or begin after this one.
        return [ClaimTransaction.sharedLock(of: claim.worker), .init(begins ? Self.beginning : Self.claiming, values)]
    }

    /// Looks for the job that the statement has leased, where its answer was lost. The columns are the same.
    var recall: PostgreSQLDatabase.Statement { .init(Self.recalling, [token.hex]) }

    /// The result by the statement's row.
    func result(_ row: any SQLRow) -> Result {
        if row.integer(JobRow.columnCount) == 1 { return .special }
        if row.isNull(0) { return .noneFound }
        var job = JobRow.job(PostgreSQLRow(row: row))
        if job.isSuspected { return .special }
        guard job.unreadable.isEmpty else { return .unreadable(token) }
        job.claim(by: claim.worker, for: claim.lease, at: claim.now, token: token)
        return .claimed(ClaimedJob(job, attempt: row.integer(JobRow.columnCount + 1).map(Int.init)))
    }

    /// Nothing sorts the priorities, so they are looked at one after another, and the first job ends the reading. For a fair turn all
    /// are looked at as one.
    private static func sql(_ attempt: String, number: String) -> String {
        """
        WITH surroundings AS MATERIALIZED (
            SELECT EXISTS (SELECT 1 FROM queue_reservation)
                OR EXISTS (SELECT 1 FROM queue_job WHERE lease_alone AND lease_worker = ?7) AS are_special
        ), next AS MATERIALIZED (
            SELECT job.* FROM surroundings CROSS JOIN generate_series(0, ?6) AS priorities (priority)
                CROSS JOIN LATERAL (\(first)) AS job
            WHERE NOT surroundings.are_special LIMIT 1
        ), leased AS (
            UPDATE queue_job SET state = 'leased', lease_token = ?8, lease_worker = ?7, lease_claimed = ?5, lease_deadline = ?9
            FROM next WHERE queue_job.id = next.id AND next.worker_deaths = 0
        )\(attempt)
        SELECT next.*, surroundings.are_special, \(number) FROM surroundings LEFT JOIN next ON TRUE
        """
    }

    private static let claiming = sql("", number: "NULL")
    private static let beginning = sql(
        """
        , begun AS (
            INSERT INTO queue_attempt (job, number, worker, started, timings, alone)
            SELECT next.id, 1 + coalesce((SELECT max(number) FROM queue_attempt WHERE job = next.id), 0), ?7, ?5, '{}', FALSE
            FROM next WHERE next.worker_deaths = 0
            RETURNING number
        )
        """, number: "(SELECT number FROM begun)")

    private static let recalling = """
        SELECT \(JobRow.columns), FALSE, (SELECT max(number) FROM queue_attempt WHERE job = queue_job.id AND ended IS NULL)
        FROM queue_job WHERE lease_token = ?
        """

    private static let first = ClaimTransaction.firstWaiting(
        and: "",
        ofStarts: """
            (start.priority = priorities.priority OR ?10)
                AND NOT EXISTS (SELECT 1 FROM queue_paused WHERE queue_paused.kind = start.kind)
            """)
}
