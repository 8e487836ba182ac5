internal import Linux
internal import Media
internal import Synchronization

/// Keeps one renderer available: starts its process on first use, reuses the process while it runs, and replaces it
/// after its end.
final class RendererSupervisor: Sendable {
    private let rendererClass: RendererClass
    private let usesStandIns: Bool
    private let programs: RendererPrograms
    private let requiresSandbox: Bool
    private let capacity: HostCapacity
    private let state = Mutex(State())

    private struct State {
        /// The last process started, even after its end.
        var process: RendererProcess?
        /// Consecutive deaths, without a finished task in between.
        var deathCount = 0
        var restartCount = 0
        var isClosed = false
    }

    /// - Parameter usesStandIns: whether the process loads empty libraries in place of libraries that it never calls.
    init(
        _ rendererClass: RendererClass, usesStandIns: Bool, of programs: RendererPrograms, requiresSandbox: Bool,
        within capacity: HostCapacity
    ) {
        self.rendererClass = rendererClass
        self.usesStandIns = usesStandIns
        self.programs = programs
        self.requiresSandbox = requiresSandbox
        self.capacity = capacity
    }

    /// The last process that was started; `nil` before the first one.
    var process: RendererProcess? { state.withLock { $0.process } }

    /// Whether a process is running or starting.
    var isRunning: Bool { process?.isGone == false }

    /// The number of processes that replaced one that had died.
    var restartCount: Int { state.withLock { $0.restartCount } }

    /// The process to send a task to.
    ///
    /// It may still be loading its library: the request then waits in its socket. After a death, or if the sandbox must
    /// be complete, the process is ready.
    func processForTask(until deadline: Duration) throws(Failure) -> RendererProcess {
        let hasDied = state.withLock { $0.deathCount > 0 || $0.process?.hasDied == true }
        return requiresSandbox || hasDied ? try readyProcess(until: deadline).process : try runningProcess()
    }

    /// The process when it is ready, with its build.
    ///
    /// - Throws: `timedOut`; `unavailable` if the process died `deathLimit` times in a row, or lacks a layer of a
    ///   sandbox that must be complete.
    func readyProcess(until deadline: Duration) throws(Failure) -> (process: RendererProcess, build: RendererBuild) {
        while true {
            let process = try runningProcess()
            guard let readiness = process.readiness.wait(until: deadline) else {
                throw Failure(.timedOut, detail: "\(rendererClass.programName) was not ready in time")
            }
            switch readiness {
            case .success(let build):
                guard build.notes.isEmpty || !requiresSandbox else { throw Self.incompleteSandbox(build) }
                return (process, build)
            case .failure(let failure):
                let deathCount = state.withLock { $0.deathCount }
                if deathCount >= Self.deathLimit || Time.monotonic >= deadline { throw failure }
                Time.sleep(Self.backoff(after: deathCount))
            }
        }
    }

    /// The running process, or a new one if it has ended.
    func runningProcess() throws(Failure) -> RendererProcess {
        try state.withLock { state in
            Result { () throws(Failure) in
                if state.isClosed { throw Failure(.cancelled) }
                if let process = state.process, !process.isGone { return process }
                return try start(&state)
            }
        }.get()
    }

    private func start(_ state: inout State) throws(Failure) -> RendererProcess {
        let group = try capacity.group()
        let replacesDead = state.process?.hasDied == true
        // The successor of a dead process loads every library: a stand-in that caused the death does not kill a second
        // one.
        let standIns = usesStandIns && !replacesDead ? programs.standIns(for: rendererClass)?.path : nil
        do throws(SystemError) {
            let process = try RendererProcess(rendererClass, of: programs, standIns: standIns, in: group)
            state.process = process
            state.deathCount = replacesDead ? state.deathCount + 1 : 0
            if replacesDead { state.restartCount += 1 }
            return process
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// A task ended for a reason that lies in the file, not in the renderer.
    func taskFinished() { state.withLock { $0.deathCount = 0 } }

    /// Ends the children now, and starts no more processes.
    func cancel() {
        let process = state.withLock { state in
            state.isClosed = true
            return state.process
        }
        process?.killChildren()
    }

    /// Hands the process over to the caller, which ends it.
    func releaseProcess() -> RendererProcess? {
        state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
    }

    private static func incompleteSandbox(_ build: RendererBuild) -> Failure {
        Failure(
            .unavailable, message: "This machine lacks a part of the sandbox that is required (see compass doctor).",
            detail: build.notes.joined(separator: "; "))
    }

    /// After this many consecutive deaths, a renderer is given up until the next call.
    private static let deathLimit = 3

    private static func backoff(after deathCount: Int) -> Duration { .milliseconds(50 << min(deathCount, 6)) }
}
