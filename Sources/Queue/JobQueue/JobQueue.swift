public import Media

/// Jobs that survive their workers: claimed by lease, never two workers on one with a word to say, none forgotten.
///
/// Safe for several threads, and where the driver says so for several processes. Every operation happens wholly or not
/// at all. What takes a token throws `leaseLost`, and changes nothing, once the lease is another's; a lease whose
/// deadline has passed counts for as long as nobody has reclaimed it. docs/queue.md has the rules and their reasons.
public protocol JobQueue: Sendable {
    /// Adds jobs, all or none; the answers come in the requests' order. When it returns, they are on disk.
    @discardableResult
    func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued]

    /// Reclaims leases that ran out, then leases up to `limit` jobs to `worker`: none less urgent than `lowest`.
    ///
    /// A suspected job, in an attempt of which a worker died, is leased alone: to a worker that holds no other lease, and
    /// that gets no other until this one ends. A busy worker whose turn comes to such a job gets nothing until its jobs
    /// have ended, and then that one.
    func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob]

    /// Moves the lease's deadline to `lease` from now, and says when that is.
    @discardableResult
    func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant

    /// Records that an attempt begins, *before* the renderer starts; repeated within a lease it is the same attempt.
    /// - Returns: the attempt's number, from 1.
    @discardableResult
    func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int

    /// The job is done.
    func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError)

    /// The job failed: if `isRetryable` it comes back after a backoff until its failures are too many, else it is dead.
    /// - Returns: the job's new state, `available` or `dead`.
    @discardableResult
    func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState

    /// Gives a job back unfinished, at once and without counting anything against it: for a drain.
    func release(_ token: LeaseToken) throws(QueueError)

    /// Takes back leases that ran out; `claim` does it too.
    /// - Returns: how many.
    @discardableResult
    func reclaimExpired() throws(QueueError) -> Int

    /// Takes back all leases of a worker that is known to be dead, as if they had run out now.
    /// - Returns: how many.
    @discardableResult
    func reclaim(from worker: String) throws(QueueError) -> Int

    /// Makes a finished job available again, its counts at zero, its history kept.
    func requeue(_ id: JobID) throws(QueueError)

    /// Ends an unfinished job; a worker that has it loses its lease.
    func cancel(_ id: JobID) throws(QueueError)

    /// Jobs of a paused kind are not claimed; what is leased runs on.
    func pause(_ kind: JobKind) throws(QueueError)
    func resume(_ kind: JobKind) throws(QueueError)

    func status() throws(QueueError) -> QueueStatus

    func list(_ filter: JobFilter) throws(QueueError) -> [Job]

    /// A job with its attempts, first to last.
    func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt])

    /// Deletes done jobs that are older than `age`, and the oldest beyond `count`; jobs that cannot be read, and that no
    /// claim would come upon, become dead letters.
    /// - Returns: how many were deleted.
    @discardableResult
    func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int

    /// When something may change by time alone: a waiting job's not-before, or a lease's deadline; `nil` if nothing may.
    func nextDue() throws(QueueError) -> QueueInstant?

    /// Notes that a child crashed on this content; counts anew when the build is another.
    /// - Returns: whether the content is now poisoned.
    @discardableResult
    func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool

    /// Whether this build of the renderer must not be tried on this content again.
    func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool

    /// The poison list, latest crash first.
    func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent]

    /// Something to sleep on until a job is there. Make one a thread, *before* the claim that finds nothing: what is
    /// enqueued between that claim and the wait is then not missed.
    func makeWaiter() throws(QueueError) -> any JobWaiter
}

extension JobQueue {
    /// Adds one job.
    @discardableResult
    public func enqueue(_ request: JobRequest) throws(QueueError) -> Enqueued {
        try enqueue([request])[0]
    }

    /// Reclaims leases that ran out, then leases up to `limit` jobs to `worker`.
    public func claim(upTo limit: Int, by worker: String, for lease: Duration) throws(QueueError) -> [ClaimedJob] {
        try claim(upTo: limit, by: worker, for: lease, downTo: .backfill)
    }
}

/// One thread's sleep until there may be work.
public protocol JobWaiter: Sendable {
    /// Sleeps until a job was added or freed since the last call, one comes due, or `limit` has passed; in tests with a
    /// clock of their own, real time passes here.
    /// - Returns: `false` where only `limit` passed. `true` is a hint: another worker may have been faster.
    func wait(atMost limit: Duration) throws(QueueError) -> Bool

    /// Ends the sleep that goes on, or the next, from another thread; others may wake too.
    func wake()
}
