public import Media

/// A queue of jobs that survive their workers. A worker claims a job by a lease. No job is lost. If two workers run one
/// job, only the current holder of the lease can change it.
///
/// Safe for several threads, and for several processes if the driver says so. Every operation is atomic. Once another
/// worker has the lease, an operation with the old token throws `leaseLost` and changes nothing. An expired lease stays
/// valid until it is reclaimed. docs/queue.md has the rules and their reasons.
public protocol JobQueue: Sendable {
    /// Adds all of the jobs or none, and answers in the order of the requests. A durable driver has them on disk on
    /// return.
    @discardableResult
    func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued]

    /// Reclaims expired leases, then leases up to `limit` jobs to `worker`, none less urgent than `lowest`.
    ///
    /// A job is suspected once a worker has died in an attempt at it. A suspected job is leased alone: to a worker
    /// without another lease, which gets no other job until this lease ends. If the next job of a busy worker is
    /// suspected, the worker gets nothing until its jobs have ended. Then it gets that job.
    ///
    /// - Parameter parties: the parties whose jobs are skipped.
    func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> [ClaimedJob]

    /// Claims one job as `claim` does, for a worker that begins immediately. A driver may record the attempt in the
    /// same transaction (`ClaimedJob.attempt`).
    func begin(
        by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> ClaimedJob?

    /// Moves the lease's deadline to `lease` from now, and returns the new deadline.
    @discardableResult
    func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant

    /// Records that an attempt begins, *before* the renderer starts. A second call under one lease records nothing new.
    /// - Returns: the attempt's number, from 1.
    @discardableResult
    func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int

    /// Ends a job as done.
    func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError)

    /// Ends an attempt with a failure. If `isRetryable` and the job has not failed too often, it waits for a backoff.
    /// Otherwise it is dead.
    /// - Returns: the job's new state, `available` or `dead`.
    @discardableResult
    func fail(
        _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
    ) throws(QueueError) -> JobState

    /// Returns a job unfinished, as in a drain. It is available immediately, and nothing counts against it.
    func release(_ token: LeaseToken) throws(QueueError)

    /// Reclaims expired leases; `claim` does so too.
    /// - Returns: the number of jobs.
    @discardableResult
    func reclaimExpired() throws(QueueError) -> Int

    /// Reclaims all leases of a worker that is known to be dead, as if they had expired now.
    /// - Returns: the number of jobs.
    @discardableResult
    func reclaim(from worker: String) throws(QueueError) -> Int

    /// Makes a finished job available again, resets its counts to zero and keeps its attempts.
    func requeue(_ id: JobID) throws(QueueError)

    /// Ends an unfinished job as cancelled. A worker that holds it loses its lease.
    func cancel(_ id: JobID) throws(QueueError)

    /// Stops claims of jobs of a kind; leased jobs continue.
    func pause(_ kind: JobKind) throws(QueueError)

    /// Ends the pause of a kind.
    func resume(_ kind: JobKind) throws(QueueError)

    /// Counts the jobs by kind and state, and gives the rate of the last minutes.
    func status() throws(QueueError) -> QueueStatus

    /// The selected jobs, newest first.
    func list(_ filter: JobFilter) throws(QueueError) -> [Job]

    /// A job with its attempts, oldest first.
    func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt])

    /// Deletes done jobs that are older than `age`, and the oldest ones beyond `count`. Unreadable jobs that no claim
    /// would find become dead letters.
    /// - Returns: the number of deleted jobs.
    @discardableResult
    func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int

    /// The next moment at which time alone changes something: a waiting job's not-before time, or a lease's deadline.
    /// `nil` if there is none.
    func nextDue() throws(QueueError) -> QueueInstant?

    /// Counts a crash of a renderer's child on a content; another build starts a new count.
    /// - Returns: whether the content is poisoned from now on.
    @discardableResult
    func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool

    /// Whether this build of the renderers must not open a content again.
    func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool

    /// The poisoned contents, latest crash first.
    func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent]

    /// Makes a waiter for one thread. Make it *before* the claim that finds no job. A job that is enqueued between that
    /// claim and the wait then ends the wait.
    func makeWaiter() throws(QueueError) -> any JobWaiter
}

extension JobQueue {
    /// Adds one job; see `enqueue(_:)` for several.
    @discardableResult
    public func enqueue(_ request: JobRequest) throws(QueueError) -> Enqueued {
        try enqueue([request])[0]
    }

    /// Claims a job, and leaves it to the worker to record the attempt.
    public func begin(
        by worker: String, for lease: Duration, downTo lowest: Priority, passing parties: Set<String>
    ) throws(QueueError) -> ClaimedJob? {
        try claim(upTo: 1, by: worker, for: lease, downTo: lowest, passing: parties).first
    }

    /// Claims a job of any party, for a worker that begins immediately.
    public func begin(
        by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> ClaimedJob? {
        try begin(by: worker, for: lease, downTo: lowest, passing: [])
    }

    /// Leases up to `limit` jobs of any party to `worker`, none less urgent than `lowest`.
    public func claim(
        upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority
    ) throws(QueueError) -> [ClaimedJob] {
        try claim(upTo: limit, by: worker, for: lease, downTo: lowest, passing: [])
    }

    /// Leases up to `limit` jobs of any priority to `worker`.
    public func claim(upTo limit: Int, by worker: String, for lease: Duration) throws(QueueError) -> [ClaimedJob] {
        try claim(upTo: limit, by: worker, for: lease, downTo: .backfill)
    }
}

/// A thread's sleep until there may be a job.
public protocol JobWaiter: Sendable {
    /// Sleeps until a job was added or freed since the last call, until one comes due, or until `limit` of real time
    /// has passed.
    /// - Returns: `false` if only `limit` has passed. `true` is a hint: another worker may have been faster.
    func wait(atMost limit: Duration) throws(QueueError) -> Bool

    /// Ends the current or the next sleep from another thread; other waiters may wake too.
    func wake()
}
