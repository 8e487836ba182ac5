/// The queue's numbers, the same for every driver.
public struct QueuePolicy: Hashable, Sendable {
    /// Of the jobs claimed down to one priority, every so many-th is the one that has waited longest: no priority starves.
    public var fairTurn = 8
    /// How many workers may die of a job that they had alone in work before it is a dead letter.
    public var aloneDeathLimit = 5
    /// How long a worker that has reserved a suspected job claims nothing while its other jobs end; when they do not end
    /// in that time, it leaves suspected jobs to others for as long.
    public var drainPatience: Duration = .seconds(60)
    /// How many retryable failures a job may have before it is a dead letter.
    public var failureLimit = 10
    /// The delay after the first retryable failure; each further one doubles it.
    public var firstBackoff: Duration = .seconds(1)
    /// No delay is longer.
    public var longestBackoff: Duration = .seconds(600)
    /// How many crashes of its children put a digest on the poison list.
    public var crashLimit = 2

    public init() {}

    /// The delay after failure number `failureCount` (from 1): exponential, the upper half of it at random.
    ///
    /// The jitter keeps jobs that failed together, as when a disk was full, from coming back together.
    /// - Parameter random: 64 evenly distributed bits.
    public func backoff(afterFailure failureCount: Int, random: UInt64) -> Duration {
        let doublings = min(max(failureCount, 1) - 1, 30)
        let full = min(firstBackoff * (1 << doublings), longestBackoff)
        let share = Double(random >> 11) / Double(1 << 53)
        return full / 2 + full / 2 * share
    }
}
