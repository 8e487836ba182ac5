internal import CLinux
public import Linux
public import Media
internal import Synchronization
internal import Wire

/// Opens media by way of the renderers, and turns every end that a task can come to into a value.
///
/// A renderer is started when it is first wanted and stays. Calls block the thread that makes them and may come from many
/// threads at once; each task runs in a child of its own.
public final class RenderHost: Sendable {
    package let programs: RendererPrograms
    /// Whether nothing is opened where the machine lacks a layer of the renderers' confinement.
    package let requiresSandbox: Bool
    private let capacity: Capacity
    private let state = Mutex(State())

    /// How the detail of a crash reads where the renderer died and not the child: the source need not be to blame.
    public static let rendererEndedDetail = "the renderer ended"

    private struct State {
        /// Renderers that took a dead one's place.
        var restartCounts: [RendererClass: Int] = [:]
        var renderers: [Kind: Slot] = [:]
        var lastTaskID: UInt64 = 0
        /// Made for the first renderer, or refused once for all: a cached answer need not know how much memory the machine has.
        var admission: Admission?
        var isCancelled = false
        var hasTriedGroup = false
        var group: Result<RendererGroup, Failure>?
    }

    /// The renderers of a class that can serve each other's tasks.
    private struct Kind: Hashable {
        let rendererClass: RendererClass
        /// The folder with what they load in place of libraries that they never call; `nil` where they load every library.
        let standIns: String?
    }

    /// The renderer of a kind, and how often one died without having served.
    private struct Slot {
        var process: RendererProcess
        var deaths = 0
    }

    /// - Parameter requiresSandbox: refuse to open anything where the machine lacks a layer of the renderers' confinement,
    ///   instead of only noting it in `RendererBuild.notes`.
    /// - Parameter capacity: how much of the machine all children together may take; tasks beyond it wait.
    public init(programs: RendererPrograms, requiresSandbox: Bool = false, capacity: Capacity = Capacity()) {
        self.programs = programs
        self.requiresSandbox = requiresSandbox
        self.capacity = capacity
    }

    /// Starts the renderer of a class, if it does not run; it warms up while the caller goes on.
    public func prepare(_ rendererClass: RendererClass) {
        // A renderer that cannot be started shows when a task needs it.
        _ = try? renderer(kind(of: rendererClass))
    }

    /// The libraries of a renderer; starts it where it does not run.
    public func build(of rendererClass: RendererClass, within limit: Duration = .seconds(20)) throws(Failure)
        -> RendererBuild
    {
        // Also of one that has served its only task.
        let known = state.withLock { state in
            state.renderers.first { $0.key.rendererClass == rendererClass && $0.value.process.wasReady }?.value.process
        }
        if let build = known?.build { return build }
        return try readyRenderer(kind(of: rendererClass), until: Time.monotonic + limit).build
    }

    /// What this machine lacks of the confinement, as the renderers that serve by now have said; empty is best.
    public var missingLayers: [String] {
        let processes = state.withLock { $0.renderers.values.map(\.process) }
        return Set(processes.flatMap(\.notes)).sorted()
    }

    /// How often the renderer of a class died and was started again.
    public var restartCounts: [RendererClass: Int] { state.withLock { $0.restartCounts } }

    /// Whether `cancelAll` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// How many tasks have a place among those in work.
    package var runningCount: Int { state.withLock { $0.admission }?.runningCount ?? 0 }

    /// How many wait for one.
    package var lineLength: Int { state.withLock { $0.admission }?.lineLength ?? 0 }

    /// Ends all children now; every running and later task fails as `cancelled`.
    public func cancelAll() {
        let (processes, admission) = state.withLock { state in
            state.isCancelled = true
            return (state.renderers.values.map(\.process), state.admission)
        }
        admission?.close()
        for process in processes { process.killChildren() }
    }

    /// Ends the renderers, always within both times together: tasks that wait fail as `cancelled`, those that run may finish
    /// within `patience` and are killed then; renderers leave when their control socket closes, or are killed after `grace`.
    public func shutDown(finishingWithin patience: Duration = .zero, grace: Duration = .seconds(1)) {
        finishTasks(until: Time.monotonic + patience)
        cancelAll()
        let processes = state.withLock { state in
            defer { state.renderers = [:] }
            return state.renderers.values.map(\.process)
        }
        for process in processes { process.close() }
        let deadline = Time.monotonic + grace
        for process in processes {
            while !process.isGone, Time.monotonic < deadline { Time.sleep(.milliseconds(1)) }
            process.kill()
        }
    }

    private func finishTasks(until deadline: Duration) {
        guard let admission = state.withLock({ $0.admission }) else { return }
        admission.close()
        while admission.runningCount > 0, Time.monotonic < deadline { Time.sleep(.milliseconds(2)) }
    }

    /// What a source is, by the sniffer.
    ///
    /// - Parameters:
    ///   - explanation: where it is written down how that was done, if a person asked.
    ///   - isOnly: whether nothing else is expected to be sniffed.
    public func sniff(
        _ source: Descriptor, limits: Limits, explanation: Explanation? = nil, cancellation: Cancellation? = nil,
        isOnly: Bool = false
    ) throws(Failure) -> Facts {
        let task = RenderTask(
            mediaType: .octetStream, limits: limits, explanation: explanation, cancellation: cancellation,
            isOnly: isOnly)
        return try perform(task, on: source, by: .sniff).facts
    }

    /// Runs one task in a child of the renderer of its class, as soon as there is room for it, and where that one declines
    /// in a child of its successor.
    ///
    /// A task whose child crashed or whose renderer died is tried once more, as long as its time lasts (`limits.wallTime`, from
    /// when it has its place). The second try is the plain one: every library as it is, no reader or shortcut of our own, one
    /// thread. So neither a stand-in nor a fault of ours fails a sound file.
    /// - Throws: the child's own failure; `timedOut`, `crashed` or `sandboxed` where it was ended; `unavailable` where
    ///   there is no renderer, or too many tasks wait; `cancelled`.
    public func perform(
        _ task: RenderTask, on source: Descriptor, by rendererClass: RendererClass
    ) throws(Failure) -> RenderedSource {
        let admission = try admission()
        var task = task
        task.limits.memoryByteCount = min(
            task.limits.memoryByteCount, rendererClass.mostMemory, admission.byteCount)
        let attempt = try Attempt.plan(task)
        let asked = Time.monotonic
        return try admission.admitting(
            rendererClass, reserving: task.limits.memoryByteCount, until: task.cancellation
        ) { () throws(Failure) in
            let waited = Time.monotonic - asked
            let deadline = Time.monotonic + task.limits.wallTime
            var candidate: RendererClass? = rendererClass
            while let next = candidate {
                if attempt.isCancelled { throw Failure(.cancelled) }
                if let rendered = try perform(attempt, on: source, by: next, until: deadline, waited) {
                    return rendered
                }
                candidate = next.successor
            }
            throw Failure(.crashed, detail: "declined by the last renderer that is asked")
        }
    }

    /// `nil` where the renderer declined, or died of the file and has a successor to ask.
    private func perform(
        _ attempt: Attempt, on source: Descriptor, by rendererClass: RendererClass, until deadline: Duration,
        _ waited: Duration
    ) throws(Failure) -> RenderedSource? {
        var isLast = false
        var isOnly = attempt.isOnly
        while true {
            let begin = Time.monotonic
            let skipsShortcuts = isLast || attempt.skipsShortcuts
            let kind = kind(of: rendererClass, skipsShortcuts: skipsShortcuts)
            let renderer = try startedRenderer(kind, until: deadline)
            let started = Time.monotonic
            let request = attempt.request(numbered: nextTaskID(), isOnly: isOnly, skipsShortcuts: skipsShortcuts)
            let killedBefore = outOfMemoryCount
            let outcome = try attempt.run(request, source: source, on: renderer, until: deadline)
            attempt.explain(
                outcome, of: request, by: rendererClass, waited: waited, started: started - begin,
                ran: Time.monotonic - started)
            if isCancelled || attempt.isCancelled { throw Failure(.cancelled) }
            if let failure = outOfMemory(outcome, since: killedBefore) { throw failure }
            // A renderer that never served has not tried; the next round waits for a new one, or learns why there is none.
            if case .vanished = outcome.end, !renderer.wasReady { continue }
            do throws(Failure) {
                let rendered = try attempt.result(of: outcome, by: rendererClass)
                state.withLock { $0.renderers[kind]?.deaths = 0 }
                return rendered
            } catch {
                if rendererClass.successor != nil, [.crashed, .sandboxed].contains(error.code) { return nil }
                if isOnly, error.code == .sandboxed {
                    // Which call it was, a renderer that outlives the child can tell.
                    isOnly = false
                    continue
                }
                if isLast || error.code != .crashed { throw error }
                isLast = true
            }
        }
    }

    /// The gate that all tasks pass.
    private func admission() throws(Failure) -> Admission {
        try state.withLock { state in
            Result { () throws(Failure) in
                if state.isCancelled { throw Failure(.cancelled) }
                return try equip(&state)
            }
        }.get()
    }

    /// What the first renderer or task needs: the gate, and the renderers' control group where there is to be one.
    private func equip(_ state: inout State) throws(Failure) -> Admission {
        let admission = state.admission ?? Admission(capacity)
        state.admission = admission
        if capacity.controlGroup != .no, !state.hasTriedGroup {
            // Tried once: what was refused has moved this process already, and would be refused for another reason.
            state.hasTriedGroup = true
            guard capacity.controlGroup == .yes || ControlGroup.isDelegated else { return admission }
            state.group = Result { () throws(Failure) in
                try RendererGroup(capacity, memoryByteCount: admission.byteCount)
            }
        }
        if case .failure(let failure) = state.group, capacity.controlGroup == .yes { throw failure }
        return admission
    }

    private var outOfMemoryCount: Int { (try? state.withLock { $0.group }?.get())?.outOfMemoryCount ?? 0 }

    /// A child that the kernel ended because all files in work together took too much; not its own fault for sure.
    private func outOfMemory(_ outcome: Attempt.Outcome, since count: Int) -> Failure? {
        guard case .ended(let end) = outcome.end, end.cause == .signalled(SIGKILL), outOfMemoryCount > count else {
            return nil
        }
        return Failure(.tooLarge, detail: "\(Failure.memoryDetail): all files in work together took too much of it")
    }

    private func nextTaskID() -> UInt64 {
        state.withLock { state in
            state.lastTaskID += 1
            return state.lastTaskID
        }
    }

    /// A renderer to send a task to: at once where nothing speaks against it, since the request waits in its socket while
    /// it loads; after a death, or where its sandbox must be whole, when it is ready.
    private func startedRenderer(_ kind: Kind, until deadline: Duration) throws(Failure) -> RendererProcess {
        let hasDied = state.withLock { $0.renderers[kind].map { $0.deaths > 0 || $0.process.hasDied } ?? false }
        if requiresSandbox || hasDied { return try readyRenderer(kind, until: deadline).process }
        return try renderer(kind)
    }

    /// Which renderer serves a class: one with stand-ins while it runs; a new one has them where they still fit the machine's
    /// libraries.
    private func kind(of rendererClass: RendererClass, skipsShortcuts: Bool = false) -> Kind {
        let whole = Kind(rendererClass: rendererClass, standIns: nil)
        guard !skipsShortcuts, let standIns = programs.standIns(for: rendererClass) else { return whole }
        let kind = Kind(rendererClass: rendererClass, standIns: standIns.path)
        let isRunning = state.withLock { $0.renderers[kind]?.process.isGone == false }
        return isRunning || standIns.fit ? kind : whole
    }

    private func readyRenderer(
        _ kind: Kind, until deadline: Duration
    ) throws(Failure) -> (process: RendererProcess, build: RendererBuild) {
        while true {
            let process = try renderer(kind)
            guard let readiness = process.readiness.wait(until: deadline) else {
                throw Failure(.timedOut, detail: "\(kind.rendererClass.programName) was not ready in time")
            }
            switch readiness {
            case .success(let build):
                guard build.notes.isEmpty || !requiresSandbox else { throw Self.incompleteSandbox(build) }
                return (process, build)
            case .failure(let failure):
                let deaths = state.withLock { $0.renderers[kind]?.deaths ?? 0 }
                if deaths >= Self.mostDeaths || Time.monotonic >= deadline { throw failure }
                Time.sleep(Self.backoff(after: deaths))
            }
        }
    }

    /// The running renderer, or a new one in place of a dead one.
    private func renderer(_ kind: Kind) throws(Failure) -> RendererProcess {
        let started: Result<RendererProcess, Failure> = state.withLock { state in
            if state.isCancelled { return .failure(Failure(.cancelled)) }
            let old = state.renderers[kind]
            if let old, !old.process.isGone { return .success(old.process) }
            do throws(Failure) {
                // How much memory there is, only a task needs to know.
                if capacity.controlGroup != .no { _ = try equip(&state) }
            } catch {
                return .failure(error)
            }
            do throws(SystemError) {
                // One that takes a dead one's place loads every library as it is: should a stand-in be to blame, it is not again.
                let dead = old.flatMap { $0.process.hasDied ? $0 : nil }
                let process = try RendererProcess(
                    kind.rendererClass, of: programs, standIns: dead == nil ? kind.standIns : nil,
                    in: try? state.group?.get())
                if dead != nil { state.restartCounts[kind.rendererClass, default: 0] += 1 }
                state.renderers[kind] = Slot(process: process, deaths: dead.map { $0.deaths + 1 } ?? 0)
                return .success(process)
            } catch {
                return .failure(Failure(.unavailable, detail: "\(error)"))
            }
        }
        return try started.get()
    }

    private static func incompleteSandbox(_ build: RendererBuild) -> Failure {
        Failure(
            .unavailable, message: "This machine lacks a part of the sandbox that is required (see compass doctor).",
            detail: build.notes.joined(separator: "; "))
    }

    /// A renderer that dies this often in a row without finishing a task is given up until the next call.
    private static let mostDeaths = 3

    private static func backoff(after deaths: Int) -> Duration { .milliseconds(50 << min(deaths, 6)) }
}

extension RendererClass {
    /// What a child of this class needs at most, whatever the limits allow: the sniffer reads beginnings and tables.
    fileprivate var mostMemory: UInt64 { self == .sniff ? 128 << 20 : .max }
}
