internal import GRDB

/// Finds waiting jobs through the index over them: one seek a kind and priority, however many jobs there are.
struct WaitingJobs {
    let database: Database

    /// A waiting job's place in the order.
    struct Place {
        let id: Int64
        let priority: Int
        let notBefore: Int64
    }

    /// Kinds of which jobs wait.
    func kinds(withPaused: Bool) throws -> [String] {
        let all = try String.fetchAll(
            database.cachedStatement(sql: "SELECT kind FROM queue_count WHERE state = 'available' AND jobs > 0"))
        if withPaused { return all }
        let paused = try Set(String.fetchAll(database.cachedStatement(sql: "SELECT kind FROM queue_paused")))
        return all.filter { !paused.contains($0) }
    }

    /// The job whose turn it is; in a fair turn that which has waited longest, whatever its priority. None is less urgent
    /// than `lowest`.
    func next(of kinds: [String], downTo lowest: Priority, isFair: Bool, at now: QueueInstant) throws -> JobID? {
        var places: [Place] = []
        for kind in kinds {
            for priority in 0...lowest.rawValue {
                guard let place = try first(of: kind, priority: priority, at: now) else { continue }
                places.append(place)
                if !isFair { break }
            }
        }
        let next = places.min { left, right in
            if !isFair && left.priority != right.priority { return left.priority < right.priority }
            return (left.notBefore, left.id) < (right.notBefore, right.id)
        }
        return next.map { JobID(rawValue: $0.id) }
    }

    /// Since when the oldest of the waiting jobs could have been claimed.
    func oldest(at now: QueueInstant) throws -> QueueInstant? {
        let moments = try kinds(withPaused: true).flatMap { kind in
            try (0..<Priority.allCases.count).compactMap { try first(of: kind, priority: $0, at: now)?.notBefore }
        }
        return moments.min().map(QueueInstant.init(milliseconds:))
    }

    /// When the next waiting job comes due that is not due yet.
    func nextDue(after now: QueueInstant) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT not_before FROM queue_job
                WHERE state = 'available' AND kind = ? AND priority = ? AND not_before > ? ORDER BY not_before LIMIT 1
                """)
        var moments: [Int64] = []
        for kind in try kinds(withPaused: false) {
            for priority in 0..<Priority.allCases.count {
                moments += try Int64.fetchAll(statement, arguments: [kind, priority, now.milliseconds])
            }
        }
        return moments.min()
    }

    private func first(of kind: String, priority: Int, at now: QueueInstant) throws -> Place? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, not_before FROM queue_job
                    WHERE state = 'available' AND kind = ? AND priority = ? AND not_before <= ?
                    ORDER BY not_before, id LIMIT 1
                    """), arguments: [kind, priority, now.milliseconds]
        ).map { Place(id: $0[0], priority: priority, notBefore: $0[1]) }
    }
}
