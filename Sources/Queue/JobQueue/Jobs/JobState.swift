/// Where a job is in its life; docs/queue.md draws the ways between.
public enum JobState: String, Hashable, Sendable, CaseIterable {
    /// Waits for a worker, or for its not-before time.
    case available
    /// A worker has it, until the lease's deadline.
    case leased
    case done
    /// A dead letter: kept with its reason until somebody requeues it.
    case dead
    case cancelled

    /// Whether an equal job that is enqueued is this one.
    public var isUnfinished: Bool { self == .available || self == .leased }
}
