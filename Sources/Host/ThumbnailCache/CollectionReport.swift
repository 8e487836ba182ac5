/// What a collection removed, or would remove.
public struct CollectionReport: Hashable, Sendable {
    /// Bytes on disk before and after.
    public internal(set) var byteCountBefore: Int64 = 0
    public internal(set) var byteCountAfter: Int64 = 0
    /// Renditions that were used least recently, to come under the budget.
    public internal(set) var evictedRenditions = 0
    /// Failures that had expired or made way for the budget.
    public internal(set) var droppedFailures = 0
    /// Entries of the stat index that nobody has used for 90 days, or that made way.
    public internal(set) var droppedStatEntries = 0
    /// Renditions without a record, records without a rendition, records that are none.
    public internal(set) var removedLeftovers = 0
    /// Files that a writer or lock holder has left behind.
    public internal(set) var removedTemporaries = 0
    /// What lies among the cache's files and is none of them: it stays.
    public internal(set) var foreign = ForeignFiles()
}
