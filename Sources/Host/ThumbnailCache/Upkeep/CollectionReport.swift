/// The result of a collection: the files that it removed, or would remove.
public struct CollectionReport: Hashable, Sendable {
    /// Bytes on disk before the collection.
    public internal(set) var byteCountBefore: Int64 = 0
    /// Bytes on disk after it.
    public internal(set) var byteCountAfter: Int64 = 0
    /// Least recently used renditions, removed to come under the budget.
    public internal(set) var evictedRenditions = 0
    /// Least recently used texts of pages, removed to come under the budget.
    public internal(set) var evictedTexts = 0
    /// Failures that had expired or were removed for the budget.
    public internal(set) var droppedFailures = 0
    /// Entries of the stat index that were unused for 90 days, or were removed for the budget.
    public internal(set) var droppedStatEntries = 0
    /// Renditions without a record, records without a rendition, damaged records.
    public internal(set) var removedLeftovers = 0
    /// Files that a writer or lock holder left behind.
    public internal(set) var removedTemporaries = 0
    /// Files that do not belong to the cache: they stay.
    public internal(set) var foreign = ForeignFiles()
}
