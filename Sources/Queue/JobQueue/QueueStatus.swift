/// How a queue stands.
public struct QueueStatus: Hashable, Sendable {
    /// Jobs of one kind in one state; only counts above zero are there.
    public struct Count: Hashable, Sendable {
        public let kind: JobKind
        public let state: JobState
        public let jobCount: Int
    }

    /// By kind's name, then in the states' order.
    public let counts: [Count]
    public let pausedKinds: Set<JobKind>
    /// Since when the job that has waited longest could have been claimed; `nil` where none waits.
    public let oldestWaiting: QueueInstant?
    /// Jobs done in the last five minutes, as a rate.
    public let donePerMinute: Double

    /// The span that `donePerMinute` looks at.
    static let rateMinutes = 5

    /// Jobs in `state`, of all kinds or of one.
    public func jobCount(_ state: JobState, of kind: JobKind? = nil) -> Int {
        counts.filter { $0.state == state && (kind == nil || $0.kind == kind) }.map(\.jobCount).reduce(0, +)
    }
}
