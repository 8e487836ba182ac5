/// A selection of jobs for a list, newest first.
public struct JobFilter: Hashable, Sendable {
    /// Only jobs in this state; `nil` for all states.
    public var state: JobState?
    /// Only jobs of this kind; `nil` for all kinds.
    public var kind: JobKind?
    /// Only jobs enqueued before this one. For the next page, the last job of the previous page.
    public var before: JobID?
    /// The maximum number of jobs in the list.
    public var limit: Int

    /// A selection, by default of the newest 50 jobs.
    public init(state: JobState? = nil, kind: JobKind? = nil, before: JobID? = nil, limit: Int = 50) {
        self.state = state
        self.kind = kind
        self.before = before
        self.limit = limit
    }
}
