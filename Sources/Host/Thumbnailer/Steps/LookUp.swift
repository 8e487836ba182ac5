internal import Linux
internal import Media
internal import ThumbnailCache

extension Pipeline {
    /// Takes renditions, failures and facts from the cache.
    ///
    /// - Before: `key` is set, or there is nothing to look up yet.
    /// - After: every recipe that the cache knows has its result, and the run is answered if none is missing.
    @discardableResult
    static func lookUp(_ run: inout ThumbnailRun) -> Progress {
        takeFromCache(&run)
        return run.missing.isEmpty ? .answered(run.finished) : .ongoing
    }

    private static func takeFromCache(_ run: inout ThumbnailRun) {
        guard let cache = run.engine.cache, let key = run.key, !run.order.isForced else { return }
        let start = Time.monotonic
        defer { run.timings.add("lookup", Time.monotonic - start) }
        if let kept = cache.facts(of: key) {
            run.facts = kept.facts
            run.placeholder = kept.placeholder
        }
        let (engine, mediaType) = (run.engine, run.facts?.mediaType)
        for index in run.missing {
            switch cache.lookup(key, recipe: run.order.recipes[index], currentBuild: { engine.build(for: mediaType) }) {
            case .hit(let stored): run.results[index] = .success(stored)
            case .failure(let stored) where run.order.retriesTransientFailures && stored.failure.isTransient: break
            case .failure(let stored): run.results[index] = .failure(stored.failure)
            case .miss: break
            }
        }
    }

    /// Takes the facts from the cache.
    ///
    /// - Before: `key` is set, or there is nothing to look up yet.
    /// - After: the run is answered if the cache has all facts of the source.
    static func lookUpFacts(_ run: inout ThumbnailRun) -> Progress {
        guard let key = run.key, let kept = run.engine.cache?.facts(of: key), kept.facts.isWhole else {
            return .ongoing
        }
        run.facts = kept.facts
        run.placeholder = kept.placeholder
        return .answered(run.finished)
    }
}
