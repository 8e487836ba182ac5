internal import Database
internal import Linux
public import Media

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
        // A waiting job may be more urgent now.
        if answers.contains(where: \.isDuplicate) { memory.forget() }
        announce()
        return answers
    }

    /// Adds jobs inside the caller's transaction.
    static func enqueue(
        _ requests: [JobRequest], in session: PostgreSQLSession, at now: QueueInstant
    ) throws -> [Enqueued] {
        var recipes = RecipeTexts()
        let identities = requests.map { $0.identity(recipes.texts(of: $0.recipes).identity) }
        let parts = stride(from: 0, to: requests.count, by: insertLimit).map {
            $0..<min($0 + insertLimit, requests.count)
        }
        // The server inserts one part while this thread prepares the next one.
        for part in parts {
            let hasParties = requests[part].contains { $0.party != nil }
            let values = values(requests[part], identities[part], &recipes, at: now, hasParties: hasParties)
            try session.executeLater(hasParties ? insertionOfParties : insertion, values)
        }
        var answers: [Enqueued] = []
        answers.reserveCapacity(requests.count)
        for (part, rows) in zip(parts, try session.rows(ofLast: parts.count)) {
            var found: [JobIdentity: Enqueued] = [:]
            for row in rows {
                guard let id = row.integer(0), let identity = row.text(1).map(JobIdentity.init) else { continue }
                // A row that this statement inserted has no deleting transaction yet. This transaction has locked a row
                // that it updated.
                found[identity] = Enqueued(id: JobID(rawValue: id), isDuplicate: row.integer(2) != 1)
            }
            for identity in identities[part] {
                let answer = found[identity]!
                answers.append(answer)
                if !answer.isDuplicate { found[identity] = Enqueued(id: answer.id, isDuplicate: true) }
            }
        }
        return answers
    }

    /// The maximum number of jobs in one statement.
    private static let insertLimit = 250

    /// The values of `insertion`. One statement must not touch a row twice, so of equal requests only the most urgent
    /// one counts.
    private static func values(
        _ requests: ArraySlice<JobRequest>, _ identities: ArraySlice<JobIdentity>, _ recipes: inout RecipeTexts,
        at now: QueueInstant, hasParties: Bool
    ) -> [any SQLConvertible] {
        var places: [JobIdentity: Int] = [:]
        var order: [String] = []
        var jobs: [Job] = []
        for (request, identity) in zip(requests, identities) {
            if let place = places[identity] {
                jobs[place].priority = max(jobs[place].priority, request.priority)
            } else {
                places[identity] = jobs.count
                order.append(identity.text)
                jobs.append(Job(id: JobID(rawValue: 0), request: request, at: now))
            }
        }
        let usual: [any SQLConvertible] = [
            SQLArray.text(jobs.map(\.kind.rawValue)), SQLArray.text(order),
            SQLArray.text(jobs.map { if case .object = $0.source { "object" } else { "path" } }),
            SQLArray.text(jobs.map(\.source.location)), SQLArray.text(jobs.map { $0.digest?.hex }),
            SQLArray.text(jobs.map { recipes.texts(of: $0.recipes).stored }),
            SQLArray.numbers(jobs.map { Int64($0.priority.rawValue) }),
            now.milliseconds,
        ]
        if !hasParties { return usual }
        var counts: [String: Int64] = [:]
        let numbers = jobs.map { job -> Int64 in
            guard let party = job.party else { return 0 }
            let key = "\(job.priority.rawValue) \(party)"
            defer { counts[key, default: 0] += 1 }
            return counts[key] ?? 0
        }
        return usual + [SQLArray.text(jobs.map(\.party)), SQLArray.numbers(numbers)]
    }

    /// Inserts jobs whose identity no unfinished job has. For the others, the unfinished job gets the better place, as
    /// `Job.join` does it for SQLite.
    private static func insertion(turn: String, party: String, arrays: String = "", columns: String = "") -> String {
        let place = "CASE WHEN job.not_before > excluded.not_before THEN job.turn ELSE excluded.turn END"
        let isBetter = "(excluded.priority, \(place)) < (job.priority, job.turn)"
        return """
            INSERT INTO queue_job AS job (kind, identity, source_type, source, digest, recipes, priority, state, enqueued,
                not_before, turn, party)
            SELECT kind, identity, source_type, source, digest, recipes, priority, 'available', CAST(?8 AS bigint), ?8,
                \(turn), \(party)
            FROM unnest(CAST(?1 AS text[]), CAST(?2 AS text[]), CAST(?3 AS text[]), CAST(?4 AS text[]), CAST(?5 AS text[]),
                CAST(?6 AS text[]), CAST(?7 AS bigint[])\(arrays))
                WITH ORDINALITY AS new (kind, identity, source_type, source, digest, recipes, priority\(columns), place)
            ORDER BY place
            ON CONFLICT (identity) WHERE state IN ('available', 'leased') DO UPDATE SET
                priority = least(job.priority, excluded.priority),
                turn = CASE WHEN \(isBetter) THEN \(place) ELSE job.turn END,
                party = CASE WHEN \(isBetter) THEN excluded.party ELSE job.party END
            RETURNING id, identity, xmax = 0
            """
    }

    private static let insertion = insertion(turn: "?8", party: "CAST(NULL AS text)")

    /// The same for jobs of which some have a party. Adds each job's number among the jobs of its party and priority.
    private static let insertionOfParties = insertion(
        turn: """
            CASE WHEN new.party IS NULL THEN ?8
                ELSE \(PartyLine.newTurn(of: "new", number: "new.number", at: "?8")) END
            """,
        party: "new.party", arrays: ", CAST(?9 AS text[]), CAST(?10 AS bigint[])", columns: ", party, number")

    /// Leases concurrently with other workers, in two round trips if nobody has reserved a job. If nothing else waits,
    /// and at intervals (`ClaimMemory`), it does a full search, and reclaims before that.
    public func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> [ClaimedJob] {
        try claim(upTo: limit, by: worker, for: lease, downTo: lowest, passing: parties, begins: false)
    }

    /// Leases a job and records its attempt in one transaction.
    public func begin(
        by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> ClaimedJob? {
        try claim(upTo: 1, by: worker, for: lease, downTo: lowest, passing: parties, begins: true).first
    }

    private func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority,
        passing parties: Set<String>, begins: Bool
    ) throws(QueueError) -> [ClaimedJob] {
        let claim = Claim(
            worker: worker, lease: lease, lowest: lowest, passedParties: parties, now: surroundings.now,
            policy: surroundings.policy)
        if let starts = memory.starts(at: claim.now), !starts.isEmpty {
            let claimed = try self.claim(claim, upTo: limit, from: starts, begins: begins)
            if !claimed.isEmpty { return claimed }
        }
        return try self.claim(claim, upTo: limit, from: nil, begins: begins)
    }

    /// - Parameter starts: `nil` for a full search and to reclaim.
    private func claim(
        _ claim: Claim, upTo limit: Int, from starts: [ClaimMemory.Start]?, begins: Bool
    ) throws(QueueError) -> [ClaimedJob] {
        let leaseStart = memory.leaseStart(at: claim.now)
        let claimCount = memory.claimCount(downTo: claim.lowest)
        // From the last run of the transaction.
        var (tokens, reclaimedCount) = ([LeaseToken](), 0)
        var look: ClaimMemory.Look?
        let claimed = try writeRepeatably { statements in
            func begin() throws -> ClaimTransaction {
                try ClaimTransaction(
                    of: claim, in: statements, after: claimCount, from: starts, leaseStart: leaseStart, tokens: tokens)
            }
            // A run that is still in progress holds the lock until its end.
            if !tokens.isEmpty { try ClaimTransaction.lock(claim.worker, in: statements.session) }
            let done = try statements.claimed(by: tokens)
            if !done.isEmpty { return done }
            let start = Time.monotonic
            var store = try begin()
            let (foundExpired, duration) = (store.hasExpired, Time.monotonic - start)
            reclaimedCount = 0
            if store.hasExpired {
                reclaimedCount = try Self.reclaimExpired(in: statements, at: claim.now, policy: claim.policy)
                store = try begin()
            }
            var claimed = try claim.run(upTo: limit, in: &store)
            if begins { claimed = try claimed.map { try store.begin($0, at: claim.now) } }
            tokens = store.tokens
            look = ClaimMemory.Look(starts: store.starts, foundExpired: foundExpired, duration: duration)
            return claimed
        }
        if starts == nil, let look { memory.note(look, at: claim.now, leaseStart: leaseStart) }
        memory.note(
            claimed.map(\.job), downTo: claim.lowest, at: claim.now, movesStarts: claim.passedParties.isEmpty)
        // Another worker may have reserved the job, and now waits for nothing.
        if claimed.contains(where: \.isAlone) || reclaimedCount > claimed.count { announce() }
        return claimed
    }

    /// Writes the new deadline through the index of tokens, without reading the job.
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

    /// Inserts the attempt's row with one statement, unless the lease has one that is still open.
    @discardableResult
    public func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        let now = surroundings.now
        let found = try run(JobStatements.recordAttempt(token, at: now)) { row in
            (
                isReadable: JobRow.job(PostgreSQLRow(row: row)).unreadable.isEmpty,
                number: row.integer(JobRow.columnCount)
            )
        }
        guard let found, let number = found.number else { throw .leaseLost }
        if !found.isReadable {
            // Turns it into a dead letter.
            _ = try write { statements in try statements.readableJob(leasedBy: token, at: now) }
            throw .leaseLost
        }
        return Int(number)
    }

    /// Marks the job done and closes its attempt with one statement.
    public func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        let freesOthers = try run(JobStatements.complete(token, outcome, at: surroundings.now)) { $0.integer(0) == 1 }
        guard let freesOthers else { throw .leaseLost }
        if freesOthers { announce() }
        announceEnd()
    }

    /// Stores the failure with the job and the attempt in one transaction.
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
        memory.forget()
        announce()
    }

    /// Reclaims through the index of deadlines; an unreadable job becomes a dead letter.
    @discardableResult
    public func reclaimExpired() throws(QueueError) -> Int {
        let now = surroundings.now
        let policy = surroundings.policy
        let count = try write { statements in try Self.reclaimExpired(in: statements, at: now, policy: policy) }
        if count > 0 {
            memory.forget()
            announce()
        }
        return count
    }

    /// Reclaims through the index of holders, and drops the worker's reservation.
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
        memory.forget()
        // A worker without a lease may still have reserved a job.
        announce()
        return count
    }

    /// Skips jobs that another transaction holds: it reclaims them itself, or ends them.
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
