internal import JobQueue
internal import Linux
internal import Media
internal import ThumbnailCache

/// Maintenance beside the jobs, on one thread: it takes over the jobs of dead workers, deletes old done jobs, and keeps
/// the cache within its budget.
final class Tidying: Sendable {
    private let connection: QueueConnection
    private let cache: FolderCache
    private let registry: WorkerRegistry?
    private let upkeep: Upkeep
    private let observer: @Sendable (WorkerEvent) -> Void
    private let isOver = Promise<Void>()

    init(
        _ connection: QueueConnection, _ cache: FolderCache, _ registry: WorkerRegistry?, _ upkeep: Upkeep,
        observer: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.connection = connection
        self.cache = cache
        self.registry = registry
        self.upkeep = upkeep
        self.observer = observer
    }

    func start() throws(SystemError) -> WorkerThread {
        try WorkerThread(name: "tidy") { [self] in
            var lastCollection = Time.monotonic
            // Also pruned at the start, since that finds unreadable jobs.
            var lastPruning = Time.monotonic - upkeep.pruneInterval
            repeat {
                rescue()
                let now = Time.monotonic
                if now - lastCollection >= upkeep.cacheInterval {
                    lastCollection = now
                    collect()
                }
                if now - lastPruning >= upkeep.pruneInterval {
                    lastPruning = now
                    prune()
                }
            } while isOver.wait(until: Time.monotonic + upkeep.rescueInterval) == nil
        }
    }

    /// Ends the thread, and removes the worker from the registry.
    func stop() {
        isOver.fulfil(())
        registry?.leave()
    }

    /// Takes over the jobs of dead workers. Faults are not reported here: the slots meet them too, and the next round
    /// retries.
    private func rescue() {
        guard let registry else { return }
        let neighbours = registry.look { name in
            let count = try? connection.use { (queue) throws(QueueError) in try queue.reclaim(from: name) }
            if let count, count > 0 { observer(.reclaimed(jobCount: count, from: name)) }
            return count != nil
        }
        for neighbour in neighbours {
            observer(
                .neighbour(
                    name: neighbour.name, version: neighbour.version, isSameVersion: neighbour.isSameVersion))
        }
    }

    private func prune() {
        let pruned = try? connection.use { (queue) throws(QueueError) in
            try queue.prune(olderThan: upkeep.doneAge, keepingAtMost: upkeep.doneCount)
        }
        if let pruned, pruned > 0 { observer(.tidied(prunedJobCount: pruned, freedByteCount: 0)) }
    }

    private func collect() {
        guard let budget = upkeep.cacheBudget, cache.needsCollection(budget: budget) else { return }
        guard let report = try? cache.collect(budget: budget) else { return }
        let freed = report.byteCountBefore - report.byteCountAfter
        if freed > 0 { observer(.tidied(prunedJobCount: 0, freedByteCount: freed)) }
    }
}
