internal import Linux
internal import Media
internal import RenderHost
internal import ThumbnailCache

extension Pipeline {
    /// Takes the text of the part, or the failure to read it, from the cache.
    ///
    /// - Before: `key` is set, or there is nothing to look up yet.
    /// - After: the run is answered if the cache knows the text.
    static func lookUpText(_ run: inout ThumbnailRun) -> Progress {
        guard let cache = run.engine.cache, let key = run.key, !run.order.isForced else { return .ongoing }
        let (engine, part) = (run.engine, run.textPart!)
        switch cache.text(of: key, part, currentBuild: { engine.build(of: part.rendererClass) }) {
        case .text(.page(let page)) where page.awaitsRecognition: return .ongoing
        case .text(let text):
            run.text = .success(text)
            if case .page(let page) = text, run.furtherPageCount > 0 {
                run.furtherPages = Array(
                    cache.pages(of: key, from: page.pageIndex + 1, atMost: run.furtherPageCount)
                        .prefix { !$0.awaitsRecognition })
            }
        case .failure(let stored) where run.order.retriesTransientFailures && stored.failure.isTransient:
            return .ongoing
        case .failure(let stored): run.text = .failure(stored.failure)
        case nil: return .ongoing
        }
        return .answered(run.finished)
    }

    /// Reads the text of the part in its own child.
    ///
    /// - Before: `sniffed` is set.
    /// - After: `text` is the text, or a failure that belongs to the content.
    /// - Throws: `unsupported` if the source's type has no text.
    static func readText(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        let rendererClass = run.textPart!.rendererClass
        guard run.sniffed?.mediaType.textClass == rendererClass else {
            throw Failure(
                .unsupported, message: run.textPart!.refusal, detail: run.sniffed?.mediaType.rawValue ?? "")
        }
        do throws(Failure) {
            let begun = try run.takeEarlyRendering(of: [])
            let rendered = if let begun { begun } else { try run.perform([], by: rendererClass) }
            run.text = .success(try run.recognized(rendered.text!))
            // A page without words is recognised when it is requested itself.
            run.furtherPages = Array(rendered.furtherPages.prefix { !$0.awaitsRecognition })
        } catch {
            guard error.belongsToContent else { throw error }
            run.build = run.engine.build(of: rendererClass) ?? run.build
            run.text = .failure(error)
        }
        return .ongoing
    }

    /// Stores the text or failure. If the cache cannot be written, this is a warning.
    ///
    /// - Before: the source is unchanged, and `text` is set.
    /// - After: the cache has the text and the key.
    static func storeText(_ run: inout ThumbnailRun) -> Progress {
        let start = Time.monotonic
        defer { run.timings.add("store", Time.monotonic - start) }
        let (build, part) = (run.build, run.textPart!)
        if let cache = run.engine.cache, let key = run.key {
            let (text, further) = (run.text!, run.furtherPages)
            run.engine.warning { () throws(Failure) in
                switch text {
                case .success(.page(let page)): try cache.storeTexts([page] + further, for: key)
                case .success(let text): try cache.storeText(text, for: key)
                case .failure(let failure): try cache.storeTextFailure(failure, build: build, for: key, part)
                }
            }
        }
        return rememberKey(&run)
    }
}

extension TextPart {
    /// The class whose children read it.
    fileprivate var rendererClass: RendererClass {
        switch self {
        case .page: .pdf
        case .document: .text
        }
    }

    /// The sentence for people if a source has no such part.
    fileprivate var refusal: String {
        switch self {
        case .page: "Pages of text can be read from PDF files only."
        case .document: "Text can be read from PDF, Word, OpenDocument, RTF and text files only."
        }
    }
}
