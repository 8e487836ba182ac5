internal import CLinux
internal import Linux
internal import Media
internal import Wire

/// A task as it is tried: where each picture's pixels go, and what its end means.
struct Attempt {
    private let task: RenderTask
    private let targets: [RenderTarget]
    private let memoryByteCount: Int

    /// How a child ended, with what it left behind.
    struct Outcome {
        let end: PendingTask.End
        let isKilledForTime: Bool
        let answer: Result<RenderAnswer, Failure>?
        /// Where they were asked for, and the child came so far.
        let notes: RenderNotes?
        let pixels: Descriptor
    }

    /// Gives every picture a place that its largest possible rendition fits.
    static func plan(_ task: RenderTask) throws(Failure) -> Attempt {
        guard task.pictures.count <= Wire.longestList else {
            throw Failure(.usage, message: "At most \(Wire.longestList) renditions can be made at once.")
        }
        var targets: [RenderTarget] = []
        var offset = 0
        for picture in task.pictures {
            let byteCount = picture.box.bounds.pixelCount * 4
            targets.append(
                RenderTarget(
                    box: picture.box, fit: picture.fit, gravity: picture.gravity, enlarge: picture.enlarge,
                    offset: offset, byteCount: byteCount))
            // A page boundary each, so that no two renditions share a page of the sparse file.
            offset = (offset + byteCount + 4095) & ~4095
        }
        guard offset <= largestMemory else {
            throw Failure(
                .usage, message: "These renditions are too large to be made at once. Ask for fewer or smaller ones.")
        }
        return Attempt(task: task, targets: targets, memoryByteCount: max(offset, 4096))
    }

    /// The pixels of one task together, in bytes, at most: twice the largest rendition. They are shared memory, which no limit
    /// of a child counts.
    private static let largestMemory = 1 << 30

    /// A child that follows another need not look again what the source is.
    ///
    /// - Parameters:
    ///   - isOnly: whether the renderer need not outlive it.
    ///   - skipsShortcuts: whether the library alone reads the source, by one thread.
    func request(numbered taskID: UInt64, isOnly: Bool, skipsShortcuts: Bool) -> RenderRequest {
        let told = task.recognition?.facts?.mediaType
        let known = told.flatMap { $0.isRendered(like: task.mediaType) ? $0 : nil }
        return RenderRequest(
            taskID: taskID, mediaType: known ?? task.mediaType, recognizes: task.recognition != nil && known == nil,
            limits: task.limits, pageIndex: task.pageIndex, time: task.time,
            threadCount: skipsShortcuts ? 1 : task.threadCount, explains: task.explanation != nil, isOnly: isOnly,
            skipsShortcuts: skipsShortcuts, targets: targets)
    }

    /// Whether no other task is expected for the renderer.
    var isOnly: Bool { task.isOnly }

    /// Whether the first try already leaves out all that the second one does.
    var skipsShortcuts: Bool { task.skipsShortcuts }

    /// Whether nobody wants the task any more.
    var isCancelled: Bool { task.cancellation?.isCancelled == true }

    /// Runs the request in a child and waits until that was reaped, or killed for being late.
    func run(
        _ request: RenderRequest, source: Descriptor, on renderer: RendererProcess, until deadline: Duration
    ) throws(Failure) -> Outcome {
        do throws(SystemError) {
            let pixels = try MemoryFile.create(name: "pixels", byteCount: memoryByteCount)
            let (ours, pending) = try submit(request, source: source, pixels: pixels, to: renderer)
            // The socket's end as well, or whoever waits for the answer would wait for a child that never comes.
            task.cancellation?.add(pending) {
                pending.abandon()
                shutdown(ours.descriptor.number, Int32(SHUT_RDWR))
            }
            defer { task.cancellation?.remove(pending) }
            // Whoever wants the pictures early is told of them as soon as the answer is there.
            let early = task.drawn.map { drawn in
                let answer = hear(request, on: ours, until: deadline)
                if case .success(.rendered(_, let rendered)) = answer, MemoryFile.sealContent(of: pixels),
                    let bitmaps = try? bitmaps(rendered, in: pixels)
                {
                    drawn(bitmaps)
                }
                return answer
            }
            var end = pending.end.wait(until: deadline)
            let isLate = end == nil
            if isLate { end = stop(pending, of: renderer) }
            let answer = early ?? hear(request, on: ours, until: .zero)
            // Notes that make no sense are none: nothing depends on them.
            let notes: RenderNotes? = request.explains ? receive(from: ours) : nil
            return Outcome(end: end!, isKilledForTime: isLate, answer: answer, notes: notes, pixels: pixels)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// The renderer's end of the reply socket is not held here: its closing tells that nothing more comes.
    private func submit(
        _ request: RenderRequest, source: Descriptor, pixels: Descriptor, to renderer: RendererProcess
    ) throws(SystemError) -> (reply: MessageSocket, PendingTask) {
        let (ours, theirs) = try MessageSocket.pair()
        return (ours, renderer.submit(request, source: source, pixels: pixels, reply: theirs))
    }

    /// The child's answer, and before it what it says that the source is, as far as they come until `deadline`.
    private func hear(
        _ request: RenderRequest, on reply: MessageSocket, until deadline: Duration
    ) -> Result<RenderAnswer, Failure>? {
        if request.recognizes, let told: RenderRecognition = receive(from: reply, until: deadline) {
            task.recognition?.tell(told.facts)
        }
        guard (try? reply.waitForMessage(until: deadline)) == true else { return nil }
        return receiveAnswer(from: reply)
    }

    /// Ends a child in steps that always end: kill the child; if it does not go, kill the renderer over it.
    private func stop(_ pending: PendingTask, of renderer: RendererProcess) -> PendingTask.End {
        pending.kill()
        if let end = pending.end.wait(until: Time.monotonic + .seconds(1)) { return end }
        renderer.kill()
        return pending.end.wait(until: Time.monotonic + .seconds(1)) ?? .vanished
    }

    /// The child's answer, if it sent one.
    private func receiveAnswer(from socket: MessageSocket) -> Result<RenderAnswer, Failure>? {
        guard let message = try? socket.receive(limit: Wire.longestMessage, waits: false) else { return nil }
        do throws(WireError) {
            return .success(try RenderAnswer(parsing: message.bytes))
        } catch {
            return .failure(Failure(.crashed, detail: "the renderer's answer makes no sense: \(error.what)"))
        }
    }

    /// A message that an answer is worth something without.
    private func receive<Message: WireMessage>(from socket: MessageSocket, until deadline: Duration = .zero) -> Message?
    {
        guard (try? socket.waitForMessage(until: deadline)) == true else { return nil }
        guard let message = try? socket.receive(limit: Wire.longestMessage, waits: false) else { return nil }
        return try? Message(parsing: message.bytes)
    }

    /// Writes down what came of a try, where that was asked for.
    func explain(
        _ outcome: Outcome, of request: RenderRequest, by rendererClass: RendererClass, waited: Duration,
        started: Duration, ran: Duration
    ) {
        task.explanation?.add(
            Explanation.Child(
                outcome, of: request, by: rendererClass, waited: waited, started: started, ran: ran))
    }

    /// What the outcome of a child of this class means: the rendered task, or the failure that it amounts to; `nil` where
    /// the child left the file to its class's successor.
    func result(of outcome: Outcome, by rendererClass: RendererClass) throws(Failure) -> RenderedSource? {
        if outcome.isKilledForTime {
            throw Failure(
                .timedOut,
                message: "File took longer than \(task.limits.wallTime.components.seconds) s to open (see --timeout).",
                detail: "killed at its deadline")
        }
        let usage: ChildEnd
        switch outcome.end {
        case .vanished: throw Failure(.crashed, detail: RenderHost.rendererEndedDetail)
        case .refused(let reason): throw Failure(.unavailable, detail: reason)
        case .ended(let end): usage = end
        }
        switch usage.cause {
        case .signalled(let signal): throw failure(ofSignal: signal)
        case .forbiddenCall(let call): throw Failure(.sandboxed, detail: "system call \(call)")
        case .exited(let status):
            guard let answer = outcome.answer else {
                throw Failure(.crashed, detail: "the child left with status \(status) and no answer")
            }
            switch try answer.get() {
            case .failed(let failure): throw failure
            case .declined: return nil
            case .rendered(let facts, let pixels):
                return RenderedSource(
                    facts: facts, bitmaps: try bitmaps(pixels, in: outcome.pixels), usage: usage,
                    rendererClass: rendererClass)
            }
        }
    }

    private func failure(ofSignal signal: Int32) -> Failure {
        switch signal {
        case SIGSYS: Failure(.sandboxed, detail: "a forbidden system call")
        case SIGXCPU: Failure(.timedOut, detail: "over the processor time")
        default: Failure(.crashed, detail: "signal \(signal)")
        }
    }

    /// The pixels as pictures. Every number is checked against the box and the memory: the child may have been taken over.
    private func bitmaps(_ pixels: [RenderedPixels], in file: Descriptor) throws(Failure) -> [Bitmap] {
        guard pixels.count == targets.count else {
            throw Failure(.crashed, detail: "\(pixels.count) renditions for \(targets.count) targets")
        }
        if pixels.isEmpty { return [] }
        let mapping: Mapping
        do throws(SystemError) {
            mapping = try Mapping(of: file.number, byteCount: memoryByteCount, writable: false)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        var bitmaps: [Bitmap] = []
        for (pixels, target) in zip(pixels, targets) {
            let bounds = target.box.bounds
            guard pixels.width <= bounds.width, pixels.height <= bounds.height, pixels.byteCount <= target.byteCount
            else { throw Failure(.crashed, detail: "a rendition larger than its box") }
            let rows = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(mapping.bytes)[target.offset..<target.offset + pixels.byteCount])
            bitmaps.append(
                Bitmap(
                    over: rows, owner: mapping, width: pixels.width, height: pixels.height,
                    bytesPerRow: pixels.width * pixels.channels, channels: pixels.channels))
        }
        return bitmaps
    }
}
