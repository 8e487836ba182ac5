internal import Media

/// The ways between states: every driver takes them from here, so that the rules stand once.
extension Job {
    /// `available` → `leased`; a suspected job alone.
    mutating func claim(by worker: String, for duration: Duration, at now: QueueInstant) {
        state = .leased
        lease = Lease(token: .random(), worker: worker, claimed: now, deadline: now + duration, isAlone: isSuspected)
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
    }

    /// `leased` → `available` at once and in its old place; nothing counts against the job.
    mutating func release() { comeBack() }

    /// The lease ran out: `leased` → `available` at once and in its old place, or `dead` when too many workers died of this
    /// job. A worker that had others in work too may have died of any of them, or of none: that makes a suspect, no more.
    ///
    /// - Parameter wasAttempted: whether the worker had recorded its attempt; otherwise its death was not the job's doing.
    mutating func expire(wasAttempted: Bool, at now: QueueInstant, policy: QueuePolicy) {
        let wasAlone = lease?.isAlone ?? false
        guard wasAttempted else { return comeBack() }
        workerDeathCount += 1
        if wasAlone { aloneDeathCount += 1 }
        lastFailure = Self.workerDeath
        guard aloneDeathCount >= policy.aloneDeathLimit else { return comeBack() }
        lastFailure = Failure(
            .crashed, detail: "\(aloneDeathCount) workers died while they worked on this job and on nothing else")
        finish(.dead, at: now)
    }

    /// `done`, `dead` or `cancelled` → `available`, with nothing counted against the job any more.
    mutating func requeue(at now: QueueInstant) {
        failureCount = 0
        workerDeathCount = 0
        aloneDeathCount = 0
        wait(until: now)
    }

    /// `available` or `leased` → `cancelled`.
    mutating func cancel(at now: QueueInstant) { finish(.cancelled, at: now) }

    /// What an attempt says whose worker fell silent.
    static let workerDeath = Failure(.crashed, detail: "the worker died: its lease ran out without a word")

    /// Behind all others, a long job would be interrupted again and again where workers die often; and one that kills its
    /// workers is found out soonest in front.
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
    }
}

extension Attempt {
    /// An attempt under a lease that begins now.
    init(number: Int, under lease: Job.Lease, started: QueueInstant) {
        self.init(
            number: number, worker: lease.worker, started: started, isAlone: lease.isAlone, ended: nil, end: nil,
            failure: nil, timings: [])
    }

    /// Writes down how it ended.
    mutating func close(_ end: End, at now: QueueInstant, failure: Failure? = nil, timings: [Timing] = []) {
        ended = now
        self.end = end
        self.failure = failure
        self.timings = timings
    }
}

extension JobRequest {
    /// Refuses what no worker could do.
    func validate() throws(QueueError) {
        if recipes.isEmpty { throw .invalid("a job needs at least one recipe") }
        if source.location.isEmpty { throw .invalid("a job needs a source") }
        // A zero byte ends a path for the kernel; SQLite's text would end there too.
        if source.location.utf8.contains(0) { throw .invalid("a source's name has no zero byte") }
    }
}
