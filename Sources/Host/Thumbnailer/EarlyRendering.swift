internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles
internal import Synchronization

/// A rendering that begins before its run knows enough: one group's pixels, or the facts alone, made as if the guess at the
/// media type were right, in a child that recognises the source first.
///
/// It goes on while the run hashes the source and waits for locks, and ends with the run at the latest.
final class EarlyRendering: Sendable {
    /// The recipes whose pixels are made, by their places in the order; none for the facts alone.
    let group: [Int]
    private let guess: MediaType
    private let recognition = Recognition()
    private let drawing = Promise<DrawnGroup?>()
    private let drawingCount = Atomic<Int>(0)
    private let cancellation = Cancellation()
    /// Ends the run's work, this rendering with it.
    private let runsCancellation: Cancellation?
    private let thread = Mutex<WorkerThread?>(nil)
    private let rendering = Promise<(result: Result<RenderedSource, Failure>, duration: Duration)>()

    /// A child's pictures, before it has ended.
    struct DrawnGroup: Sendable {
        let bitmaps: [Bitmap]
        /// From the miniature behind the others: computed while the run encodes these.
        let placeholder: Promise<String?>
    }

    /// `nil` where no thread can be had.
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

    /// Ends a rendering that nobody waits for any more; nothing of it runs when this returns. One that is complete stays so.
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

    /// The child's word on what the source is; `nil` where it does not know.
    ///
    /// - Throws: `timedOut` or `cancelled` where the task ended so before the child could tell: nobody waits twice.
    func recognized() throws(Failure) -> Facts? {
        _ = drawing.wait()
        if let facts = recognition.facts { return facts }
        let (result, _) = rendering.wait()
        if case .failure(let failure) = result, [.timedOut, .cancelled].contains(failure.code) { throw failure }
        return nil
    }

    /// The pictures as soon as they are drawn; `nil` where they come with the child's end alone, or the guess was wrong.
    ///
    /// They are those of `rendered(for:)`, where that is no failure and `isDrawnOnce`.
    func drawn(for mediaType: MediaType) -> DrawnGroup? {
        let drawing = drawing.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? drawing : nil
    }

    /// Whether no child had to follow one that had drawn already. Known with `rendered(for:)`.
    var isDrawnOnce: Bool { drawingCount.load(ordering: .relaxed) == 1 }

    /// The end of the rendering; `nil` where the guess was wrong, so that the child did not go on.
    func rendered(for mediaType: MediaType) -> (result: Result<RenderedSource, Failure>, duration: Duration)? {
        let result = rendering.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? result : nil
    }
}
