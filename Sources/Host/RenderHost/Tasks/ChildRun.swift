internal import CLinux
internal import Linux
internal import Media
internal import Wire

/// One request in one child: sent, listened to, and ended at its deadline.
///
/// The time in which remote bytes of a source arrive does not count: the source has its own limit for that.
struct ChildRun {
    let task: RenderTask
    let request: RenderRequest
    let pixels: PixelPlan
    /// How long bytes of the source were waited for before this run.
    private let waitedBefore: Duration

    init(task: RenderTask, request: RenderRequest, pixels: PixelPlan) {
        self.task = task
        self.request = request
        self.pixels = pixels
        waitedBefore = task.rangedSource?.waited ?? .zero
    }

    /// Runs the request and waits until the child is reaped, or killed at its deadline.
    func run(
        on source: Descriptor, by renderer: RendererProcess, until deadline: Duration
    ) throws(Failure) -> ChildOutcome {
        do throws(SystemError) {
            let file = try MemoryFile.create(name: "pixels", byteCount: pixels.byteCount)
            let (reply, pending) = try submit(source, pixels: file, to: renderer)
            // Closes the socket too: otherwise a thread that waits for the answer would wait for a child that never
            // comes.
            task.cancellation?.add(pending) {
                pending.abandon()
                shutdown(reply.descriptor.number, Int32(SHUT_RDWR))
            }
            defer { task.cancellation?.remove(pending) }
            let earlyAnswer = task.drawn.map { hear(on: reply, until: deadline, passingPixels: file, to: $0) }
            var end = patiently(until: deadline) { pending.end.wait(until: $0) }
            let isLate = end == nil
            if isLate { end = stop(pending, of: renderer) }
            let answer = earlyAnswer ?? hear(on: reply, until: .zero)
            // Unreadable notes are dropped: nothing depends on them.
            let notes: RenderNotes? = request.explains ? receive(from: reply) : nil
            return ChildOutcome(end: end!, isKilledForTime: isLate, answer: answer, notes: notes, pixels: file)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// The renderer's end of the reply socket is not held here: its closing shows that nothing more comes.
    private func submit(
        _ source: Descriptor, pixels: Descriptor, to renderer: RendererProcess
    ) throws(SystemError) -> (reply: MessageSocket, PendingTask) {
        let (ours, theirs) = try MessageSocket.pair()
        let window: MessageSocket? =
            if let source = task.rangedSource { try WindowService.start(over: source) } else { nil }
        return (ours, renderer.submit(request, source: source, pixels: pixels, reply: theirs, window: window))
    }

    /// Waits until the deadline, extended by the time for which bytes of the source are waited for.
    private func patiently<Value>(until deadline: Duration, _ body: (Duration) -> Value?) -> Value? {
        var limit = deadline
        while true {
            if let value = body(limit) { return value }
            guard let source = task.rangedSource, deadline > .zero else { return nil }
            let later = deadline + source.waited - waitedBefore
            guard later > limit else { return nil }
            limit = later
        }
    }

    private func hasMessage(_ socket: MessageSocket, until deadline: Duration) -> Bool {
        patiently(until: deadline) { limit -> Bool? in
            guard let isThere = try? socket.waitForMessage(until: limit) else { return false }
            return isThere ? true : nil
        } ?? false
    }

    /// The child's answer, if it arrives before `deadline`, and before it the child's recognition of the source.
    private func hear(on reply: MessageSocket, until deadline: Duration) -> Result<RenderAnswer, Failure>? {
        if request.recognizes, let told: RenderRecognition = receive(from: reply, until: deadline) {
            task.recognition?.tell(told.facts)
        }
        guard hasMessage(reply, until: deadline) else { return nil }
        return receiveAnswer(from: reply)
    }

    /// The same; passes the pictures on as soon as the answer has arrived and nobody can write to them any more.
    private func hear(
        on reply: MessageSocket, until deadline: Duration, passingPixels file: Descriptor,
        to drawn: @Sendable ([Bitmap]) -> Void
    ) -> Result<RenderAnswer, Failure>? {
        let answer = hear(on: reply, until: deadline)
        if case .success(.rendered(_, let rendered)) = answer, task.rangedSource?.failure == nil,
            MemoryFile.sealContent(of: file),
            let bitmaps = try? pixels.bitmaps(rendered, in: file)
        {
            drawn(bitmaps)
        }
        return answer
    }

    /// Ends a child in steps that always end: kill the child; if it does not exit, kill its renderer.
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
            return .failure(Failure(.crashed, detail: "the renderer's answer is malformed: \(error.what)"))
        }
    }

    /// A message on which the answer does not depend.
    private func receive<Message: WireMessage>(from socket: MessageSocket, until deadline: Duration = .zero) -> Message?
    {
        guard hasMessage(socket, until: deadline) else { return nil }
        guard let message = try? socket.receive(limit: Wire.longestMessage, waits: false) else { return nil }
        return try? Message(parsing: message.bytes)
    }
}
