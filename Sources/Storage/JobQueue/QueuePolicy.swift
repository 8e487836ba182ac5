/// The limits and delays of a queue, the same for every driver.
public struct QueuePolicy: Hashable, Sendable {
    /// Of the claims with the same lowest priority, every `fairTurn`-th takes the job that has waited longest. So no
    /// priority starves.
    public var fairTurn = 8
    /// The number of workers that die while a job is their only one, after which the job is a dead letter.
    public var aloneDeathLimit = 5
    /// A worker that has reserved a suspected job waits this long for its other jobs to end, and claims nothing
    /// meanwhile. If they do not end, it leaves suspected jobs to other workers for the same period.
    public var drainPatience: Duration = .seconds(60)
    /// The number of retryable failures after which a job is a dead letter.
    public var failureLimit = 10
    /// The delay after the first retryable failure; each further one doubles it.
    public var firstBackoff: Duration = .seconds(1)
    /// The longest delay after a failure.
    public var longestBackoff: Duration = .seconds(600)
    /// The number of attempts with a crashed child, after which a content is poisoned.
    public var crashLimit = 2

    /// The defaults, which all programs use.
    public init() {}

    /// The delay after failure number `failureCount` (from 1): it doubles each time, and its upper half is random.
    ///
    /// Without the random half, jobs that failed together, as on a full disk, would be retried together.
    /// - Parameter random: 64 evenly distributed bits.
    public func backoff(afterFailure failureCount: Int, random: UInt64) -> Duration {
        let doublings = min(max(failureCount, 1) - 1, 30)
        let full = min(firstBackoff * (1 << doublings), longestBackoff)
        let share = Double(random >> 11) / Double(1 << 53)
        return full / 2 + full / 2 * share
    }
}
