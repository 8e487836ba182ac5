/// The limits and intervals of a worker's maintenance.
public struct Upkeep: Hashable, Sendable {
    /// The age beyond which done jobs are deleted.
    public var doneAge: Duration = .seconds(30 * 86_400)
    /// The number of done jobs beyond which the oldest are deleted.
    public var doneCount = 1_000_000
    /// The cache's size in bytes beyond which renditions are evicted; `nil` if this worker evicts none.
    public var cacheBudget: Int64?
    /// The interval between checks for dead workers.
    public var rescueInterval: Duration = .seconds(5)
    /// The interval between checks of the cache's size.
    public var cacheInterval: Duration = .seconds(60)
    /// The interval between deletions of old done jobs.
    public var pruneInterval: Duration = .seconds(600)

    /// The values for a service that runs for months.
    public init() {}
}
