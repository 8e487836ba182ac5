internal import Database
internal import Media

/// A claim inside one transaction. Workers claim concurrently: a claim skips a job that another transaction holds (`FOR
/// UPDATE SKIP LOCKED`).
///
/// Claims of one worker wait for each other, because what a worker holds decides what it gets.
struct ClaimTransaction {
    let statements: JobStatements
    /// The points at which the waiting jobs of each kind and priority begin.
    let starts: [ClaimMemory.Start]
    /// Whether a lease has expired; only a full search looks for that.
    let hasExpired: Bool
    /// The tokens of the leases, and of leases to come.
    private(set) var tokens: [LeaseToken]
    private var leaseCount = 0
    /// The number of jobs claimed so far, including the jobs of this transaction.
    private var claimCount: Int
    private let held: (jobCount: Int, isAlone: Bool)
    private let reserved: [Reservation]
    /// The answer to the first query for the next job, which arrives together with the data that decides the claim.
    private var first: (turn: Turn, candidate: Candidate?)?
    /// The jobs that the transaction has read and holds.
    private var found: [JobID: Candidate] = [:]

    /// A waiting job that the transaction holds.
    private struct Candidate {
        let job: Job
        /// The number of its last attempt; 0 if there was none.
        let lastAttempt: Int

        init(_ row: any SQLRow) {
            job = JobRow.job(PostgreSQLRow(row: row))
            lastAttempt = Int(row.integer(JobRow.columnCount) ?? 0)
        }
    }

    /// Reads all the data that decides a claim, and usually its job too, in one round trip.
    ///
    /// - Parameters:
    ///   - starts: `nil` for a full search.
    ///   - leaseStart: the deadline after which a full search looks for expired leases.
    ///   - tokens: the tokens of an earlier run, which may still be in progress.
    init(
        of claim: Claim, in statements: JobStatements, after claimCount: Int, from starts: [ClaimMemory.Start]?,
        leaseStart: QueueInstant?, tokens: [LeaseToken]
    ) throws {
        self.statements = statements
        self.claimCount = claimCount
        self.tokens = tokens
        let session = statements.session
        try Self.lock(claim.worker, in: session)
        guard let starts else {
            let values: [any SQLConvertible] = [
                claim.worker, claim.now.milliseconds, leaseStart?.milliseconds ?? .min,
            ]
            let row = try session.first(Self.readingAll, values) { row in
                (
                    worker: Self.worker(row), kinds: row.text(3).map(Self.kinds) ?? [],
                    hasExpired: row.integer(4) == 1
                )
            }!
            (held, reserved) = row.worker
            hasExpired = row.hasExpired
            self.starts = row.kinds.flatMap { kind in
                Priority.allCases.map { ClaimMemory.Start(kind: kind, priority: $0) }
            }
            return
        }
        self.starts = starts
        hasExpired = false
        let turn = Turn(
            lowest: claim.lowest, isFair: claim.isFairTurn(after: claimCount), passedOver: [], passesSuspects: false,
            passedParties: claim.passedParties)
        try session.executeLater(Self.readingWorker, [claim.worker])
        try session.executeLater(Self.nextWaiting, Self.values(turn, from: starts, at: claim.now))
        let answers = try session.rows(ofLast: 2)
        (held, reserved) = Self.worker(answers[0][0])
        first = (turn, answers[1].first.map(Candidate.init))
    }

    /// Waits for other claims of a worker, together with the next statement.
    static func lock(_ worker: String, in session: PostgreSQLSession) throws {
        try session.executeLater("SELECT pg_advisory_xact_lock(\(workerLock), hashtext(?))", [worker])
    }

    private static func worker(_ row: any SQLRow) -> (held: (jobCount: Int, isAlone: Bool), reserved: [Reservation]) {
        ((Int(row.integer(0) ?? 0), row.integer(1) == 1), row.text(2).map(Self.reservations) ?? [])
    }

    private static let columnsOfWorker = """
        (SELECT count(*) FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_worker = ?1),
        EXISTS (SELECT 1 FROM queue_job WHERE lease_alone AND lease_worker = ?1),
        (SELECT json_agg(json_build_array(worker, job, made)) FROM queue_reservation)
        """
    private static let readingWorker = "SELECT \(columnsOfWorker)"
    private static let readingAll = """
        SELECT \(columnsOfWorker),
            (SELECT string_agg(kind, ' ') FROM (\(JobStatements.claimableKinds)) AS claimable),
            EXISTS (SELECT 1 FROM queue_job WHERE lease_deadline > ?3 AND lease_deadline <= ?2)
        """

    private static func kinds(_ text: String) -> [JobKind] {
        text.split(separator: " ").compactMap { JobKind(rawValue: String($0)) }
    }

    /// The first key of the advisory locks by which the claims of one worker wait for each other.
    private static let workerLock = 0x636D_7001

    static func reservations(_ text: String) -> [Reservation] {
        let rows = (try? JSON(parsing: Array(text.utf8)))?.array ?? []
        return rows.compactMap { row in
            guard let columns = row.array, columns.count == 3, let worker = columns[0].string,
                let job = columns[1].number, let made = columns[2].number
            else { return nil }
            return Reservation(
                worker: worker, job: JobID(rawValue: Int64(job)), made: QueueInstant(milliseconds: Int64(made)))
        }
    }
}

extension ClaimTransaction: ClaimingStore {
    func holdings(of worker: String) -> (jobCount: Int, isAlone: Bool) { held }

    func reservations() -> [Reservation] { reserved }

    func setReservation(_ reservation: Reservation?, of worker: String) throws {
        try Self.setReservation(reservation, of: worker, in: statements.session)
    }

    static func setReservation(
        _ reservation: Reservation?, of worker: String, in session: PostgreSQLSession
    ) throws {
        guard let reservation else {
            return try session.executeLater("DELETE FROM queue_reservation WHERE worker = ?", [worker])
        }
        try session.executeLater(
            """
            INSERT INTO queue_reservation VALUES (?, ?, ?)
                ON CONFLICT (worker) DO UPDATE SET job = excluded.job, made = excluded.made
            """, [worker, reservation.job.rawValue, reservation.made.milliseconds])
    }

    mutating func priorityIfWaiting(_ id: JobID, at now: QueueInstant) throws -> Priority? {
        let candidate = try statements.session.first(Self.ifWaiting, [id.rawValue, now.milliseconds], Candidate.init)
        found[id] = candidate
        return candidate?.job.priority
    }

    func claimCount(downTo lowest: Priority) -> Int { claimCount }

    mutating func setClaimCount(_ count: Int, downTo lowest: Priority) { claimCount = count }

    mutating func next(_ turn: Turn, at now: QueueInstant) throws -> (id: JobID, isSuspected: Bool)? {
        let known = first
        first = nil
        let candidate =
            if let known, known.turn == turn {
                known.candidate
            } else {
                try statements.session.first(
                    Self.nextWaiting, Self.values(turn, from: starts, at: now), Candidate.init)
            }
        guard let candidate else { return nil }
        found[candidate.job.id] = candidate
        return (candidate.job.id, candidate.job.isSuspected)
    }

    /// If the server refuses it, the next statement that waits throws.
    func moveUp(_ party: String, at priority: Priority, to turn: QueueInstant) throws {
        try statements.session.executeLater(
            PartyLine.movingUp(.postgreSQL), [party, priority.rawValue, turn.milliseconds])
    }

    mutating func lease(
        _ id: JobID, to worker: String, for duration: Duration, at now: QueueInstant
    ) throws -> Job? {
        guard var job = found[id]?.job else { return nil }
        if !job.unreadable.isEmpty {
            try statements.endUnreadable(job, at: now)
            return nil
        }
        if leaseCount == tokens.count { tokens.append(.random()) }
        job.claim(by: worker, for: duration, at: now, token: tokens[leaseCount])
        leaseCount += 1
        try statements.update(job)
        return job
    }

    /// Records the attempt at a job that this transaction has leased.
    func begin(_ claimed: ClaimedJob, at now: QueueInstant) throws -> ClaimedJob {
        let attempt = Attempt(
            number: (found[claimed.job.id]?.lastAttempt ?? 0) + 1, under: claimed.job.lease!, started: now)
        try statements.insert(attempt, of: claimed.job.id)
        return ClaimedJob(claimed.job, attempt: attempt.number)
    }
}

extension ClaimTransaction {
    private static func values(
        _ turn: Turn, from starts: [ClaimMemory.Start], at now: QueueInstant
    ) -> [any SQLConvertible] {
        let chosen = starts.filter { $0.priority >= turn.lowest }
        return [
            SQLArray.text(chosen.map(\.kind.rawValue)), SQLArray.numbers(chosen.map { Int64($0.priority.rawValue) }),
            SQLArray.numbers(chosen.map(\.last.turn)), SQLArray.numbers(chosen.map(\.last.id)),
            now.milliseconds, turn.isFair ? 0 : turn.lowest.rawValue, turn.isFair, turn.passesSuspects,
            SQLArray.numbers(turn.passedOver.map(\.rawValue)), SQLArray.text(turn.passedParties.sorted()),
        ]
    }

    /// Locks and returns the next job of a turn. The candidates are the first waiting jobs after each of some starts
    /// (`?1` to `?4`) that are due at `?5`. If no job's turn has come in a line, its candidate is the first job there
    /// that may be claimed ahead of its turn.
    ///
    /// It reads the priorities one after another, so that the first job ends the scan. For a fair turn, it reads all of
    /// them as one.
    private static let nextWaiting = """
        SELECT job.*, \(lastAttempt(of: "job"))
        FROM generate_series(0, ?6) AS priorities (priority) CROSS JOIN LATERAL (
            SELECT job.* FROM unnest(CAST(?1 AS text[]), CAST(?2 AS bigint[]), CAST(?3 AS bigint[]), CAST(?4 AS bigint[]))
                AS start (kind, priority, turn, id) CROSS JOIN LATERAL (
                    SELECT * FROM (\(first("(turn, id) > (start.turn, start.id) AND turn <= ?5"))) AS in_turn
                    UNION ALL
                    SELECT * FROM (\(first("turn > not_before AND turn > ?5"))) AS ahead
                    LIMIT 1) AS job
            WHERE (start.priority = priorities.priority OR ?7)
                AND NOT EXISTS (SELECT 1 FROM queue_paused WHERE queue_paused.kind = start.kind)
            ORDER BY job.turn, job.id LIMIT 1) AS job
        LIMIT 1
        """

    /// The first due job of a start within a range.
    private static func first(_ range: String) -> String {
        """
        SELECT \(JobRow.columns) FROM queue_job
        WHERE state = 'available' AND kind = start.kind AND priority = start.priority AND \(range) AND not_before <= ?5
            AND (worker_deaths = 0 OR NOT ?8 AND id <> ALL (CAST(?9 AS bigint[])))
            AND (party IS NULL OR party <> ALL (CAST(?10 AS text[])))
        ORDER BY turn, id LIMIT 1 FOR UPDATE SKIP LOCKED
        """
    }

    /// Locks and returns a job if it could be claimed now.
    private static let ifWaiting = """
        SELECT \(JobRow.columns), \(lastAttempt(of: "queue_job")) FROM queue_job
        WHERE id = ? AND state = 'available' AND not_before <= ? AND kind NOT IN (SELECT kind FROM queue_paused)
        FOR UPDATE SKIP LOCKED
        """

    private static func lastAttempt(of table: String) -> String {
        "(SELECT max(attempt.number) FROM queue_attempt AS attempt WHERE attempt.job = \(table).id)"
    }
}
