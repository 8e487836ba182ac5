internal import Encoding
internal import Linux
internal import Media
internal import RenderHost
internal import Synchronization

/// What a run begins before it knows enough: one group's pixels, or the facts alone, made as if the guess at its type were
/// right, in a child that says first what the source is. It goes on while the run hashes the source and waits for locks, and
/// ends with the run at the latest.
final class EarlyWork: Sendable {
    /// Which of the order's recipes the pixels are for; none for the facts alone.
    let group: [Int]
    private let guess: MediaType
    private let recognition = Recognition()
    private let drawing = Promise<Drawing?>()
    private let drawingCount = Atomic<Int>(0)
    private let cancellation = Cancellation()
    /// What ends the run's work, this one with it.
    private let runsCancellation: Cancellation?
    private let thread = Mutex<WorkerThread?>(nil)
    private let rendering = Promise<(result: Result<RenderedSource, Failure>, duration: Duration)>()

    /// What a child has drawn, before it has ended.
    struct Drawing: Sendable {
        let bitmaps: [Bitmap]
        /// From the miniature behind the others: computed while the run encodes these.
        let placeholder: Promise<String?>
    }

    /// `nil` where no thread can be had.
    init?(_ group: [Int], task: RenderTask, by rendererClass: RendererClass, of source: SourceFile, on host: RenderHost)
    {
        self.group = group
        guess = task.mediaType
        runsCancellation = task.cancellation
        var task = task
        task.cancellation = cancellation
        task.recognition = recognition
        if !group.isEmpty { task.drawn = { [self] in look(at: $0) } }
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

    /// Ends what nobody waits for any more; nothing of it runs when this returns. What has come to its end is not affected.
    func end() {
        cancellation.cancel()
        runsCancellation?.remove(self)
        thread.withLock { $0 }?.join()
    }

    private func look(at bitmaps: [Bitmap]) {
        drawingCount.add(1, ordering: .relaxed)
        let placeholder = Promise<String?>()
        drawing.fulfil(Drawing(bitmaps: bitmaps, placeholder: placeholder))
        placeholder.fulfil(bitmaps.last.map(ThumbHash.text))
    }

    /// What the child says that the source is; `nil` where it does not know.
    ///
    /// - Throws: `timedOut` or `cancelled` where the task ended so before the child could tell: nobody waits twice.
    func recognized() throws(Failure) -> Facts? {
        _ = drawing.wait()
        if let facts = recognition.facts { return facts }
        let (result, _) = rendering.wait()
        if case .failure(let failure) = result, [.timedOut, .cancelled].contains(failure.code) { throw failure }
        return nil
    }

    /// What was drawn, as soon as it is; `nil` where that is only known at the end, or the guess was not borne out. It is what
    /// `rendered` gives where that is no failure and `isDrawnOnce`.
    func drawn(for mediaType: MediaType) -> Drawing? {
        let drawing = drawing.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? drawing : nil
    }

    /// Whether no child had to follow one that had drawn already. Known with `rendered`.
    var isDrawnOnce: Bool { drawingCount.load(ordering: .relaxed) == 1 }

    /// What was made; `nil` where the guess was not borne out, so that the child did not go on.
    func rendered(for mediaType: MediaType) -> (result: Result<RenderedSource, Failure>, duration: Duration)? {
        let result = rendering.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? result : nil
    }
}
