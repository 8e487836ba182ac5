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
    /// Whether a lease has run out.
    let hasExpired: Bool
    /// The kinds of waiting jobs that may be claimed, as an array.
    private let kinds: String
    /// Jobs that were read and are held.
    private var found: [JobID: Job] = [:]

    /// Reads all that a claim is decided by, in one round trip.
    init(of worker: String, at now: QueueInstant, in session: PostgreSQLSession, after claimCount: Int) throws {
        statements = JobStatements(session: session)
        self.claimCount = claimCount
        try session.executeLater("SELECT pg_advisory_xact_lock(\(Self.workerLock), hashtext(?))", [worker])
        let row = try session.first(
            """
            SELECT
                (SELECT count(*) FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_worker = ?1),
                EXISTS (SELECT 1 FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_worker = ?1 AND lease_alone),
                EXISTS (SELECT 1 FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_deadline <= ?2),
                (SELECT array_agg(kind) FROM (\(JobStatements.claimableKinds)) AS claimable),
                (SELECT json_agg(json_build_array(worker, job, made)) FROM queue_reservation)
            """, [worker, now.milliseconds]
        ) { row in
            (
                held: (Int(row.integer(0) ?? 0), row.integer(1) == 1), hasExpired: row.integer(2) == 1,
                kinds: row.text(3) ?? "{}", reserved: row.text(4).map(Self.reservations) ?? []
            )
        }
        held = row?.held ?? (0, false)
        hasExpired = row?.hasExpired ?? false
        kinds = row?.kinds ?? "{}"
        reserved = row?.reserved ?? []
    }

    /// The first key of the advisory locks by which the claims of one worker wait for each other.
    private static let workerLock = 0x636D_7001

    private static func reservations(_ text: String) -> [Reservation] {
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
    typealias Trouble = any Error

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
        let others = turn.passedOver.isEmpty ? "" : "AND (worker_deaths = 0 OR id <> ALL (CAST(?4 AS bigint[])))"
        let sql = """
            SELECT job.* FROM unnest(CAST(?1 AS text[])) AS waiting (kind) CROSS JOIN LATERAL (
                SELECT \(JobRow.columns) FROM queue_job
                WHERE state = 'available' AND kind = waiting.kind AND priority = ?2 AND not_before <= ?3 \(suspects) \(others)
                ORDER BY not_before, id LIMIT 1 FOR UPDATE SKIP LOCKED) AS job
            ORDER BY job.not_before, job.id LIMIT 1
            """
        var values: [(any SQLConvertible)?] = [kinds, priority, now.milliseconds]
        if !turn.passedOver.isEmpty { values.append(SQLArray.numbers(turn.passedOver.map(\.rawValue))) }
        return try statements.first(sql, values)
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
