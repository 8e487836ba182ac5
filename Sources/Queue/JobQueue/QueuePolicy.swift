/// The limits and delays of a queue, the same for every driver.
public struct QueuePolicy: Hashable, Sendable {
    /// Every `fairTurn`-th job that is claimed down to one priority is the one that has waited longest, so that no priority
    /// starves.
    public var fairTurn = 8
    /// A job is a dead letter after so many deaths of workers that had it alone.
    public var aloneDeathLimit = 5
    /// For so long a worker that has reserved a suspected job claims nothing while its other jobs end. If they do not end in
    /// that time, it leaves suspected jobs to other workers for as long again.
    public var drainPatience: Duration = .seconds(60)
    /// A job is a dead letter after so many retryable failures.
    public var failureLimit = 10
    /// The delay after the first retryable failure; each further one doubles it.
    public var firstBackoff: Duration = .seconds(1)
    /// The longest delay after a failure.
    public var longestBackoff: Duration = .seconds(600)
    /// A content is poisoned after so many crashes of renderers' children.
    public var crashLimit = 2

    /// The numbers that all programs use.
    public init() {}

    /// The delay after failure number `failureCount` (from 1): it doubles each time, and its upper half is random.
    ///
    /// Without the random half, jobs that failed together, as on a full disk, would come back together.
    /// - Parameter random: 64 evenly distributed bits.
    public func backoff(afterFailure failureCount: Int, random: UInt64) -> Duration {
        let doublings = min(max(failureCount, 1) - 1, 30)
        let full = min(firstBackoff * (1 << doublings), longestBackoff)
        let share = Double(random >> 11) / Double(1 << 53)
        return full / 2 + full / 2 * share
    }
}
