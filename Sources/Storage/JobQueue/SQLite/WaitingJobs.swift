internal import GRDB
internal import Media

/// Finds waiting jobs with one seek for each kind and priority, however many jobs there are.
struct WaitingJobs {
    let database: Database

    /// A waiting job with the columns that decide the order.
    struct Candidate {
        let id: Int64
        let priority: Int
        let notBefore: Int64
        let turn: Int64
        let isSuspected: Bool
    }

    /// The kinds of waiting jobs, by one seek each.
    ///
    /// The counts that triggers maintain are not used: a damaged count would leave jobs waiting forever. Without the
    /// hint, SQLite chooses `queue_job_state` and reads every waiting job.
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

    /// The job whose turn it is. In a fair turn, the job that stands first in any line, whatever its priority.
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
            return (left.turn, left.id) < (right.turn, right.id)
        }
    }

    /// The moment from which the oldest of the jobs that stand first in their lines could have been claimed.
    func oldest(at now: QueueInstant) throws -> QueueInstant? {
        let turn = Turn(lowest: .backfill, isFair: true, passedOver: [], passesSuspects: false, passedParties: [])
        let moments = try kinds(withPaused: true).flatMap { kind in
            try Priority.allCases.compactMap { try first(of: kind, priority: $0.rawValue, turn, at: now)?.notBefore }
        }
        return moments.min().map { QueueInstant(milliseconds: max(0, $0)) }
    }

    /// The next moment at which a waiting job may come due. The turn of a delayed job is the moment at which its delay
    /// ends.
    func nextDue(after now: QueueInstant) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT turn FROM queue_job INDEXED BY queue_job_waiting
                WHERE state = 'available' AND kind = ? AND priority = ?
                    AND turn > ? AND turn <= \(QueueInstant.latest.milliseconds)
                ORDER BY turn LIMIT 1
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

    /// The first job in a line whose turn has come, or else the first job there that may be claimed ahead of its turn.
    private func first(of kind: DatabaseValue, priority: Int, _ turn: Turn, at now: QueueInstant) throws -> Candidate? {
        try first(of: kind, priority, "INDEXED BY queue_job_waiting", "turn <= ?3", turn, at: now)
            ?? first(of: kind, priority, "INDEXED BY queue_job_ahead", "turn > not_before AND turn > ?3", turn, at: now)
    }

    private func first(
        of kind: DatabaseValue, _ priority: Int, _ index: String, _ range: String, _ turn: Turn, at now: QueueInstant
    ) throws -> Candidate? {
        var conditions = ""
        if turn.passesSuspects { conditions += " AND worker_deaths = 0" }
        if !turn.passedOver.isEmpty {
            // A reserved job that is no longer suspected is not skipped.
            let jobs = turn.passedOver.map { "\($0.rawValue)" }.joined(separator: ", ")
            conditions += " AND (worker_deaths = 0 OR id NOT IN (\(jobs)))"
        }
        var arguments: StatementArguments = [kind, priority, now.milliseconds]
        if !turn.passedParties.isEmpty {
            conditions += " AND (party IS NULL OR party NOT IN (SELECT value FROM json_each(?4)))"
            arguments += [JSON.array(turn.passedParties.map(JSON.string)).text]
        }
        let sql = """
            SELECT id, not_before, turn, worker_deaths FROM queue_job \(index)
            WHERE state = 'available' AND kind = ?1 AND priority = ?2 AND \(range) AND not_before <= ?3\(conditions)
            ORDER BY turn, id LIMIT 1
            """
        // With conditions, the text differs each time and would fill the statement cache.
        let statement = try conditions.isEmpty ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
        return try Row.fetchOne(statement, arguments: arguments).map { row in
            Candidate(
                id: SQLiteRow.integer(row[0]) ?? 0, priority: priority, notBefore: SQLiteRow.integer(row[1]) ?? .min,
                turn: SQLiteRow.integer(row[2]) ?? .min, isSuspected: SQLiteRow.integer(row[3]) != 0)
        }
    }
}
