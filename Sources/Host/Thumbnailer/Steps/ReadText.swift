internal import Linux
internal import Media
internal import RenderHost
internal import ThumbnailCache

extension Pipeline {
    /// Takes the page's text, or the failure to read it, from the cache.
    ///
    /// - Before: `key` is set, or there is nothing to look up yet.
    /// - After: the run is answered where the cache knows the text.
    static func lookUpText(_ run: inout ThumbnailRun) -> Progress {
        guard let cache = run.engine.cache, let key = run.key, !run.order.isForced else { return .ongoing }
        let engine = run.engine
        switch cache.text(of: key, page: run.textPageIndex!, currentBuild: { engine.build(for: .pdf) }) {
        case .text(let text): run.text = .success(text)
        case .failure(let stored) where run.order.retriesTransientFailures && stored.failure.isTransient:
            return .ongoing
        case .failure(let stored): run.text = .failure(stored.failure)
        case nil: return .ongoing
        }
        return .answered(run.finished)
    }

    /// Reads the page's text in a child of its own.
    ///
    /// - Before: `sniffed` is set.
    /// - After: `text` is the text, or a failure that belongs to the content.
    /// - Throws: `unsupported` where the source is of a type without text.
    static func readText(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        guard let rendererClass = run.sniffed?.mediaType.rendererClass, run.sniffed?.kind == .pdf else {
            throw Failure(
                .unsupported, message: "Text can be read from PDF files only.",
                detail: run.sniffed?.mediaType.rawValue ?? "")
        }
        do throws(Failure) {
            let begun = try run.takeEarlyRendering(of: [])
            let rendered = if let begun { begun } else { try run.perform([], by: rendererClass) }
            run.text = .success(rendered.text!)
        } catch {
            guard error.belongsToContent else { throw error }
            run.build = run.engine.build(of: rendererClass) ?? run.build
            run.text = .failure(error)
        }
        return .ongoing
    }

    /// Stores the text or failure. A cache that cannot be written is a warning.
    ///
    /// - Before: the source is unchanged, and `text` is set.
    /// - After: the cache has the text and the key.
    static func storeText(_ run: inout ThumbnailRun) -> Progress {
        let start = Time.monotonic
        defer { run.timings.add("store", Time.monotonic - start) }
        let (build, page) = (run.build, run.textPageIndex!)
        if let cache = run.engine.cache, let key = run.key {
            let text = run.text!
            run.engine.warning { () throws(Failure) in
                switch text {
                case .success(let text): try cache.storeText(text, for: key)
                case .failure(let failure): try cache.storeTextFailure(failure, build: build, for: key, page: page)
                }
            }
        }
        return rememberKey(&run)
    }
}
