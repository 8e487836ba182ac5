internal import Media

/// The transitions between states. Every driver uses them, so each rule exists once.
extension Job {
    /// `available` → `leased`; a suspected job is leased to run alone.
    mutating func claim(
        by worker: String, for duration: Duration, at now: QueueInstant, token: LeaseToken = .random()
    ) {
        state = .leased
        lease = Lease(token: token, worker: worker, claimed: now, deadline: now + duration, isAlone: isSuspected)
    }

    /// `leased` → `done`.
    mutating func complete(_ outcome: JobOutcome, at now: QueueInstant) {
        digest = outcome.digest ?? digest
        lastFailure = nil
        finish(.done, at: now)
    }

    /// `leased` → `available` after a backoff, or `dead`.
    mutating func fail(_ failure: Failure, isRetryable: Bool, at now: QueueInstant, by surroundings: QueueSurroundings)
    {
        lastFailure = failure
        guard isRetryable else { return finish(.dead, at: now) }
        failureCount += 1
        guard failureCount < surroundings.policy.failureLimit else { return finish(.dead, at: now) }
        let backoff = surroundings.policy.backoff(afterFailure: failureCount, random: surroundings.random())
        wait(until: now + backoff)
        turn = notBefore
    }

    /// `leased` → `available` immediately, in its old place in the order; nothing counts against the job.
    mutating func release() { comeBack() }

    /// The lease has expired: `leased` → `available` immediately, in its old place, or `dead` if too many workers died
    /// while this was their only job. The death of a worker with several jobs makes each of them suspected, and counts
    /// against none.
    ///
    /// - Parameter wasAttempted: whether the worker had recorded its attempt; otherwise the job did not cause its
    ///   death.
    mutating func expire(wasAttempted: Bool, at now: QueueInstant, policy: QueuePolicy) {
        let wasAlone = lease?.isAlone ?? false
        guard wasAttempted else { return comeBack() }
        workerDeathCount += 1
        if wasAlone { aloneDeathCount += 1 }
        lastFailure = Self.workerDeath
        guard aloneDeathCount >= policy.aloneDeathLimit else { return comeBack() }
        lastFailure = Failure(
            .crashed, detail: "\(aloneDeathCount) workers died while they ran this job and nothing else")
        finish(.dead, at: now)
    }

    /// `done`, `dead` or `cancelled` → `available`, with all counts at zero and without a party.
    mutating func requeue(at now: QueueInstant) {
        failureCount = 0
        workerDeathCount = 0
        aloneDeathCount = 0
        wait(until: now)
        turn = now
    }

    /// An equal request moves the job to its own place, if that has a higher priority, or the same priority and an
    /// earlier turn. So a request never waits for the turn of another party that came first. A retry's turn stays the
    /// end of its backoff.
    ///
    /// - Parameter other: the job that the request would become.
    /// - Returns: whether anything has changed.
    mutating func join(_ other: Job) -> Bool {
        let place = notBefore > other.notBefore ? turn : other.turn
        guard (other.priority.rawValue, place) < (priority.rawValue, turn) else { return false }
        priority = other.priority
        turn = place
        party = other.party
        return true
    }

    /// `available` or `leased` → `cancelled`.
    mutating func cancel(at now: QueueInstant) { finish(.cancelled, at: now) }

    /// The failure of an attempt whose lease expired.
    static let workerDeath = Failure(.crashed, detail: "the worker died: its lease expired")

    /// Keeps the job's old place in the order. If workers die often, a long job that goes to the end of the order never
    /// finishes. Near the front, a job that kills its workers is found soonest.
    private mutating func comeBack() { wait(until: notBefore) }

    private mutating func wait(until moment: QueueInstant) {
        state = .available
        notBefore = moment
        finished = nil
        lease = nil
    }

    private mutating func finish(_ state: JobState, at now: QueueInstant) {
        self.state = state
        finished = now
        lease = nil
        party = nil
    }
}

extension Attempt {
    /// A new attempt under a lease.
    init(number: Int, under lease: Job.Lease, started: QueueInstant) {
        self.init(
            number: number, worker: lease.worker, started: started, isAlone: lease.isAlone, ended: nil, end: nil,
            failure: nil, timings: [])
    }

    /// Records the attempt's end.
    mutating func close(_ end: End, at now: QueueInstant, failure: Failure? = nil, timings: [Timing] = []) {
        ended = now
        self.end = end
        self.failure = failure
        self.timings = timings
    }
}

extension JobRequest {
    /// Refuses a request that no worker could carry out.
    func validate() throws(QueueError) {
        if recipes.isEmpty, kind == .renditions { throw .invalid("a job of renditions needs at least one recipe") }
        if source.location.isEmpty { throw .invalid("a job needs a source") }
        // The kernel and SQLite would both end the path at a zero byte.
        if source.location.utf8.contains(0) { throw .invalid("a source's name must not contain a zero byte") }
    }
}
