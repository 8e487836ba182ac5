internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache

// If several processes and threads want the same, one makes it, and the others find it when they get the lock: a
// look-up follows each lock. The file's lock comes before the key's, so that two callers never wait for each other.
extension Pipeline {
    /// Takes the locks of the missing recipes under the source's stat key.
    ///
    /// - Before: `key` is unknown.
    /// - After: `fileLocks` are held, or the wait for them took as long as a render may.
    static func lockFile(_ run: inout ThumbnailRun) -> Progress {
        run.fileLocks = locks(of: .local(StatKey(of: run.source.status)), run)
        return .ongoing
    }

    /// Takes the locks of the missing recipes, or of the text, under the source's key.
    ///
    /// - Before: `key` is set, unless nothing is stored.
    /// - After: `keyLocks` are held, or the wait for them took as long as a render may.
    static func lockKey(_ run: inout ThumbnailRun) -> Progress {
        if let key = run.key { run.keyLocks = locks(of: key, run) }
        return .ongoing
    }

    private static func locks(of key: SourceKey, _ run: ThumbnailRun) -> SingleFlight.Hold? {
        guard let cache = run.engine.cache else { return nil }
        var flights = run.missing.map { SingleFlight.Flight(key, recipe: run.order.recipes[$0]) }
        if let part = run.textPart { flights.append(SingleFlight.Flight(key, textOf: part)) }
        return cache.singleFlight.acquire(flights, until: Time.monotonic + run.engine.limits.wallTime) {
            run.isCancelled
        }
    }
}
