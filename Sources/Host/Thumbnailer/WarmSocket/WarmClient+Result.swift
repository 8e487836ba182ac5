internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache
internal import Wire

// From the other process's answer to renditions.
extension WarmClient {
    /// The answer with the renditions' bytes from the cache, verified as for any cached answer.
    func finished(
        _ result: WarmResult, of source: SourceFile, _ order: Order, _ engine: Thumbnailer, since start: Duration
    ) throws(WarmRefusal) -> Thumbnails {
        guard result.failures.count == order.recipes.count, let cache = engine.cache else {
            throw .alone("its answer is for another request", again: .never)
        }
        let key = result.digest.map(SourceKey.digest) ?? .local(StatKey(of: source.status))
        var results: [Result<StoredRendition, Failure>] = []
        for (recipe, failure) in zip(order.recipes, result.failures) {
            if let failure {
                results.append(.failure(failure))
            } else if case .hit(let stored) = cache.lookup(key, recipe: recipe, currentBuild: { nil }) {
                results.append(.success(stored))
            } else {
                throw .alone("what it made is not in the cache", again: .afterPause)
            }
        }
        noteLayers(result.missingLayers)
        tell("made by a running thumbd\(result.isCached ? ", which had it cached by then" : "")", of: source, order)
        return Thumbnails(
            recipes: order.recipes, results: results, digest: result.digest, facts: result.facts,
            placeholder: result.placeholder, isCached: result.isCached, isWarm: true,
            peakByteCount: result.peakByteCount, timings: timings(result, since: start))
    }

    /// The other process's steps, and the round-trip time.
    private func timings(_ result: WarmResult, since start: Duration) -> Timings {
        var timings = Timings()
        for step in result.steps { timings.add(step.name, .nanoseconds(Int64(step.duration))) }
        timings.add("socket", max(.zero, Time.monotonic - start - .nanoseconds(Int64(result.duration))))
        return timings
    }
}
