internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache

extension Pipeline {
    /// Stores renditions, failures and facts. If the cache cannot be written, this is a warning: the renditions are
    /// returned all the same.
    ///
    /// - Before: the source is unchanged; each recipe has a result or a rendition in `made`.
    /// - After: each recipe has its result, and the cache has renditions, failures, facts and key.
    static func store(_ run: inout ThumbnailRun) -> Progress {
        let start = Time.monotonic
        defer { run.timings.add("store", Time.monotonic - start) }
        for (index, rendition) in run.made {
            run.results[index] = .success(run.stored(rendition, recipe: run.order.recipes[index]))
        }
        run.storeFailuresAndFacts()
        return rememberKey(&run)
    }

    /// Lets the next call find the source's key without reading the source.
    ///
    /// - Before: the source is unchanged.
    /// - After: the stat index has the key, unless the file is remote, or somebody is writing to it now: its times may
    ///   stay unchanged.
    @discardableResult
    static func rememberKey(_ run: inout ThumbnailRun) -> Progress {
        let source = run.source
        guard let cache = run.engine.cache, let key = run.key, source.ranged == nil,
            source.file.writers(source.status) != .somebodyNow
        else { return .ongoing }
        run.engine.warning { () throws(Failure) in
            try cache.statIndex.remember(key, for: source.status, readingBegan: source.opened)
        }
        return .ongoing
    }

    /// Ends the run.
    ///
    /// - Before: each recipe has its result.
    /// - After: the run is answered.
    static func answer(_ run: inout ThumbnailRun) -> Progress { .answered(run.finished) }
}

extension ThumbnailRun {
    fileprivate func stored(_ rendition: Rendition, recipe: Recipe) -> StoredRendition {
        var kept: StoredRendition?
        if let cache = engine.cache, let key {
            engine.warning { () throws(Failure) in kept = try cache.store(rendition, for: key, recipe: recipe) }
        }
        return kept ?? StoredRendition(rendition: rendition, path: nil)
    }

    fileprivate func storeFailuresAndFacts() {
        guard let cache = engine.cache, let key else { return }
        engine.warning { () throws(Failure) in
            for (index, result) in results.enumerated() {
                guard case .failure(let failure) = result else { continue }
                try cache.storeFailure(failure, build: build, for: key, recipe: order.recipes[index])
            }
            if let facts = facts?.ofTheSource(pageIndex: order.recipes.first?.pageIndex ?? 0) {
                let stored = StoredFacts(facts: facts, placeholder: placeholder, build: build)
                try cache.storeFacts(stored, for: key)
            }
        }
    }
}

extension Facts {
    /// The facts without those that belong to one page or one time.
    fileprivate func ofTheSource(pageIndex: Int) -> Facts {
        var facts = self
        facts.poster = nil
        if pageIndex > 0 {
            facts.pageWidth = nil
            facts.pageHeight = nil
            facts.isBlank = nil
        }
        return facts
    }

    /// Whether nothing was left out when they were stored.
    var isWhole: Bool { kind != .pdf || pageWidth != nil }
}
