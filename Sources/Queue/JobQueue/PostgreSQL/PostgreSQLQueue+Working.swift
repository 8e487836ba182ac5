public import Media
package import PostgreSQL
internal import SQL

/// The operations of workers and enqueuers.
extension PostgreSQLQueue {
    /// Adds jobs in one transaction; they are on the server's disk on return.
    @discardableResult
    public func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] {
        for request in requests { try request.validate() }
        let now = surroundings.now
        let answers = try write(.durable) { statements in
            try Self.enqueue(requests, in: statements.session, at: now)
        }
        announce()
        return answers
    }

    /// Adds jobs inside the caller's transaction, in the requests' order: they exist once the caller commits, or not at all.
    ///
    /// Waiting workers learn of the jobs by `announce`, else when they look by themselves.
    package static func enqueue(
        _ requests: [JobRequest], in session: PostgreSQLSession, at now: QueueInstant
    ) throws -> [Enqueued] {
        for request in requests { try request.validate() }
        let identities = requests.map(\.identity)
        var known: [String: JobID] = [:]
        var answers: [Enqueued] = []
        answers.reserveCapacity(requests.count)
        var start = 0
        while start < requests.count {
            let part = start..<min(start + insertLimit, requests.count)
            let fresh = try insert(part.map { (requests[$0], identities[$0]) }, &known, in: session, at: now)
            var left = fresh
            for index in part {
                let isNew = left.remove(identities[index]) != nil
                answers.append(Enqueued(id: known[identities[index]]!, isDuplicate: !isNew))
            }
            start = part.upperBound
        }
        return answers
    }

    /// Deletes a job with its attempts inside the caller's transaction, unless a worker has it in work.
    ///
    /// - Returns: whether the job was waiting, so that its renditions are made by nobody now.
    package static func forget(_ id: JobID, in session: PostgreSQLSession) throws -> Bool {
        try session.text("DELETE FROM queue_job WHERE id = ? AND state <> 'leased' RETURNING state", [id.rawValue])
            == JobState.available.rawValue
    }

    /// The number of jobs in one statement.
    private static let insertLimit = 1000

    /// Inserts those whose identity no unfinished job has, and raises the priority of the others.
    ///
    /// - Parameter known: gets the job of each identity.
    /// - Returns: the identities of the jobs that are new.
    private static func insert(
        _ requests: [(request: JobRequest, identity: String)], _ known: inout [String: JobID],
        in session: PostgreSQLSession, at now: QueueInstant
    ) throws -> Set<String> {
        // One statement must not meet a row twice; of equal requests the most urgent one counts.
        var order: [String] = []
        var chosen: [String: Job] = [:]
        for (request, identity) in requests {
            let job = Job(id: JobID(rawValue: 0), request: request, at: now)
            if let other = chosen[identity] {
                if job.priority > other.priority { chosen[identity]!.priority = job.priority }
            } else {
                chosen[identity] = job
                order.append(identity)
            }
        }
        let jobs = order.map { chosen[$0]! }
        var fresh: Set<String> = []
        let values: [any SQLConvertible] = [
            SQLArray.text(jobs.map(\.kind.rawValue)), SQLArray.text(order),
            SQLArray.text(jobs.map { if case .object = $0.source { "object" } else { "path" } }),
            SQLArray.text(jobs.map(\.source.location)), SQLArray.text(jobs.map { $0.digest?.hex }),
            SQLArray.text(jobs.map { JobRow.text($0.recipes) }),
            SQLArray.numbers(jobs.map { Int64($0.priority.rawValue) }),
            SQLArray.numbers(jobs.map(\.notBefore.milliseconds)), now.milliseconds,
        ]
        try session.forEachRow(
            """
            INSERT INTO queue_job AS job
                (kind, identity, source_type, source, digest, recipes, priority, state, enqueued, not_before)
            SELECT kind, identity, source_type, source, digest, recipes, priority, 'available', CAST(?9 AS bigint), not_before
            FROM unnest(CAST(?1 AS text[]), CAST(?2 AS text[]), CAST(?3 AS text[]), CAST(?4 AS text[]), CAST(?5 AS text[]),
                CAST(?6 AS text[]), CAST(?7 AS bigint[]), CAST(?8 AS bigint[]))
                WITH ORDINALITY AS new
                    (kind, identity, source_type, source, digest, recipes, priority, not_before, place)
            ORDER BY place
            ON CONFLICT (identity) WHERE state IN ('available', 'leased')
                DO UPDATE SET priority = least(job.priority, excluded.priority)
            RETURNING id, identity, xmax = 0
            """, values
        ) { row in
            guard let id = row.integer(0), let identity = row.text(1) else { return }
            known[identity] = JobID(rawValue: id)
            // A row that this statement has inserted has no deleting transaction yet, one that it has updated was locked by this one.
            if row.integer(2) == 1 { fresh.insert(identity) }
        }
        return fresh
    }

    /// Reclaims and leases in one transaction, beside those of other workers.
    public func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob] {
        let claim = Claim(
            worker: worker, lease: lease, lowest: lowest, now: surroundings.now, policy: surroundings.policy)
        let before = turns[lowest]
        let (claimed, reclaimedCount) = try write { statements in
            var store = try ClaimTransaction(of: worker, at: claim.now, in: statements.session, after: before)
            var reclaimedCount = 0
            if store.hasExpired {
                reclaimedCount = try Self.reclaimExpired(in: statements, at: claim.now, policy: claim.policy)
                store = try ClaimTransaction(of: worker, at: claim.now, in: statements.session, after: before)
            }
            return (try claim.run(upTo: limit, in: &store), reclaimedCount)
        }
        turns.add(claimed.count, downTo: lowest)
        // Another worker may have reserved the job, and waits for nothing now.
        if claimed.contains(where: \.isAlone) || reclaimedCount > claimed.count { announce() }
        return claimed
    }

    /// Writes the new deadline by the index of tokens, without reading the job.
    @discardableResult
    public func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
        let deadline = surroundings.now + lease
        let isHeld = try write { statements in
            try statements.session.execute(
                "UPDATE queue_job SET lease_deadline = ? WHERE lease_token = ?", [deadline.milliseconds, token.hex]) > 0
        }
        if !isHeld { throw .leaseLost }
        return deadline
    }

    /// Changes the job that a token leases, in one transaction.
    private func change<Answer>(
        _ token: LeaseToken, _ body: (inout Job, JobStatements, _ now: QueueInstant) throws -> Answer
    ) throws(QueueError) -> Answer {
        let now = surroundings.now
        let changed = try write { statements in
            try statements.change(token, at: now) { job in try body(&job, statements, now) }
        }
        guard let changed else { throw .leaseLost }
        if changed.freesOthers { announce() }
        return changed.answer
    }

    /// Inserts the attempt's row, unless the lease has one that is still open.
    @discardableResult
    public func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        try change(token) { job, statements, now in try statements.recordAttempt(at: job, at: now) }
    }

    /// Marks the job done and closes its attempt in one transaction.
    public func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        try change(token) { job, statements, now in try statements.complete(&job, outcome, at: now) }
        announceEnd()
    }

    /// Stores the failure with job and attempt in one transaction.
    @discardableResult
    public func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState {
        let state = try change(token) { job, statements, now in
            try statements.fail(
                &job, failure, isRetryable: isRetryable, timings: timings, at: now, by: surroundings)
        }
        announceEnd()
        return state
    }

    /// Makes the job available, closes its attempt and wakes waiting workers.
    public func release(_ token: LeaseToken) throws(QueueError) {
        try change(token) { job, statements, now in try statements.release(&job, at: now) }
        announce()
    }

    /// Reclaims by the index of deadlines; an unreadable job becomes a dead letter.
    @discardableResult
    public func reclaimExpired() throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { statements in try Self.reclaimExpired(in: statements, at: now, policy: policy) }
        if count > 0 { announce() }
        return count
    }

    /// Reclaims by the index of holders, and drops the worker's reservation.
    @discardableResult
    public func reclaim(from worker: String) throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { statements in
            try ClaimTransaction.setReservation(nil, of: worker, in: statements.session)
            let held = try statements.all(
                """
                SELECT \(JobRow.columns) FROM queue_job WHERE lease_deadline IS NOT NULL AND lease_worker = ? FOR UPDATE
                """, [worker])
            return try Self.expire(held, in: statements, at: now, policy: policy)
        }
        // A worker without a lease may still have reserved a job.
        announce()
        return count
    }

    /// Jobs that another transaction holds are left to it: it reclaims them itself, or ends them.
    @discardableResult
    private static func reclaimExpired(
        in statements: JobStatements, at now: QueueInstant, policy: QueuePolicy
    ) throws -> Int {
        let expired = try statements.all(
            """
            SELECT \(JobRow.columns) FROM queue_job WHERE lease_deadline IS NOT NULL
                AND (lease_deadline <= ? OR lease_deadline > \(QueueInstant.latest.milliseconds))
            ORDER BY lease_deadline LIMIT 1000 FOR UPDATE SKIP LOCKED
            """, [now.milliseconds])
        return try expire(expired, in: statements, at: now, policy: policy)
    }

    private static func expire(
        _ jobs: [Job], in statements: JobStatements, at now: QueueInstant, policy: QueuePolicy
    ) throws -> Int {
        for job in jobs { try statements.expire(job, at: now, policy: policy) }
        return jobs.count
    }
}
