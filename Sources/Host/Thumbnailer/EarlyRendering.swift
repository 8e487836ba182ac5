internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles
internal import Synchronization

/// A rendering that begins before its run knows enough. A child, which first recognises the source, makes one group's
/// pixels, or only the facts, as if the guessed media type were right.
///
/// It continues while the run hashes the source and waits for locks, and ends no later than the run.
final class EarlyRendering: Sendable {
    /// The recipes whose pixels are made, by their places in the order; empty for only the facts.
    let group: [Int]
    private let guess: MediaType
    private let recognition = Recognition()
    private let drawing = Promise<DrawnGroup?>()
    private let drawingCount = Atomic<Int>(0)
    private let cancellation = Cancellation()
    /// Ends the run's work, including this rendering.
    private let runsCancellation: Cancellation?
    private let thread = Mutex<WorkerThread?>(nil)
    private let rendering = Promise<(result: Result<RenderedSource, Failure>, duration: Duration)>()

    /// A child's pictures, before it has ended.
    struct DrawnGroup: Sendable {
        let bitmaps: [Bitmap]
        /// From the miniature after the others: computed while the run encodes these.
        let placeholder: Promise<String?>
    }

    /// `nil` if no thread is available.
    init?(
        _ group: [Int], task: RenderTask, by rendererClass: RendererClass, of source: SourceFile, on host: RenderHost
    ) {
        self.group = group
        guess = task.mediaType
        runsCancellation = task.cancellation
        var task = task
        task.cancellation = cancellation
        task.recognition = recognition
        if !group.isEmpty { task.drawn = { [self] in take($0) } }
        let work = task
        let started = try? WorkerThread(name: "early") { [self] in
            let start = Time.monotonic
            let result = Result { () throws(Failure) in
                try host.perform(work, on: source.descriptor, by: rendererClass)
            }
            drawing.fulfil(nil)
            rendering.fulfil((result, Time.monotonic - start))
        }
        guard let started else { return nil }
        thread.withLock { $0 = started }
        runsCancellation?.add(self) { [cancellation] in cancellation.cancel() }
    }

    /// Ends a rendering for which nobody waits any more; nothing of it runs when this returns. A complete rendering
    /// stays complete.
    func end() {
        cancellation.cancel()
        runsCancellation?.remove(self)
        thread.withLock { $0 }?.join()
    }

    private func take(_ bitmaps: [Bitmap]) {
        drawingCount.add(1, ordering: .relaxed)
        let placeholder = Promise<String?>()
        drawing.fulfil(DrawnGroup(bitmaps: bitmaps, placeholder: placeholder))
        placeholder.fulfil(bitmaps.last.map(ThumbHash.text))
    }

    /// The child's statement on what the source is; `nil` if it does not know.
    ///
    /// - Throws: `timedOut` or `cancelled` if the task ended this way before the child's statement: nobody waits twice.
    func recognized() throws(Failure) -> Facts? {
        _ = drawing.wait()
        if let facts = recognition.facts { return facts }
        let (result, _) = rendering.wait()
        if case .failure(let failure) = result, [.timedOut, .cancelled].contains(failure.code) { throw failure }
        return nil
    }

    /// The pictures as soon as they are drawn; `nil` if they arrive only with the child's end, or if the guess was
    /// wrong.
    ///
    /// They equal those of `rendered(for:)` if it is not a failure and `isDrawnOnce`.
    func drawn(for mediaType: MediaType) -> DrawnGroup? {
        let drawing = drawing.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? drawing : nil
    }

    /// Whether no child had to follow one that had already drawn. Known when `rendered(for:)` is.
    var isDrawnOnce: Bool { drawingCount.load(ordering: .relaxed) == 1 }

    /// The end of the rendering; `nil` if the guess was wrong, so that the child did not continue.
    func rendered(for mediaType: MediaType) -> (result: Result<RenderedSource, Failure>, duration: Duration)? {
        let result = rendering.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? result : nil
    }
}
