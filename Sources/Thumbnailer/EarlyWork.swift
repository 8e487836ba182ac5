internal import Linux
internal import Media
internal import RenderHost

/// What a run begins before it knows enough: the sniffer's look at the source, and one group's pixels, made as if the
/// guess at its type were right. Both go on while the run hashes the source and waits for locks.
final class EarlyWork: Sendable {
    /// A result, and how long it took.
    typealias Timed<Value> = (result: Result<Value, Failure>, duration: Duration)

    /// Which of the order's recipes the pixels are for.
    let group: [Int]
    private let guess: MediaType
    private let sniffing = Promise<Timed<Facts>>()
    private let rendering = Promise<Timed<RenderedJob>>()

    /// `nil` where no threads can be had.
    init?(_ group: [Int], job: Job, by rendererClass: RendererClass, of source: SourceFile, on host: RenderHost) {
        self.group = group
        guess = job.mediaType
        let (sniffing, rendering) = (sniffing, rendering)
        let (limits, explanation, cancellation) = (job.limits, job.explanation, job.cancellation)
        let sniffer = try? WorkerThread(name: "sniff") {
            sniffing.fulfil(
                Self.timed { () throws(Failure) in
                    try host.sniff(
                        source.descriptor, limits: limits, explanation: explanation, cancellation: cancellation)
                })
        }
        guard sniffer != nil else { return nil }
        let renderer = try? WorkerThread(name: "early") {
            rendering.fulfil(
                Self.timed { () throws(Failure) in
                    try host.perform(job, on: source.descriptor, by: rendererClass)
                })
        }
        guard renderer != nil else { return nil }
    }

    /// The sniffer's word.
    func sniffed() -> Timed<Facts> { sniffing.wait() }

    /// The group's pixels; `nil` where the guess was wrong.
    func rendered(for mediaType: MediaType) -> Timed<RenderedJob>? {
        guess.isRendered(like: mediaType) ? rendering.wait() : nil
    }

    private static func timed<Value>(_ body: () throws(Failure) -> Value) -> Timed<Value> {
        let start = Time.monotonic
        let result = Result(catching: body)
        return (result, Time.monotonic - start)
    }
}
