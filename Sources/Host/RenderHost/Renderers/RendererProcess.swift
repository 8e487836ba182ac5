internal import CLinux
internal import Linux
internal import Media
internal import Synchronization
internal import Wire

/// One running renderer and the thread that owns it.
///
/// The thread spawns the program, passes every report to the task that waits for it, and reaps the program at its end.
/// It never exits before: the kernel's parent-death signal is tied to the thread that spawned.
final class RendererProcess: Sendable {
    /// The renderer's build when it is ready, or the reason why it never was.
    let readiness = Promise<Result<RendererBuild, Failure>>()
    let rendererClass: RendererClass

    private let control: MessageSocket
    private let group: RendererGroup?
    private let state = Mutex(State())

    private struct State {
        /// The renderer's end of the control socket until the program has it. From then on only the program holds it,
        /// so that its death closes the connection.
        var rendererEnd: Descriptor?
        var tasks: [UInt64: PendingTask] = [:]
        var processID: pid_t?
        var isGone = false
        /// The task whose child the program has become, if it has.
        var onlyTask: UInt64?
    }

    /// Starts the program without waiting until it is ready.
    ///
    /// - Parameter standIns: the folder of the empty libraries that it loads in place of unused ones; `nil` for none.
    init(
        _ rendererClass: RendererClass, of programs: RendererPrograms, standIns: String?, in group: RendererGroup?
    ) throws(SystemError) {
        self.rendererClass = rendererClass
        self.group = group
        let (hostEnd, rendererEnd) = try MessageSocket.pair()
        control = hostEnd
        state.withLock { $0.rendererEnd = rendererEnd.descriptor }
        let path = programs.path(of: rendererClass)
        let environment = Self.environment + (standIns.map { ["LD_LIBRARY_PATH=\($0)"] } ?? [])
        // The thread keeps this object alive until the program has ended.
        _ = try WorkerThread(name: "render-\(rendererClass.name)") { [self] in run(path: path, in: environment) }
    }

    /// Its libraries; `nil` before it is ready.
    var build: RendererBuild? { if case .success(let build) = readiness.current { build } else { nil } }

    /// Whether it has ever been ready to serve.
    var wasReady: Bool { build != nil }

    /// The layers that its confinement lacks; empty before it is ready.
    var notes: [String] { build?.notes ?? [] }

    var isGone: Bool { state.withLock { $0.isGone } }

    /// Whether it has ended in any way other than as the child of its only task.
    var hasDied: Bool { state.withLock { $0.isGone && $0.onlyTask == nil } }

    /// Passes a task to the renderer.
    ///
    /// - Returns: the task to wait for; it ends with `vanished` when the renderer ends.
    func submit(
        _ request: RenderRequest, source: Descriptor, pixels: Descriptor, reply: MessageSocket, window: MessageSocket?
    ) -> PendingTask {
        let task = PendingTask(isOnly: request.isOnly)
        let isAccepted = state.withLock { state in
            if !state.isGone { state.tasks[request.taskID] = task }
            return !state.isGone
        }
        guard isAccepted else {
            task.end.fulfil(.vanished)
            return task
        }
        do throws(SystemError) {
            var descriptors = [source.number, pixels.number, reply.descriptor.number]
            if let window { descriptors.append(window.descriptor.number) }
            try control.send(request.bytes, descriptors: descriptors)
        } catch {
            // A broken pipe: the thread is about to see the same.
            state.withLock { $0.tasks[request.taskID] = nil }
            task.end.fulfil(.vanished)
        }
        return task
    }

    /// Ends the program and its children at once.
    func kill() {
        state.withLock { state in
            if let processID = state.processID { _ = CLinux.kill(processID, SIGKILL) }
        }
    }

    /// Ends the children of all tasks; the renderer stays.
    func killChildren() {
        for task in state.withLock({ Array($0.tasks.values) }) { task.kill() }
    }

    /// Asks the program to end, which it does when its control socket closes.
    func close() { shutdown(control.descriptor.number, Int32(SHUT_RDWR)) }

    // MARK: The thread

    private func run(path: String, in environment: [String]) {
        do throws(SystemError) {
            let processID = try spawn(path: path, in: environment)
            state.withLock { $0.processID = processID }
            // A process outside the group would not be limited: it ends together with its tasks.
            if let group, (try? group.adopt(processID)) == nil { kill() }
        } catch {
            leave(reason: "\(path): \(error)")
            return
        }
        readReports()
        end()
    }

    private func spawn(path: String, in environment: [String]) throws(SystemError) -> pid_t {
        let rendererEnd = state.withLock { state in
            defer { state.rendererEnd = nil }
            return state.rendererEnd!
        }
        let texts: [String] = [path, rendererClass.name, String(getpid())]
        var arguments: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var processID: pid_t = 0
        let keepsErrors: Int32 = getenv("COMPASS_RENDERER_STDERR") == nil ? 0 : 1
        let result = clinux_spawn_with_control(
            &processID, path, rendererEnd.number, keepsErrors, &arguments, &environment)
        guard result == 0 else { throw SystemError("posix_spawn", number: result) }
        return processID
    }

    /// A renderer's whole environment: a fixed locale and time zone, two malloc arenas, no run-time code generation,
    /// and no debugger forked from a crashing child. It names no user's folders: instead of folders below a home
    /// folder, fontconfig finds the machine's own again.
    private static let environment = [
        "LANG=C.UTF-8", "TZ=UTC0", "MALLOC_ARENA_MAX=2", "VIPS_NOVECTOR=1", "ORC_CODE=backup",
        "SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin", "XDG_CACHE_HOME=/var/cache", "XDG_CONFIG_HOME=/etc",
        "XDG_DATA_HOME=/usr/share",
        // Tesseract's threads wait for each other in spin loops.
        "OMP_THREAD_LIMIT=1",
        // Libraries free and allocate thousands of small pieces of memory: Poppler reads text in 0.86 of the time.
        "GLIBC_TUNABLES=glibc.malloc.tcache_count=2000",
    ]

    private func readReports() {
        while true {
            guard let message = try? control.receive(limit: Wire.longestMessage),
                let report = try? RendererReport(parsing: message.bytes)
            else { return }
            handle(report, descriptors: message.descriptors)
        }
    }

    private func handle(_ report: RendererReport, descriptors: [Descriptor]) {
        switch report {
        case .ready(let build, let notes):
            readiness.fulfil(.success(RendererBuild(libraries: build, notes: notes)))
        case .started(let taskID):
            guard let handle = descriptors.first else { return }
            state.withLock { state in
                if state.tasks[taskID]?.isOnly == true { state.onlyTask = taskID }
                return state.tasks[taskID]
            }?.started(as: handle)
        case .ended(let taskID, let end):
            finish(taskID, .ended(end))
        case .refused(let taskID, let reason):
            if taskID == 0 {
                readiness.fulfil(.failure(Failure(.unavailable, detail: reason)))
            } else {
                finish(taskID, .refused(Failure.bounded(reason)))
            }
        }
    }

    private func finish(_ taskID: UInt64, _ end: PendingTask.End) {
        state.withLock { $0.tasks.removeValue(forKey: taskID) }?.end.fulfil(end)
    }

    /// Ends and reaps the program after its connection has ended or sent invalid data. It first waits for a program
    /// that became the child of its only task.
    private func end() {
        let (processID, onlyTask) = state.withLock { ($0.processID, $0.onlyTask) }
        guard let processID else { return state.withLock { $0.isGone = true } }
        if onlyTask != nil { ProcessEnd.wait(for: processID) }
        state.withLock { state in
            state.isGone = true
            // After the process is reaped, another one may get its number: nobody else may signal it from here on.
            state.processID = nil
        }
        _ = CLinux.kill(processID, SIGKILL)
        let end = ProcessEnd(reaping: processID)
        if let onlyTask {
            let childEnd = ChildEnd(
                signal: end.signal, status: end.status, processorTime: end.processorTime,
                peakByteCount: end.peakByteCount)
            finish(onlyTask, .ended(childEnd))
        }
        leave(reason: "\(rendererClass.programName) ended (status \(end.status), signal \(end.signal))")
    }

    private func leave(reason: String) {
        let tasks = state.withLock { state in
            state.isGone = true
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
        readiness.fulfil(.failure(Failure(.unavailable, detail: reason)))
        for task in tasks { task.end.fulfil(.vanished) }
    }
}
