internal import CLinux
internal import Formats
internal import Linux
internal import Media
internal import Wire

/// The life of a child: confine itself, decode one file, answer, end.
enum ChildLife {
    /// The numbers of a task's descriptors in a child. The first replaces the control socket, so that the child can
    /// never receive another task's descriptors.
    private static let sourceNumber: Int32 = 3
    private static let pixelsNumber: Int32 = 4
    private static let replyNumber: Int32 = 5
    /// Only for a source that lies elsewhere.
    private static let windowNumber: Int32 = 6

    /// Performs the task and leaves the process without running the parent's exit handlers.
    static func run(
        _ request: RenderRequest, descriptors: [Int32], under parent: pid_t, in confinement: Confinement,
        note: ForbiddenCallNote, with library: some Renderer, recognizing recognizer: Recognizer
    ) -> Never {
        let notebook = request.explains ? Notebook(since: Time.monotonic) : nil
        let memory: Result<Mapping?, SystemError>
        do throws(SystemError) {
            var beginning = try confinement.leaveFileSystem(endingWith: parent)
            settle(descriptors)
            // Before the filter, which forbids shared mappings.
            memory = Result { () throws(SystemError) in try pixelMemory(of: request) }
            beginning.pixelByteCount = request.pixelByteCount
            beginning.sourceByteCount = sourceByteCount
            try LackOfMemory.answer(on: replyNumber)
            try confinement.narrow(to: request.limits, since: beginning, note: note)
        } catch {
            // A child never continues unconfined: the host sees that it exited without an answer.
            _exit(1)
        }
        notebook?.finish(.confine)
        let reply = MessageSocket(Descriptor(owning: replyNumber))
        do throws(SystemError) {
            // The call consumes the mapping: the host cannot seal pixels that a process could still write to.
            let answer = try answer(
                to: request, in: consume memory, with: library, recognizing: recognizer, notebook, reply)
            try reply.send(answer.bytes)
            if let notebook { try reply.send(notebook.notes.bytes) }
            _exit(0)
        } catch {
            // The host sees that the child exited without an answer.
            _exit(1)
        }
    }

    /// Moves the task's descriptors to their numbers and closes all higher ones.
    private static func settle(_ descriptors: [Int32]) {
        // In two steps: the present number of one may be the target of another.
        let high = descriptors.map { clinux_fcntl($0, F_DUPFD_CLOEXEC, 64) }
        let numbers = [sourceNumber, pixelsNumber, replyNumber, windowNumber].prefix(high.count)
        for (from, to) in zip(high, numbers) {
            guard from >= 0, dup2(from, to) == to else { _exit(1) }
        }
        guard clinux_close_from(numbers.last! + 1) == 0 else { _exit(1) }
    }

    private static func answer(
        to request: RenderRequest, in memory: consuming Result<Mapping?, SystemError>, with library: some Renderer,
        recognizing recognizer: Recognizer, _ notebook: Notebook?, _ reply: borrowing MessageSocket
    ) throws(SystemError) -> RenderAnswer {
        let source: Source
        let pixels: Mapping?
        do throws(SystemError) {
            source = try openSource(of: request)
            pixels = try memory.get()
        } catch {
            if request.recognizes { try reply.send(RenderRecognition(nil).bytes) }
            return .failed(Failure(.unavailable, detail: "\(error)"))
        }
        var request = request
        if request.recognizes {
            let result = Result { () throws(Failure) in try recognizer(source) }
            let recognized = (try? result.get()) ?? nil
            // Sent before the library sees a byte: a file that later takes over the child cannot change it.
            try reply.send(RenderRecognition(recognized?.facts).bytes)
            if case .failure(let failure) = result { return .failed(failure) }
            guard let recognized, recognized.facts.mediaType.isRendered(like: request.mediaType) else {
                return .failed(Failure(.unsupported, detail: "not \(request.mediaType.rawValue)"))
            }
            request.mediaType = recognized.facts.mediaType
            notebook?.write(.type, recognized.text)
            notebook?.finish(.recognize)
        }
        do throws(Failure) {
            return try library.render(
                RenderJob(request: request, source: source, memory: pixels, notebook: notebook))
        } catch {
            return .failed(error)
        }
    }

    private static func openSource(of request: RenderRequest) throws(SystemError) -> Source {
        let file = Descriptor(owning: sourceNumber)
        guard request.hasWindow else { return try Source(file) }
        let socket = MessageSocket(Descriptor(owning: windowNumber))
        return try Source(file, window: HostWindow(socket, byteCount: try file.status().byteCount))
    }

    private static var sourceByteCount: UInt64 {
        var status = stat()
        return fstat(sourceNumber, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }

    /// Maps the pixels and closes their file.
    private static func pixelMemory(of request: RenderRequest) throws(SystemError) -> Mapping? {
        let file = Descriptor(owning: pixelsNumber)
        let byteCount = Int(request.pixelByteCount)
        return byteCount > 0 ? try Mapping(of: file.number, byteCount: byteCount, writable: true) : nil
    }
}

extension RenderRequest {
    fileprivate var pixelByteCount: UInt64 {
        UInt64(max(textByteCount, targets.map { $0.offset + $0.byteCount }.max() ?? 0))
    }
}
