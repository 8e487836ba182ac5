/// Which jobs to list: newest first.
public struct JobFilter: Hashable, Sendable {
    public var state: JobState?
    public var kind: JobKind?
    /// Only jobs older than this one: the last of the page before.
    public var before: JobID?
    public var limit: Int

    public init(state: JobState? = nil, kind: JobKind? = nil, before: JobID? = nil, limit: Int = 50) {
        self.state = state
        self.kind = kind
        self.before = before
        self.limit = limit
    }
}
