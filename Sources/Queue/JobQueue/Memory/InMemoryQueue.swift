public import Media
internal import Synchronization

/// A queue in the memory of one process, for tests. Its code is the plainest statement of the rules.
public final class InMemoryQueue: JobQueue {
    let surroundings: QueueSurroundings
    private let store = Mutex(MemoryStore())
    private let arrivals = MemorySignal()

    /// An empty queue.
    public init(_ surroundings: QueueSurroundings = QueueSurroundings()) { self.surroundings = surroundings }

    /// Adds jobs under the lock, and wakes all waiters.
    @discardableResult
    public func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] {
        for request in requests { try request.validate() }
        let answers = store.withLock { store in requests.map { store.enqueue($0, at: surroundings.now) } }
        arrivals.send()
        return answers
    }

    /// Reclaims and leases under the lock, by the same rules as every driver.
    public func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob] {
        let claimed = store.withLock { store in
            let now = surroundings.now
            store.reclaimExpired(at: now, policy: surroundings.policy)
            let claim = Claim(worker: worker, lease: lease, lowest: lowest, now: now, policy: surroundings.policy)
            return claim.run(upTo: limit, in: &store)
        }
        // Another worker may have reserved the job, and waits for nothing now.
        if claimed.contains(where: \.isAlone) { arrivals.send() }
        return claimed
    }

    /// Moves the deadline of the token's lease.
    @discardableResult
    public func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
        let deadline = surroundings.now + lease
        try change(token) { job, _ in job.lease?.deadline = deadline }
        return deadline
    }

    /// Appends an attempt, unless the last one is still open.
    @discardableResult
    public func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
        let now = surroundings.now
        return try change(token) { job, attempts in
            if let open = attempts.last, open.ended == nil { return open.number }
            attempts.append(Attempt(number: attempts.count + 1, under: job.lease!, started: now))
            return attempts.count
        }
    }

    /// Marks the job done and closes its attempt.
    public func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
        let now = surroundings.now
        try change(token) { job, attempts in
            job.complete(outcome, at: now)
            attempts.closeLast(.completed, at: now, timings: outcome.timings)
        }
    }

    /// Stores the failure with job and attempt.
    @discardableResult
    public func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState {
        let now = surroundings.now
        return try change(token) { job, attempts in
            job.fail(failure, isRetryable: isRetryable, at: now, by: surroundings)
            attempts.closeLast(.failed, at: now, failure: failure, timings: timings)
            return job.state
        }
    }

    /// Makes the job available and wakes all waiters.
    public func release(_ token: LeaseToken) throws(QueueError) {
        let now = surroundings.now
        try change(token) { job, attempts in
            job.release()
            attempts.closeLast(.released, at: now)
        }
        arrivals.send()
    }

    /// Searches all jobs for expired leases.
    @discardableResult
    public func reclaimExpired() throws(QueueError) -> Int {
        let count = store.withLock { $0.reclaimExpired(at: surroundings.now, policy: surroundings.policy) }
        if count > 0 { arrivals.send() }
        return count
    }

    /// Searches all jobs for leases of the worker, and drops its reservation.
    @discardableResult
    public func reclaim(from worker: String) throws(QueueError) -> Int {
        let count = store.withLock { $0.reclaim(from: worker, at: surroundings.now, policy: surroundings.policy) }
        // A worker without a lease may still have reserved a job.
        arrivals.send()
        return count
    }

    /// Makes a waiter that threads of this process wake.
    public func makeWaiter() throws(QueueError) -> any JobWaiter { MemoryWaiter(queue: self, arrivals: arrivals) }

    /// Changes the job that the token leases, wholly or not at all.
    @discardableResult
    private func change<Answer: Sendable>(
        _ token: LeaseToken, _ body: (inout Job, inout [Attempt]) -> Answer
    ) throws(QueueError) -> Answer {
        let answer: (answer: Answer, freesOthers: Bool)? = store.withLock { store in
            guard let id = store.tokens[token] else { return nil }
            let lease = store.jobs[id]?.lease
            let answer = store.change(id, body)
            return (answer, store.jobs[id]?.lease == nil && store.freesOthers(lease))
        }
        guard let answer else { throw .leaseLost }
        if answer.freesOthers { arrivals.send() }
        return answer.answer
    }
}

extension InMemoryQueue {
    /// Makes a finished job available, unless an equal one is unfinished.
    public func requeue(_ id: JobID) throws(QueueError) {
        try checked { (store) throws(QueueError) in
            let job = try store.job(id)
            if job.state.isUnfinished { throw .wrongState(id, job.state) }
            if let other = store.unfinished[store.identities[id]!] { throw .duplicate(of: other) }
            store.change(id) { job, _ in job.requeue(at: surroundings.now) }
        }
        arrivals.send()
    }

    /// Cancels an unfinished job and closes its attempt.
    public func cancel(_ id: JobID) throws(QueueError) {
        let now = surroundings.now
        try checked { (store) throws(QueueError) in
            let job = try store.job(id)
            guard job.state.isUnfinished else { throw .wrongState(id, job.state) }
            store.change(id) { job, attempts in
                job.cancel(at: now)
                attempts.closeLast(.cancelled, at: now)
            }
        }
        arrivals.send()
    }

    /// Stops claims of the kind in this process.
    public func pause(_ kind: JobKind) throws(QueueError) {
        store.withLock { _ = $0.paused.insert(kind) }
        arrivals.send()
    }

    /// Ends the pause and wakes all waiters.
    public func resume(_ kind: JobKind) throws(QueueError) {
        store.withLock { _ = $0.paused.remove(kind) }
        arrivals.send()
    }

    /// Counts all jobs anew at every call.
    public func status() throws(QueueError) -> QueueStatus { store.withLock { $0.status(at: surroundings.now) } }

    /// Searches all jobs for the selected ones.
    public func list(_ filter: JobFilter) throws(QueueError) -> [Job] { store.withLock { $0.list(filter) } }

    /// Copies the job and its attempts.
    public func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt]) {
        try checked { (store) throws(QueueError) in (try store.job(id), store.attempts[id] ?? []) }
    }

    /// Deletes the chosen jobs with their attempts at once.
    @discardableResult
    public func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int {
        store.withLock { $0.prune(before: surroundings.now - age, keepingAtMost: count) }
    }

    /// Searches all jobs for the earliest moment.
    public func nextDue() throws(QueueError) -> QueueInstant? {
        store.withLock { $0.nextDue(after: surroundings.now, policy: surroundings.policy) }
    }

    /// Adds to the content's count in memory.
    @discardableResult
    public func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool {
        let now = surroundings.now
        return store.withLock { store in
            let known = store.crashes[digest].flatMap { $0.build == build ? $0.crashCount : nil } ?? 0
            store.crashes[digest] = PoisonedContent(digest: digest, build: build, crashCount: known + 1, lastCrash: now)
            return known + 1 >= surroundings.policy.crashLimit
        }
    }

    /// Compares the content's count with the policy's limit.
    public func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool {
        let entry = store.withLock { $0.crashes[digest] }
        return entry.map { $0.build == build && $0.crashCount >= surroundings.policy.crashLimit } ?? false
    }

    /// Sorts the contents whose counts reach the policy's limit.
    public func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent] {
        let entries = store.withLock { $0.crashes.values.filter { $0.crashCount >= surroundings.policy.crashLimit } }
        return Array(entries.sorted { $0.lastCrash > $1.lastCrash }.prefix(max(0, limit)))
    }

    /// `Mutex.withLock` with this module's typed errors.
    private func checked<Answer: Sendable>(
        _ body: (inout MemoryStore) throws(QueueError) -> Answer
    ) throws(QueueError) -> Answer {
        let result: Result<Answer, QueueError> = store.withLock { store in
            do throws(QueueError) { return .success(try body(&store)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
