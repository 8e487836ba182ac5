public import Media

/// A job as the queue holds it.
public struct Job: Hashable, Sendable {
    public let id: JobID
    public let kind: JobKind
    public let source: JobSource
    public internal(set) var digest: Digest?
    public let recipes: [Recipe]
    public internal(set) var priority: Priority
    public internal(set) var state: JobState
    public let enqueued: QueueInstant
    /// Not claimed before; a backoff moves it on.
    public internal(set) var notBefore: QueueInstant
    /// When it came to `done`, `dead` or `cancelled`.
    public internal(set) var finished: QueueInstant?
    /// Retryable failures since it was enqueued or requeued.
    public internal(set) var failureCount: Int
    /// Workers that died in a recorded attempt since then.
    public internal(set) var workerDeathCount: Int
    /// Those of them that had this job alone in work: only these speak against it.
    public internal(set) var aloneDeathCount: Int
    /// Why the last attempt failed; of a dead letter, why it is dead.
    public internal(set) var lastFailure: Failure?
    /// Who has it, while it is leased.
    public internal(set) var lease: Lease?
    /// What of the stored job could not be read, and so has a stand-in above; empty as a rule.
    public internal(set) var unreadable: [UnreadableColumn] = []

    /// Whether a worker died in an attempt of it: a suspected job is claimed alone.
    public var isSuspected: Bool { workerDeathCount > 0 }

    /// A worker's claim on a job.
    public struct Lease: Hashable, Sendable {
        public let token: LeaseToken
        public let worker: String
        public let claimed: QueueInstant
        public internal(set) var deadline: QueueInstant
        /// Whether the worker claims nothing else until this lease ends.
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
        notBefore = min(max(request.notBefore ?? now, now), .latest)
        failureCount = 0
        workerDeathCount = 0
        aloneDeathCount = 0
    }

    init(
        id: JobID, kind: JobKind, source: JobSource, digest: Digest?, recipes: [Recipe], priority: Priority,
        state: JobState, enqueued: QueueInstant, notBefore: QueueInstant, finished: QueueInstant?, failureCount: Int,
        workerDeathCount: Int, aloneDeathCount: Int, lastFailure: Failure?, lease: Lease?
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
        self.finished = finished
        self.failureCount = failureCount
        self.workerDeathCount = workerDeathCount
        self.aloneDeathCount = aloneDeathCount
        self.lastFailure = lastFailure
        self.lease = lease
    }
}
