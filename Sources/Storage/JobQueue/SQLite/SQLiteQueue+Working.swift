internal import Database
internal import GRDB
public import Media

/// The operations of workers and enqueuers.
extension SQLiteQueue {
    /// Adds jobs in one transaction; they are synchronised to the disk on return.
    @discardableResult
    public func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] {
        for request in requests { try request.validate() }
        let now = surroundings.now
        let answers = try write(.durable) { table in try requests.map { try Self.enqueue($0, in: table, at: now) } }
        announce()
        return answers
    }

    static func enqueue(_ request: JobRequest, in table: JobTable, at now: QueueInstant) throws -> Enqueued {
        let identity = request.identity.text
        let job = try table.job(request, at: now)
        guard var known = try table.unfinished(identity) else {
            return Enqueued(id: try table.insert(job, identity: identity), isDuplicate: false)
        }
        guard known.unreadable.isEmpty else {
            try table.endUnreadable(known, at: now)
            return Enqueued(id: try table.insert(job, identity: identity), isDuplicate: false)
        }
        if known.join(job) { try table.move(known) }
        return Enqueued(id: known.id, isDuplicate: true)
    }

    /// Reclaims and leases in one transaction, which is not synchronised to the disk.
    public func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> [ClaimedJob] {
        try claim(upTo: limit, by: worker, for: lease, downTo: lowest, passing: parties) { claimed, _, _ in claimed }
    }

    /// Leases a job and records its attempt in one transaction.
    public func begin(
        by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> ClaimedJob? {
        try claim(upTo: 1, by: worker, for: lease, downTo: lowest, passing: parties) { claimed, table, now in
            ClaimedJob(claimed.job, attempt: try table.recordAttempt(at: claimed.job, at: now))
        }.first
    }

    /// - Parameter finish: called with each leased job in the same transaction.
    private func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority,
        passing parties: Set<String>, _ finish: (ClaimedJob, JobTable, _ now: QueueInstant) throws -> ClaimedJob
    ) throws(QueueError) -> [ClaimedJob] {
        let claim = Claim(
            worker: worker, lease: lease, lowest: lowest, passedParties: parties, now: surroundings.now,
            policy: surroundings.policy)
        let claimed = try write { table in
            var table = table
            try Self.reclaimExpired(in: table, at: claim.now, policy: claim.policy)
            return try claim.run(upTo: limit, in: &table).map { try finish($0, table, claim.now) }
        }
        // Another worker may have reserved the job, and now waits for nothing.
        if claimed.contains(where: \.isAlone) { announce() }
        return claimed
    }

    /// Writes the new deadline through the index of tokens, without reading the job.
    @discardableResult
    public func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
        let deadline = surroundings.now + lease
        let now = surroundings.now
        let isHeld = try write { table in
            do {
                try table.database.cachedStatement(sql: "UPDATE queue_job SET lease_deadline = ? WHERE lease_token = ?")
                    .execute(arguments: [deadline.milliseconds, token.hex])
                return table.database.changesCount > 0
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                return try table.readableJob(leasedBy: token, at: now) != nil
            }
        }
        if !isHeld { throw .leaseLost }
        return deadline
    }

    /// Changes the job that a token leases, in one transaction.
    private func change<Answer>(
        _ token: LeaseToken, _ body: (inout Job, JobTable, _ now: QueueInstant) throws -> Answer
    ) throws(QueueError) -> Answer {
        let now = surroundings.now
        let changed = try write { table in
            try table.change(token, at: now) { job in try body(&job, table, now) }
        }
        guard let changed else { throw .leaseLost }
        if changed.freesOthers { announce() }
        return changed.answer
    }

    /// Inserts the attempt's row, unless the lease has one that is still open.
    @discardableResult
    public func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        try change(token) { job, table, now in try table.recordAttempt(at: job, at: now) }
    }

    /// Marks the job done and closes its attempt in one transaction.
    public func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        try change(token) { job, table, now in try table.complete(&job, outcome, at: now) }
        announceEnd()
    }

    /// Stores the failure with the job and the attempt in one transaction.
    @discardableResult
    public func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState {
        let state = try change(token) { job, table, now in
            try table.fail(
                &job, failure, isRetryable: isRetryable, timings: timings, at: now, by: surroundings)
        }
        announceEnd()
        return state
    }

    /// Makes the job available, closes its attempt and wakes waiting workers.
    public func release(_ token: LeaseToken) throws(QueueError) {
        try change(token) { job, table, now in try table.release(&job, at: now) }
        announce()
    }

    /// Reclaims through the index of deadlines; an unreadable job becomes a dead letter.
    @discardableResult
    public func reclaimExpired() throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { table in try Self.reclaimExpired(in: table, at: now, policy: policy) }
        if count > 0 { announce() }
        return count
    }

    /// Reclaims through the index of holders, and drops the worker's reservation.
    @discardableResult
    public func reclaim(from worker: String) throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { table in
            try table.setReservation(nil, of: worker)
            let held = try Int64.fetchAll(
                table.database.cachedStatement(
                    sql: "SELECT id FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_worker = ?"),
                arguments: [worker])
            return try Self.expire(held, in: table, at: now, policy: policy)
        }
        // A worker without a lease may still have reserved a job.
        announce()
        return count
    }

    @discardableResult
    private static func reclaimExpired(in table: JobTable, at now: QueueInstant, policy: QueuePolicy) throws -> Int {
        let expired = try Int64.fetchAll(
            table.database.cachedStatement(
                sql: """
                    SELECT id FROM queue_job WHERE lease_deadline IS NOT NULL
                        AND (lease_deadline <= ? OR lease_deadline > \(QueueInstant.latest.milliseconds))
                    """), arguments: [now.milliseconds])
        return try expire(expired, in: table, at: now, policy: policy)
    }

    private static func expire(
        _ jobs: [Int64], in table: JobTable, at now: QueueInstant, policy: QueuePolicy
    ) throws -> Int {
        for id in jobs { try table.expire(try table.job(JobID(rawValue: id)), at: now, policy: policy) }
        return jobs.count
    }
}
