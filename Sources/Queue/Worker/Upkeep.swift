/// What a worker keeps in order while it works for months.
public struct Upkeep: Hashable, Sendable {
    /// Done jobs older than this are deleted.
    public var doneAge: Duration = .seconds(30 * 86_400)
    /// Of younger ones, this many stay.
    public var doneCount = 1_000_000
    /// Bytes that the cache may take; `nil`: nobody looks after that here.
    public var cacheBudget: Int64?
    /// How often to look whether another worker has died.
    public var rescueInterval: Duration = .seconds(5)
    public var cacheInterval: Duration = .seconds(60)
    public var pruneInterval: Duration = .seconds(600)

    public init() {}
}
