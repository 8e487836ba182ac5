internal import GRDB

/// Finds waiting jobs by one seek for each kind and priority, however many jobs there are.
struct WaitingJobs {
    let database: Database

    /// A waiting job with the columns that decide the order.
    struct Candidate {
        let id: Int64
        let priority: Int
        let notBefore: Int64
        let isSuspected: Bool
    }

    /// The kinds of waiting jobs, by one seek each.
    ///
    /// The counts that triggers keep would not do: a damaged count would leave jobs waiting for ever. Without the hint SQLite
    /// takes `queue_job_state` and reads every waiting job.
    func kinds(withPaused: Bool) throws -> [DatabaseValue] {
        let all = try DatabaseValue.fetchAll(
            database.cachedStatement(
                sql: """
                    WITH RECURSIVE waiting (kind) AS (
                        SELECT (SELECT min(kind) FROM queue_job INDEXED BY queue_job_waiting
                            WHERE state = 'available')
                        UNION ALL
                        SELECT (SELECT min(kind) FROM queue_job INDEXED BY queue_job_waiting
                            WHERE state = 'available' AND kind > waiting.kind)
                        FROM waiting WHERE waiting.kind IS NOT NULL)
                    SELECT kind FROM waiting WHERE kind IS NOT NULL
                    """))
        if withPaused { return all }
        let paused = try Set(DatabaseValue.fetchAll(database.cachedStatement(sql: "SELECT kind FROM queue_paused")))
        return paused.isEmpty ? all : all.filter { !paused.contains($0) }
    }

    /// The job whose turn it is; in a fair turn the one that has waited longest, whatever its priority.
    func next(_ turn: Turn, of kinds: [DatabaseValue], at now: QueueInstant) throws -> Candidate? {
        var candidates: [Candidate] = []
        for kind in kinds {
            for priority in 0...turn.lowest.rawValue {
                guard let candidate = try first(of: kind, priority: priority, turn, at: now) else { continue }
                candidates.append(candidate)
                if !turn.isFair { break }
            }
        }
        return candidates.min { left, right in
            if !turn.isFair && left.priority != right.priority { return left.priority < right.priority }
            return (left.notBefore, left.id) < (right.notBefore, right.id)
        }
    }

    /// The moment from which the oldest waiting job could have been claimed.
    func oldest(at now: QueueInstant) throws -> QueueInstant? {
        let turn = Turn(lowest: .backfill, isFair: true, passedOver: [], passesSuspects: false)
        let candidate = try next(turn, of: kinds(withPaused: true), at: now)
        return candidate.map { QueueInstant(milliseconds: max(0, $0.notBefore)) }
    }

    /// The next moment at which a waiting job comes due.
    func nextDue(after now: QueueInstant) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT not_before FROM queue_job WHERE state = 'available' AND kind = ? AND priority = ?
                    AND not_before > ? AND not_before <= \(QueueInstant.latest.milliseconds)
                ORDER BY not_before LIMIT 1
                """)
        var moments: [Int64] = []
        for kind in try kinds(withPaused: false) {
            for priority in 0..<Priority.allCases.count {
                let found = try DatabaseValue.fetchAll(statement, arguments: [kind, priority, now.milliseconds])
                moments += found.compactMap(SQLiteRow.integer)
            }
        }
        return moments.min()
    }

    private func first(of kind: DatabaseValue, priority: Int, _ turn: Turn, at now: QueueInstant) throws -> Candidate? {
        var conditions = ""
        if turn.passesSuspects { conditions += " AND worker_deaths = 0" }
        if !turn.passedOver.isEmpty {
            // A reserved job that is no longer suspected is not left out.
            let jobs = turn.passedOver.map { "\($0.rawValue)" }.joined(separator: ", ")
            conditions += " AND (worker_deaths = 0 OR id NOT IN (\(jobs)))"
        }
        let sql = """
            SELECT id, not_before, worker_deaths FROM queue_job
            WHERE state = 'available' AND kind = ? AND priority = ? AND not_before <= ?\(conditions)
            ORDER BY not_before, id LIMIT 1
            """
        // With conditions the text differs each time, and would fill the cache of statements.
        let statement = try conditions.isEmpty ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
        return try Row.fetchOne(statement, arguments: [kind, priority, now.milliseconds]).map { row in
            Candidate(
                id: SQLiteRow.integer(row[0]) ?? 0, priority: priority, notBefore: SQLiteRow.integer(row[1]) ?? .min,
                isSuspected: SQLiteRow.integer(row[2]) != 0)
        }
    }
}
