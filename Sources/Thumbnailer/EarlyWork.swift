internal import Encoding
internal import Linux
internal import Media
internal import RenderHost

/// What a run begins before it knows enough: one group's pixels, or the facts alone, made as if the guess at its type were
/// right, in a child that says first what the source is. It goes on while the run hashes the source and waits for locks.
final class EarlyWork: Sendable {
    /// Which of the order's recipes the pixels are for; none for the facts alone.
    let group: [Int]
    private let guess: MediaType
    private let recognition = Recognition()
    private let rendering = Promise<(result: Result<RenderedJob, Failure>, duration: Duration)>()
    private let hash = Promise<String?>()

    /// `nil` where no thread can be had.
    init?(_ group: [Int], job: Job, by rendererClass: RendererClass, of source: SourceFile, on host: RenderHost) {
        self.group = group
        guess = job.mediaType
        var job = job
        job.recognition = recognition
        let (rendering, hash, work) = (rendering, hash, job)
        let thread = try? WorkerThread(name: "early") {
            let start = Time.monotonic
            let result = Result { () throws(Failure) in
                try host.perform(work, on: source.descriptor, by: rendererClass)
            }
            rendering.fulfil((result, Time.monotonic - start))
            hash.fulfil((try? result.get())?.bitmaps.last.map(ThumbHash.text))
        }
        guard thread != nil else { return nil }
    }

    /// What the child says that the source is; `nil` where it does not know.
    ///
    /// - Throws: `timedOut` or `cancelled` where the job ended so before the child could tell: nobody waits twice.
    func recognized() throws(Failure) -> Facts? {
        let (result, _) = rendering.wait()
        if let facts = recognition.facts { return facts }
        if case .failure(let failure) = result, [.timedOut, .cancelled].contains(failure.code) { throw failure }
        return nil
    }

    /// The placeholder, from the miniature behind the pixels: computed while the run encodes the others.
    func placeholder() -> String? { hash.wait() }

    /// What was made; `nil` where the guess was not borne out, so that the child did not go on.
    func rendered(for mediaType: MediaType) -> (result: Result<RenderedJob, Failure>, duration: Duration)? {
        let result = rendering.wait()
        return recognition.facts != nil && guess.isRendered(like: mediaType) ? result : nil
    }
}
