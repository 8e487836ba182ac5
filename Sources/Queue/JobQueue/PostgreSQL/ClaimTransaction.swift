internal import Media
internal import PostgreSQL
internal import SQL

/// A claim inside one transaction. Workers claim beside each other: a job that another transaction holds is passed over
/// (`FOR UPDATE SKIP LOCKED`).
///
/// Claims of one worker wait for each other, since what a worker holds decides what it gets.
struct ClaimTransaction {
    let statements: JobStatements
    /// How many jobs were claimed so far, those of this transaction included.
    private var claimCount: Int
    private let held: (jobCount: Int, isAlone: Bool)
    private let reserved: [Reservation]
    /// Whether a lease has run out; looked at together with everything.
    let hasExpired: Bool
    /// Where the waiting jobs of each kind and priority begin.
    let starts: [ClaimMemory.Start]
    /// Jobs that were read and are held.
    private var found: [JobID: Job] = [:]

    /// Reads all that a claim is decided by, in one round trip.
    ///
    /// - Parameters:
    ///   - starts: `nil` to look at everything.
    ///   - leaseStart: the deadline behind which leases that have run out are looked for then.
    init(
        of worker: String, at now: QueueInstant, in session: PostgreSQLSession, after claimCount: Int,
        from starts: [ClaimMemory.Start]?, leaseStart: QueueInstant? = nil
    ) throws {
        statements = JobStatements(session: session)
        self.claimCount = claimCount
        try session.executeLater("SELECT pg_advisory_xact_lock(\(Self.workerLock), hashtext(?))", [worker])
        let sql = starts == nil ? Self.readingAll : Self.readingWorker
        let earliest = leaseStart?.milliseconds ?? .min
        let row = try session.first(sql, starts == nil ? [worker, now.milliseconds, earliest] : [worker]) { row in
            (
                held: (Int(row.integer(0) ?? 0), row.integer(1) == 1),
                reserved: row.text(2).map(Self.reservations) ?? [],
                kinds: starts == nil ? row.text(3).map(Self.kinds) ?? [] : [],
                hasExpired: starts == nil && row.integer(4) == 1
            )
        }
        held = row?.held ?? (0, false)
        reserved = row?.reserved ?? []
        hasExpired = row?.hasExpired ?? false
        self.starts =
            starts
            ?? (row?.kinds ?? []).flatMap { kind in
                Priority.allCases.map { ClaimMemory.Start(kind: kind, priority: $0) }
            }
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

    /// Waits for claims of a worker that this transaction would spoil, and keeps others like it beside it.
    static func sharedLock(of worker: String) -> PostgreSQLDatabase.Statement {
        .init("SELECT pg_advisory_xact_lock_shared(\(workerLock), hashtext(?))", [worker])
    }

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
        let job = try statements.first(
            """
            SELECT \(JobRow.columns) FROM queue_job WHERE id = ? AND state = 'available' AND not_before <= ?
                AND kind NOT IN (SELECT kind FROM queue_paused) FOR UPDATE SKIP LOCKED
            """, [id.rawValue, now.milliseconds])
        found[id] = job
        return job?.priority
    }

    func claimCount(downTo lowest: Priority) -> Int { claimCount }

    mutating func setClaimCount(_ count: Int, downTo lowest: Priority) { claimCount = count }

    mutating func next(_ turn: Turn, at now: QueueInstant) throws -> (id: JobID, isSuspected: Bool)? {
        var candidates: [Job] = []
        for priority in 0...turn.lowest.rawValue {
            guard let candidate = try first(of: priority, turn, at: now) else { continue }
            candidates.append(candidate)
            if !turn.isFair { break }
        }
        let next = candidates.min { ($0.notBefore, $0.id) < ($1.notBefore, $1.id) }
        guard let next else { return nil }
        found[next.id] = next
        return (next.id, next.isSuspected)
    }

    private func first(of priority: Int, _ turn: Turn, at now: QueueInstant) throws -> Job? {
        let suspects = turn.passesSuspects ? "AND worker_deaths = 0" : ""
        let others = turn.passedOver.isEmpty ? "" : "AND (worker_deaths = 0 OR id <> ALL (CAST(?6 AS bigint[])))"
        let own = starts.filter { $0.priority.rawValue == priority }
        if own.isEmpty { return nil }
        var values: [(any SQLConvertible)?] = own.arrays(downTo: .backfill) + [now.milliseconds]
        if !turn.passedOver.isEmpty { values.append(SQLArray.numbers(turn.passedOver.map(\.rawValue))) }
        return try statements.first(Self.firstWaiting(and: "\(suspects) \(others)"), values)
    }

    /// Locks the first waiting job behind each of some starts (`?1` to `?4`) that is due at `?5`, and gives the one that has waited
    /// longest.
    static func firstWaiting(and condition: String, ofStarts filter: String = "TRUE") -> String {
        """
        SELECT job.* FROM unnest(CAST(?1 AS text[]), CAST(?2 AS bigint[]), CAST(?3 AS bigint[]), CAST(?4 AS bigint[]))
            AS start (kind, priority, not_before, id) CROSS JOIN LATERAL (
                SELECT \(JobRow.columns) FROM queue_job
                WHERE state = 'available' AND kind = start.kind AND priority = start.priority
                    AND (not_before, id) > (start.not_before, start.id) AND not_before <= ?5 \(condition)
                ORDER BY not_before, id LIMIT 1 FOR UPDATE SKIP LOCKED) AS job
        WHERE \(filter) ORDER BY job.not_before, job.id LIMIT 1
        """
    }

    mutating func lease(
        _ id: JobID, to worker: String, for duration: Duration, at now: QueueInstant
    ) throws -> Job? {
        guard var job = found[id] else { return nil }
        if !job.unreadable.isEmpty {
            try statements.bury(job, at: now)
            return nil
        }
        job.claim(by: worker, for: duration, at: now)
        try statements.update(job)
        return job
    }
}
