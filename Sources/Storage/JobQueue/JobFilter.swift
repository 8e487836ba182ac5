/// A selection of jobs for a list, which shows the newest first.
public struct JobFilter: Hashable, Sendable {
    /// Jobs in this state alone; `nil` for all states.
    public var state: JobState?
    /// Jobs of this kind alone; `nil` for all kinds.
    public var kind: JobKind?
    /// Jobs enqueued before this one alone: for the next page, the last job of the page before.
    public var before: JobID?
    /// The largest number of jobs in the list.
    public var limit: Int

    /// A selection, by default of the newest 50 jobs.
    public init(state: JobState? = nil, kind: JobKind? = nil, before: JobID? = nil, limit: Int = 50) {
        self.state = state
        self.kind = kind
        self.before = before
        self.limit = limit
    }
}
