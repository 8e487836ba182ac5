internal import GRDB
public import Media

/// What workers and those who enqueue call.
extension SQLiteQueue {
    @discardableResult
    public func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] {
        for request in requests { try request.validate() }
        let now = surroundings.now
        let answers = try write(.full) { table in try requests.map { try Self.enqueue($0, in: table, at: now) } }
        announce()
        return answers
    }

    private static func enqueue(_ request: JobRequest, in table: JobTable, at now: QueueInstant) throws -> Enqueued {
        let identity = request.identity
        guard let known = try table.unfinished(identity) else {
            return Enqueued(id: try table.insert(request, identity: identity, at: now), isDuplicate: false)
        }
        if request.priority.rawValue < known.priority { try table.raise(known.id, to: request.priority) }
        return Enqueued(id: known.id, isDuplicate: true)
    }

    public func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob] {
        let now = surroundings.now
        let policy = surroundings.policy
        return try write { table in
            try Self.reclaimExpired(in: table, at: now, policy: policy)
            let waiting = WaitingJobs(database: table.database)
            let kinds = try waiting.kinds(withPaused: false)
            var turn = try Int.fetchOne(table.database.cachedStatement(sql: "SELECT claims FROM queue_turn")) ?? 0
            var claimed: [ClaimedJob] = []
            while claimed.count < limit {
                let isFair = (turn + 1) % policy.fairTurn == 0
                guard let id = try waiting.next(of: kinds, downTo: lowest, isFair: isFair, at: now) else { break }
                var job = try table.job(id)
                if job.recipes.isEmpty {
                    job.fail(Self.unreadable, isRetryable: false, at: now, by: surroundings)
                } else {
                    turn += 1
                    job.claim(by: worker, for: lease, at: now)
                    claimed.append(ClaimedJob(job))
                }
                try table.update(job)
            }
            if !claimed.isEmpty {
                try table.database.cachedStatement(sql: "UPDATE queue_turn SET claims = ?").execute(arguments: [turn])
            }
            return claimed
        }
    }

    /// A job that another version of the program wrote must not stand before all others for ever.
    private static let unreadable = Failure(
        .unavailable, detail: "the job's recipes were written by another version of this program: enqueue it anew")

    @discardableResult
    public func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
        let deadline = surroundings.now + lease
        try write { table in
            try table.database.cachedStatement(sql: "UPDATE queue_job SET lease_deadline = ? WHERE lease_token = ?")
                .execute(arguments: [deadline.milliseconds, token.hex])
            if table.database.changesCount == 0 { throw QueueError.leaseLost }
        }
        return deadline
    }

    @discardableResult
    public func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        let now = surroundings.now
        return try write { table in
            let job = try table.job(leasedBy: token)
            let last = try table.lastAttempt(of: job.id)
            if last.isOpen { return last.number }
            let attempt = Attempt(number: last.number + 1, worker: job.lease!.worker, started: now)
            try table.insert(attempt, of: job.id)
            return attempt.number
        }
    }

    public func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        let now = surroundings.now
        try write { table in
            var job = try table.job(leasedBy: token)
            job.complete(outcome, at: now)
            try table.update(job)
            try table.closeAttempt(of: job.id, .completed, at: now, timings: outcome.timings)
        }
    }

    @discardableResult
    public func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState {
        let now = surroundings.now
        return try write { table in
            var job = try table.job(leasedBy: token)
            job.fail(failure, isRetryable: isRetryable, at: now, by: surroundings)
            try table.update(job)
            try table.closeAttempt(of: job.id, .failed, at: now, failure: failure, timings: timings)
            return job.state
        }
    }

    public func release(_ token: LeaseToken) throws(QueueError) {
        let now = surroundings.now
        try write { table in
            var job = try table.job(leasedBy: token)
            job.release()
            try table.update(job)
            try table.closeAttempt(of: job.id, .released, at: now)
        }
        announce()
    }

    @discardableResult
    public func reclaimExpired() throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { table in try Self.reclaimExpired(in: table, at: now, policy: policy) }
        if count > 0 { announce() }
        return count
    }

    @discardableResult
    public func reclaim(from worker: String) throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { table in
            let held = try Int64.fetchAll(
                table.database.cachedStatement(
                    sql: "SELECT id FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_worker = ?"),
                arguments: [worker])
            return try Self.expire(held, in: table, at: now, policy: policy)
        }
        if count > 0 { announce() }
        return count
    }

    @discardableResult
    private static func reclaimExpired(in table: JobTable, at now: QueueInstant, policy: QueuePolicy) throws -> Int {
        let expired = try Int64.fetchAll(
            table.database.cachedStatement(sql: "SELECT id FROM queue_job WHERE lease_deadline <= ?"),
            arguments: [now.milliseconds])
        return try expire(expired, in: table, at: now, policy: policy)
    }

    private static func expire(
        _ jobs: [Int64], in table: JobTable, at now: QueueInstant, policy: QueuePolicy
    ) throws -> Int {
        for id in jobs {
            var job = try table.job(JobID(rawValue: id))
            let wasAttempted = try table.lastAttempt(of: job.id).isOpen
            job.expire(wasAttempted: wasAttempted, at: now, policy: policy)
            try table.update(job)
            try table.closeAttempt(of: job.id, .workerDied, at: now, failure: Job.workerDeath)
        }
        return jobs.count
    }
}
