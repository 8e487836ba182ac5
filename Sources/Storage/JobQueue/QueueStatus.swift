/// The counts of a queue's jobs at one moment, the rate, and the oldest waiting job.
public struct QueueStatus: Hashable, Sendable {
    /// The number of jobs of one kind in one state; zero counts are omitted.
    public struct Count: Hashable, Sendable {
        /// The kind of the counted jobs.
        public let kind: JobKind
        /// The state of the counted jobs.
        public let state: JobState
        /// At least 1.
        public let jobCount: Int
    }

    /// Sorted by the kind's name, then in the order of `JobState`.
    public let counts: [Count]
    /// The paused kinds, which no worker claims now.
    public let pausedKinds: Set<JobKind>
    /// The moment from which the longest-waiting job could have been claimed; `nil` if none waits.
    public let oldestWaiting: QueueInstant?
    /// The number of jobs done in the last five minutes, divided by five.
    public let donePerMinute: Double

    /// The period of `donePerMinute`.
    static let rateMinutes = 5

    /// The number of jobs in `state`, of one kind or of all kinds (`nil`).
    public func jobCount(_ state: JobState, of kind: JobKind? = nil) -> Int {
        counts.filter { $0.state == state && (kind == nil || $0.kind == kind) }.map(\.jobCount).reduce(0, +)
    }
}

extension [QueueStatus.Count] {
    /// The counts by kind, then in the order of `JobState`.
    var inOrder: Self {
        let order = JobState.allCases
        return sorted {
            ($0.kind.rawValue, order.firstIndex(of: $0.state)!) < ($1.kind.rawValue, order.firstIndex(of: $1.state)!)
        }
    }
}
