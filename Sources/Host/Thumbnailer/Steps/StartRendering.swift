internal import Media
internal import RenderHost
internal import SourceFiles

extension Pipeline {
    /// Begins to render as if the guessed media type were right: the first group's pixels, the page's text, or the
    /// facts if there is neither.
    ///
    /// - Before: nobody can change the source, and a lock is held if there is a cache.
    /// - After: `early` renders, unless the guess allows nothing.
    static func startRendering(_ run: inout ThumbnailRun) -> Progress {
        guard run.early == nil, run.source.byteCount > 0 else { return .ongoing }
        // Drawings are texts, and only the sniffer can identify a text.
        guard let guess = run.guess, guess != .svg, let rendererClass = guess.rendererClass else { return .ongoing }
        if let part = run.textPart, part == .document || guess != .pdf { return .ongoing }
        let group = run.groups.first ?? []
        run.early = EarlyRendering(
            group, task: run.task(of: group, mediaType: guess), by: rendererClass, of: run.source,
            on: run.engine.host)
        return .ongoing
    }
}

extension ThumbnailRun {
    /// The work for a group: the recipes' pictures, followed by the whole picture in miniature for the placeholder. For
    /// an empty group, the text or the facts.
    func task(of group: [Int], mediaType: MediaType) -> RenderTask {
        let recipes = group.map { order.recipes[$0] }
        guard let first = recipes.first else {
            var task = RenderTask(
                mediaType: mediaType, limits: engine.limits, pageIndex: textPart?.pageIndex ?? 0,
                explanation: order.explanation, cancellation: order.cancellation, isOnly: engine.isForOneSource)
            task.readsText = textPart != nil
            task.furtherPageCount = furtherPageCount
            task.rangedSource = source.ranged
            return task
        }
        let gravity: Gravity = mediaType.kind == .pdf ? .top : .centre
        var pictures = recipes.map {
            RenderTask.Picture(box: $0.box, fit: $0.fit, gravity: gravity, enlarge: $0.enlarge)
        }
        pictures.append(RenderTask.Picture(box: Self.placeholderBox, fit: .inside, gravity: .centre, enlarge: false))
        var task = RenderTask(
            mediaType: mediaType, limits: engine.limits, pageIndex: first.pageIndex, time: first.time,
            threadCount: order.threadCount ?? engine.threadCount, explanation: order.explanation, pictures: pictures,
            cancellation: order.cancellation, isOnly: engine.isForOneSource && groups.count <= 1)
        task.rangedSource = source.ranged
        return task
    }

    /// ThumbHash takes pictures of at most 100 × 100.
    private static let placeholderBox = Box(width: 100, height: 100)!
}

extension TextPart {
    /// The page, from 0; `nil` for a whole document.
    fileprivate var pageIndex: Int? { if case .page(let index) = self { index } else { nil } }
}
