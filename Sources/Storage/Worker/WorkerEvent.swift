/// An event of a worker, for logs and metrics.
public enum WorkerEvent: Sendable {
    case finished(JobReport)
    /// Queue, cache or store cannot be used; the worker pauses and retries. Sent once, not at every retry.
    case troubleBegan(Dependency, detail: String)
    case troubleEnded(Dependency, after: Duration)
    /// The jobs of a dead worker were taken over before their leases expired.
    case reclaimed(jobCount: Int, from: String)
    /// Another worker works on the same queue.
    case neighbour(name: String, version: String, isSameVersion: Bool)
    /// Old done jobs were deleted, or renditions were evicted from the cache.
    case tidied(prunedJobCount: Int, freedByteCount: Int64)

    /// The things that a worker needs to work.
    public enum Dependency: String, Hashable, Sendable, CaseIterable {
        case queue
        case cache
        /// The store of objects and of the pictures that machines share.
        case store
    }
}
