/// What a worker tells whoever runs it.
public enum WorkerEvent: Sendable {
    case finished(JobReport)
    /// Queue or cache is out of reach; the worker pauses and tries again. Told once a trouble, not at every try.
    case troubleBegan(Dependency, detail: String)
    case troubleEnded(Dependency, after: Duration)
    /// Jobs of a worker that died were taken over before their leases ran out.
    case reclaimed(jobCount: Int, from: String)
    /// Another worker lives on the same queue.
    case neighbour(name: String, version: String, isSameVersion: Bool)
    /// Old done jobs were deleted, or the cache brought within its budget.
    case tidied(prunedJobCount: Int, freedByteCount: Int64)

    /// What a worker cannot work without.
    public enum Dependency: String, Hashable, Sendable, CaseIterable {
        case queue
        case cache
    }
}
