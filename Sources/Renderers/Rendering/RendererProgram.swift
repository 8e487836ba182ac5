internal import CLinux
public import Formats
internal import Linux
public import Media
internal import Wire

/// A renderer's whole life: warm up, then fork a confined child for every request until the host exits.
///
/// The process stays single-threaded, so that a fork copies no held lock. It opens no media: it passes descriptors to
/// the child and closes them at once.
public struct RendererProgram<Library: Renderer> {
    private let control: MessageSocket
    private let host: pid_t
    private let confinement: Confinement
    private var library: Library
    private let recognizer: Recognizer
    private var children: [Child] = []

    private struct Child {
        let taskID: UInt64
        let processID: pid_t
        let handle: Descriptor
        let note: ForbiddenCallNote
    }

    /// Runs the program: the entry point of every renderer's `main.swift`.
    ///
    /// `RenderHost` passes the class and the host's process id as arguments. If started by hand, the program prints its
    /// purpose.
    ///
    /// - Parameter recognizer: recognises a source's type if the host asks for it.
    public static func main(
        serving classes: [RendererClass], recognizing recognizer: @escaping Recognizer = { _ in nil }
    ) -> Never {
        main(serving: classes, recognizing: recognizer, confinedBy: .all)
    }

    /// Runs the program with some layers left out: tests of the confinement prove that they detect a missing layer.
    package static func main(
        serving classes: [RendererClass], recognizing recognizer: @escaping Recognizer = { _ in nil },
        confinedBy layers: ConfinementLayers
    ) -> Never {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let host = pid_t(arguments[2]),
            let rendererClass = classes.first(where: { $0.name == arguments[1] }),
            fcntlIsSocket(controlDescriptor)
        else {
            print("This program opens media for compass, which starts it; it does nothing by itself.")
            exit(2)
        }
        clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL), 0, 0, 0)
        // The host may have died before the line above.
        if getppid() != host { exit(0) }
        let control = MessageSocket(Descriptor(owning: controlDescriptor))
        // glibc looks for the time zone's file once per process: here, not in a child.
        tzset()
        do throws(Failure) {
            let library = try Library(as: rendererClass)
            let confinement = try Confinement(of: rendererClass, by: layers)
            var program = RendererProgram(
                control: control, host: host, confinement: confinement, library: library, recognizer: recognizer)
            program.serve()
            exit(0)
        } catch {
            // The host passes on the text as the reason why this renderer never became ready.
            try? control.send(RendererReport.refused(taskID: 0, reason: error.description).bytes)
            exit(1)
        }
    }

    /// The number that the host gives the control socket.
    private static var controlDescriptor: Int32 { 3 }

    private static func fcntlIsSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & UInt32(S_IFMT) == UInt32(S_IFSOCK)
    }

    /// Serves until the control socket closes, then ends the children that still run.
    private mutating func serve() {
        report(.ready(build: library.build, notes: confinement.notes))
        var isWarm = false
        var hasServed = false
        func warm() {
            guard !isWarm else { return }
            library.warm()
            isWarm = true
        }
        while true {
            let (hasRequest, endedChildren) = waitForWork(atMost: isWarm || !children.isEmpty ? -1 : Self.patience)
            for index in endedChildren.reversed() { reap(at: index) }
            guard hasRequest else {
                if endedChildren.isEmpty { warm() }
                continue
            }
            guard let message = try? control.receive(limit: Wire.longestMessage) else { break }
            // A host of another version: this exit tells it sooner than its clock would that it gets no answer here.
            guard let request = try? RenderRequest(parsing: message.bytes) else { exit(1) }
            // Only later tasks benefit from warming, so the first does not wait for it. Reading text does not benefit.
            if hasServed && request.textByteCount == 0 { warm() }
            start(request, message)
            hasServed = true
        }
        for child in children { clinux_pidfd_kill(child.handle.number, SIGKILL) }
    }

    /// How long an idle renderer waits before it warms up, in milliseconds: by then, a task sent at its start has
    /// arrived.
    private static var patience: Int32 { 20 }

    /// Waits until a request arrives, a child exits, or the time limit passes.
    private func waitForWork(atMost milliseconds: Int32) -> (hasRequest: Bool, endedChildren: [Int]) {
        var waits = [pollfd(fd: control.descriptor.number, events: Int16(POLLIN), revents: 0)]
        waits += children.map { pollfd(fd: $0.handle.number, events: Int16(POLLIN), revents: 0) }
        while poll(&waits, nfds_t(waits.count), milliseconds) < 0 {}
        return (waits[0].revents != 0, waits.indices.dropFirst().filter { waits[$0].revents != 0 }.map { $0 - 1 })
    }

    private func report(_ report: RendererReport, descriptors: [Int32] = []) {
        // If the host is gone, the control socket's end shows it.
        try? control.send(report.bytes, descriptors: descriptors)
    }

    /// Forks a child for one request, or becomes the child if the request is the only one. The renderer's copies of its
    /// descriptors close with `message`.
    private mutating func start(_ request: RenderRequest, _ message: MessageSocket.Message) {
        let expected = request.hasWindow ? 4 : 3
        guard message.descriptors.count == expected else {
            return report(.refused(taskID: request.taskID, reason: "the request comes with \(expected) descriptors"))
        }
        library.prepare(for: request.mediaType)
        guard let note = try? ForbiddenCallNote() else {
            return report(.refused(taskID: request.taskID, reason: SystemError.last("mmap").description))
        }
        let renderer = getpid()
        let isForked = !request.isOnly || !children.isEmpty
        let child = isForked ? clinux_fork() : renderer
        if child == 0 { run(request, message, under: renderer, note) }
        let handle = child > 0 ? clinux_pidfd_open(child) : -1
        guard handle >= 0 else {
            let reason = SystemError.last(child > 0 ? "pidfd_open" : "fork").description
            if isForked, child > 0 {
                kill(child, SIGKILL)
                waitpid(child, nil, 0)
            }
            return report(.refused(taskID: request.taskID, reason: reason))
        }
        if !isForked {
            report(.started(taskID: request.taskID), descriptors: [handle])
            run(request, message, under: host, note)
        }
        children.append(
            Child(taskID: request.taskID, processID: child, handle: Descriptor(owning: handle), note: note))
        report(.started(taskID: request.taskID), descriptors: [handle])
    }

    /// The child's part of `start`.
    private mutating func run(
        _ request: RenderRequest, _ message: borrowing MessageSocket.Message, under parent: pid_t,
        _ note: ForbiddenCallNote
    ) -> Never {
        // Unmaps the notes of other tasks, which are shared memory.
        children = []
        ChildLife.run(
            request, descriptors: message.descriptors.map(\.number), under: parent, in: confinement, note: note,
            with: library, recognizing: recognizer)
    }

    private mutating func reap(at index: Int) {
        let child = children.remove(at: index)
        let processEnd = ProcessEnd(reaping: child.processID)
        var end = ChildEnd(
            signal: processEnd.signal, status: processEnd.status, processorTime: processEnd.processorTime,
            peakByteCount: processEnd.peakByteCount)
        if end.cause == .signalled(SIGSYS), let call = child.note.call { end.cause = .forbiddenCall(call) }
        report(.ended(taskID: child.taskID, end))
    }
}
