public import Media

/// A job and its state, as the queue stores it.
public struct Job: Hashable, Sendable {
    /// The number by which commands refer to the job.
    public let id: JobID
    /// The type of work, by which jobs are paused and counted.
    public let kind: JobKind
    /// The file to process.
    public let source: JobSource
    /// The SHA-256 of the source, as soon as the enqueuer or a worker has computed it.
    public internal(set) var digest: Digest?
    /// The renditions to make; at least one for jobs of that kind.
    public let recipes: [Recipe]
    /// The job's urgency; enqueuing an equal job can raise it.
    public internal(set) var priority: Priority
    /// Whether the job waits, is leased or has ended.
    public internal(set) var state: JobState
    /// When the queue accepted the job.
    public let enqueued: QueueInstant
    /// The moment before which no worker claims the job; a backoff postpones it.
    public internal(set) var notBefore: QueueInstant
    /// The job's place in the line of its priority. The earlier it is, the sooner the job is claimed.
    public internal(set) var turn: QueueInstant
    /// The party that takes turns with others; `nil` for the operator's work, and once the job has ended.
    public internal(set) var party: String?
    /// When the job became `done`, `dead` or `cancelled`; `nil` before.
    public internal(set) var finished: QueueInstant?
    /// The number of retryable failures since the job was enqueued or requeued.
    public internal(set) var failureCount: Int
    /// The number of workers that died in a recorded attempt since then.
    public internal(set) var workerDeathCount: Int
    /// The number of these workers that ran no other job. Only their deaths count against the job.
    public internal(set) var aloneDeathCount: Int
    /// Why the last attempt failed; for a dead letter, why it is dead.
    public internal(set) var lastFailure: Failure?
    /// The claim of the worker that has the job; `nil` unless the state is `leased`.
    public internal(set) var lease: Lease?
    /// The columns that could not be read; their properties hold harmless values. Usually empty.
    public internal(set) var unreadable: [UnreadableColumn] = []

    /// Whether a worker died in an attempt at the job. A suspected job is claimed alone.
    public var isSuspected: Bool { workerDeathCount > 0 }

    /// A worker's claim on a job.
    public struct Lease: Hashable, Sendable {
        /// The proof that every operation on the claimed job requires.
        public let token: LeaseToken
        /// The name of the worker that has the job.
        public let worker: String
        /// When the worker claimed the job.
        public let claimed: QueueInstant
        /// When the lease expires, unless a heartbeat renews it.
        public internal(set) var deadline: QueueInstant
        /// Whether the worker gets no other job until this lease ends.
        public let isAlone: Bool
    }

    init(id: JobID, request: JobRequest, at now: QueueInstant) {
        self.id = id
        kind = request.kind
        source = request.source
        digest = request.digest
        recipes = request.recipes
        priority = request.priority
        state = .available
        enqueued = now
        notBefore = now
        turn = now
        party = request.party
        failureCount = 0
        workerDeathCount = 0
        aloneDeathCount = 0
    }

    init(
        id: JobID, kind: JobKind, source: JobSource, digest: Digest?, recipes: [Recipe], priority: Priority,
        state: JobState, enqueued: QueueInstant, notBefore: QueueInstant, turn: QueueInstant, party: String?,
        finished: QueueInstant?, failureCount: Int, workerDeathCount: Int, aloneDeathCount: Int, lastFailure: Failure?,
        lease: Lease?
    ) {
        self.id = id
        self.kind = kind
        self.source = source
        self.digest = digest
        self.recipes = recipes
        self.priority = priority
        self.state = state
        self.enqueued = enqueued
        self.notBefore = notBefore
        self.turn = turn
        self.party = party
        self.finished = finished
        self.failureCount = failureCount
        self.workerDeathCount = workerDeathCount
        self.aloneDeathCount = aloneDeathCount
        self.lastFailure = lastFailure
        self.lease = lease
    }
}
