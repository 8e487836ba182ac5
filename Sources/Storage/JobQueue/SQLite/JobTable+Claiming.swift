internal import Database
internal import GRDB

extension JobTable: ClaimingStore {
    func holdings(of worker: String) throws -> (jobCount: Int, isAlone: Bool) {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*), max(lease_alone) FROM queue_job
                    WHERE lease_deadline IS NOT NULL AND lease_worker = ?
                    """), arguments: [worker])
        guard let row else { return (0, false) }
        return (Int(SQLiteRow.integer(row[0]) ?? 0), SQLiteRow.integer(row[1]) == 1)
    }

    func reservations() throws -> [Reservation] {
        try Row.fetchAll(database.cachedStatement(sql: "SELECT worker, job, made FROM queue_reservation")).map { row in
            // A reservation that cannot be read counts as expired.
            Reservation(
                worker: SQLiteRow.text(row[0]) ?? "", job: JobID(rawValue: SQLiteRow.integer(row[1]) ?? 0),
                made: QueueInstant(milliseconds: SQLiteRow.integer(row[2]) ?? .max))
        }
    }

    func setReservation(_ reservation: Reservation?, of worker: String) throws {
        guard let reservation else {
            return try database.cachedStatement(sql: "DELETE FROM queue_reservation WHERE worker = ?")
                .execute(arguments: [worker])
        }
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO queue_reservation VALUES (?, ?, ?)")
            .execute(arguments: [worker, reservation.job.rawValue, reservation.made.milliseconds])
    }

    func priorityIfWaiting(_ id: JobID, at now: QueueInstant) throws -> Priority? {
        let priority = try DatabaseValue.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT priority FROM queue_job WHERE id = ? AND state = 'available' AND not_before <= ?
                        AND kind NOT IN (SELECT kind FROM queue_paused WHERE kind IS NOT NULL)
                    """), arguments: [id.rawValue, now.milliseconds])
        return priority.flatMap(SQLiteRow.integer).flatMap { Priority(rawValue: Int(clamping: $0)) }
    }

    func claimCount(downTo lowest: Priority) throws -> Int {
        let count = try DatabaseValue.fetchOne(
            database.cachedStatement(sql: "SELECT claims FROM queue_turn WHERE lowest = ?"),
            arguments: [lowest.rawValue])
        return count.flatMap(SQLiteRow.integer).map { Int($0 & .max) } ?? 0
    }

    func setClaimCount(_ count: Int, downTo lowest: Priority) throws {
        try database.cachedStatement(sql: "UPDATE queue_turn SET claims = ? WHERE lowest = ?")
            .execute(arguments: [count, lowest.rawValue])
        if database.changesCount > 0 { return }
        try database.cachedStatement(sql: "INSERT INTO queue_turn VALUES (?, ?)")
            .execute(arguments: [lowest.rawValue, count])
    }

    func next(_ turn: Turn, at now: QueueInstant) throws -> (id: JobID, isSuspected: Bool)? {
        let waiting = WaitingJobs(database: database)
        return try waiting.next(turn, of: waiting.kinds(withPaused: false), at: now).map {
            (JobID(rawValue: $0.id), $0.isSuspected)
        }
    }

    func moveUp(_ party: String, at priority: Priority, to turn: QueueInstant) throws {
        try database.cachedStatement(sql: PartyLine.movingUp(.sqlite))
            .execute(arguments: [party, priority.rawValue, turn.milliseconds])
    }

    func lease(_ id: JobID, to worker: String, for duration: Duration, at now: QueueInstant) throws -> Job? {
        var job = try job(id)
        if !job.unreadable.isEmpty {
            try endUnreadable(job, at: now)
            return nil
        }
        job.claim(by: worker, for: duration, at: now)
        try update(job)
        return job
    }

    func hasReservation(_ worker: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM queue_reservation WHERE worker = ?"), arguments: [worker])
            ?? false
    }
}
