/// The states of a job; docs/queue.md draws the transitions.
public enum JobState: String, Hashable, Sendable, CaseIterable {
    /// The job waits for a worker, or for its not-before time.
    case available
    /// A worker has the job until the lease's deadline.
    case leased
    case done
    /// A dead letter, kept with its reason until a person requeues it.
    case dead
    case cancelled

    /// Whether the job waits or is leased. An equal request then joins it instead of making a new job.
    public var isUnfinished: Bool { self == .available || self == .leased }
}
