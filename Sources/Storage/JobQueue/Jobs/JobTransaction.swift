internal import Media

/// A database's statements on jobs and attempts, inside one transaction. The operations on jobs are written once on top
/// of them, for every database.
protocol JobTransaction {
    /// A job, locked against other changes until the end of the transaction.
    ///
    /// - Throws: `noSuchJob`.
    func job(_ id: JobID) throws -> Job

    /// The job that a token leases, likewise locked. `nil` if there is none, or if it could not be read and is now a
    /// dead letter.
    func readableJob(leasedBy token: LeaseToken, at now: QueueInstant) throws -> Job?

    /// The unfinished job that has the same identity as a job.
    func unfinished(alike id: JobID) throws -> JobID?

    /// Writes all columns that a transition may have changed.
    func update(_ job: Job) throws

    /// Turns a job that cannot be read into a dead letter, or moves it to another final `state`. Its unreadable columns
    /// get harmless values, and the failure says what they held.
    func endUnreadable(_ job: Job, as state: JobState, at now: QueueInstant) throws

    /// The number of a job's last attempt (0 if there was none), and whether it is still open.
    func lastAttempt(of id: JobID) throws -> (number: Int, isOpen: Bool)

    func insert(_ attempt: Attempt, of id: JobID) throws

    /// Closes a job's open attempt, if there is one.
    func closeAttempt(
        of id: JobID, _ end: Attempt.End, at now: QueueInstant, failure: Failure?, timings: [Attempt.Timing]) throws

    /// Whether a worker has reserved a job.
    func hasReservation(_ worker: String) throws -> Bool
}

extension JobTransaction {
    /// Turns a job that cannot be read into a dead letter.
    func endUnreadable(_ job: Job, at now: QueueInstant) throws { try endUnreadable(job, as: .dead, at: now) }

    /// Closes a job's open attempt without a failure.
    func closeAttempt(
        of id: JobID, _ end: Attempt.End, at now: QueueInstant, timings: [Attempt.Timing] = []
    ) throws {
        try closeAttempt(of: id, end, at: now, failure: nil, timings: timings)
    }
}

/// The operations of workers on a job that they have leased.
extension JobTransaction {
    /// Changes the job that a token leases. A job that cannot be read becomes a dead letter, and its lease is lost.
    ///
    /// - Returns: `nil` if the lease is lost. Otherwise the answer, and whether the worker's other slots may claim
    ///   again.
    func change<Answer>(
        _ token: LeaseToken, at now: QueueInstant, _ body: (inout Job) throws -> Answer
    ) throws -> (answer: Answer, freesOthers: Bool)? {
        guard var job = try readableJob(leasedBy: token, at: now) else { return nil }
        let lease = job.lease
        let answer = try body(&job)
        guard job.lease == nil else { return (answer, false) }
        try update(job)
        return (answer, try freesOthers(lease))
    }

    private func freesOthers(_ lease: Job.Lease?) throws -> Bool {
        guard let lease else { return false }
        return try lease.isAlone || hasReservation(lease.worker)
    }

    /// Inserts the attempt's row, unless the lease has one that is still open.
    func recordAttempt(at job: Job, at now: QueueInstant) throws -> Int {
        let last = try lastAttempt(of: job.id)
        if last.isOpen { return last.number }
        let attempt = Attempt(number: last.number + 1, under: job.lease!, started: now)
        try insert(attempt, of: job.id)
        return attempt.number
    }

    /// Marks the job done and closes its attempt.
    func complete(_ job: inout Job, _ outcome: JobOutcome, at now: QueueInstant) throws {
        job.complete(outcome, at: now)
        try closeAttempt(of: job.id, .completed, at: now, timings: outcome.timings)
    }

    /// Stores the failure with the job and the attempt.
    func fail(
        _ job: inout Job, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing], at now: QueueInstant,
        by surroundings: QueueSurroundings
    ) throws -> JobState {
        job.fail(failure, isRetryable: isRetryable, at: now, by: surroundings)
        try closeAttempt(of: job.id, .failed, at: now, failure: failure, timings: timings)
        return job.state
    }

    /// Makes the job available and closes its attempt.
    func release(_ job: inout Job, at now: QueueInstant) throws {
        job.release()
        try closeAttempt(of: job.id, .released, at: now)
    }

    /// Ends the lease of a job whose worker died; an unreadable job becomes a dead letter.
    func expire(_ job: Job, at now: QueueInstant, policy: QueuePolicy) throws {
        guard job.unreadable.isEmpty else { return try endUnreadable(job, at: now) }
        var job = job
        let wasAttempted = try lastAttempt(of: job.id).isOpen
        job.expire(wasAttempted: wasAttempted, at: now, policy: policy)
        try update(job)
        try closeAttempt(of: job.id, .workerDied, at: now, failure: Job.workerDeath, timings: [])
    }
}

/// The operations that a person performs.
extension JobTransaction {
    /// Makes a finished job available.
    ///
    /// - Throws: `noSuchJob`, `wrongState`, `invalid` for a job that cannot be read, `duplicate`.
    func requeue(_ id: JobID, at now: QueueInstant) throws {
        var job = try job(id)
        if job.state.isUnfinished { throw QueueError.wrongState(id, job.state) }
        guard job.unreadable.isEmpty else {
            throw QueueError.invalid("job \(id) cannot be read: \(job.unreadable.text)")
        }
        if let other = try unfinished(alike: id) { throw QueueError.duplicate(of: other) }
        job.requeue(at: now)
        try update(job)
    }

    /// Cancels an unfinished job and closes its attempt.
    ///
    /// - Throws: `noSuchJob`, `wrongState`.
    func cancel(_ id: JobID, at now: QueueInstant) throws {
        var job = try job(id)
        guard job.state.isUnfinished else { throw QueueError.wrongState(id, job.state) }
        guard job.unreadable.isEmpty else { return try endUnreadable(job, as: .cancelled, at: now) }
        job.cancel(at: now)
        try update(job)
        try closeAttempt(of: id, .cancelled, at: now)
    }
}
