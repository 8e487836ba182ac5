internal import CLinux
public import Linux
public import Media
internal import Synchronization
internal import Wire

/// Opens media with the renderers, and turns every way in which a task can end into a value.
///
/// A renderer starts on first use and keeps running. Calls block the calling thread, and may come from many threads at
/// once; each task runs in its own child.
public final class RenderHost: Sendable {
    /// The renderers' programs.
    package let programs: RendererPrograms
    /// Whether nothing is opened if the machine lacks a layer of the renderers' confinement.
    package let requiresSandbox: Bool
    private let capacity: HostCapacity
    private let renderers: [RendererClass: RendererPair]
    private let lastTaskID = Atomic<UInt64>(0)
    private let cancelled = Atomic(false)

    /// The detail of a crash in which the renderer died, not the child: the source need not be the cause.
    public static let rendererEndedDetail = "the renderer ended"

    /// A host that has not started anything yet.
    ///
    /// - Parameters:
    ///   - requiresSandbox: refuse to open anything if the machine lacks a layer of the renderers' confinement, instead
    ///     of only reporting it in `RendererBuild.notes`.
    ///   - capacity: the share of the machine that all children together may take; further tasks wait.
    public init(programs: RendererPrograms, requiresSandbox: Bool = false, capacity: Capacity = Capacity()) {
        let shared = HostCapacity(capacity)
        self.programs = programs
        self.requiresSandbox = requiresSandbox
        self.capacity = shared
        renderers = Dictionary(
            uniqueKeysWithValues: RendererClass.allCases.map { rendererClass in
                (
                    rendererClass,
                    RendererPair(rendererClass, of: programs, requiresSandbox: requiresSandbox, within: shared)
                )
            })
    }

    /// Starts the renderer of a class if it is not running; it warms up while the caller continues.
    ///
    /// - Parameter isRanged: whether it will read a remote source.
    public func prepare(_ rendererClass: RendererClass, forRanged isRanged: Bool = false) {
        let needsAll = isRanged && rendererClass.streamsRangedSources
        // A failure to start a renderer shows when a task needs it.
        _ = try? renderers[rendererClass]!.supervisor(withAllLibraries: needsAll).runningProcess()
    }

    /// The libraries of a renderer; starts the renderer if none of its class has been ready.
    public func build(of rendererClass: RendererClass, within limit: Duration = .seconds(20)) throws(Failure)
        -> RendererBuild
    {
        let pair = renderers[rendererClass]!
        if let build = pair.knownBuild { return build }
        return try pair.supervisor().readyProcess(until: Time.monotonic + limit).build
    }

    /// The layers of the confinement that this machine lacks, as reported by the ready renderers; ideally empty.
    public var missingLayers: [String] { Set(supervisors.flatMap { $0.process?.notes ?? [] }).sorted() }

    /// How often the renderer of a class died and was restarted; classes without a restart are absent.
    public var restartCounts: [RendererClass: Int] { renderers.mapValues(\.restartCount).filter { $0.value > 0 } }

    /// Whether `cancelAll` was called.
    public var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    /// The number of tasks that are admitted now.
    package var runningCount: Int { capacity.runningCount }

    /// The number of tasks that wait for admission.
    package var lineLength: Int { capacity.lineLength }

    /// Ends all children now; every running and later task fails with `cancelled`.
    public func cancelAll() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        capacity.close()
        for supervisor in supervisors { supervisor.cancel() }
    }

    /// Ends the renderers, always within the sum of both times.
    ///
    /// Waiting tasks fail with `cancelled`; running tasks may finish within `patience` and are then killed. Renderers
    /// exit when their control socket closes, or are killed after `grace`.
    public func shutDown(finishingWithin patience: Duration = .zero, grace: Duration = .seconds(1)) {
        capacity.drain(until: Time.monotonic + patience)
        cancelAll()
        let processes = supervisors.compactMap { $0.releaseProcess() }
        for process in processes { process.close() }
        let deadline = Time.monotonic + grace
        for process in processes {
            while !process.isGone, Time.monotonic < deadline { Time.sleep(.milliseconds(1)) }
            process.kill()
        }
    }

    private var supervisors: [RendererSupervisor] { renderers.values.flatMap(\.supervisors) }

    /// Identifies a source with the sniffer.
    ///
    /// - Parameters:
    ///   - explanation: records how this was done, if a person asked.
    ///   - isOnly: whether nothing else is expected to be sniffed.
    ///   - rangedSource: the source itself if it is remote.
    public func sniff(
        _ source: Descriptor, limits: Limits, explanation: Explanation? = nil, cancellation: Cancellation? = nil,
        isOnly: Bool = false, rangedSource: RangedSource? = nil
    ) throws(Failure) -> Facts {
        var task = RenderTask(
            mediaType: .octetStream, limits: limits, explanation: explanation, cancellation: cancellation,
            isOnly: isOnly)
        task.rangedSource = rangedSource
        return try perform(task, on: source, by: .sniff).facts
    }

    /// Runs one task in a child of its class's renderer as soon as there is room for it. If that renderer declines, a
    /// child of its successor runs the task.
    ///
    /// A task whose child crashed or whose renderer died is retried once within its time (`limits.wallTime`, from its
    /// admission). The retry is the plain one: all real libraries, no custom reader or shortcut, one thread. So neither
    /// a stand-in nor an error in this project's code fails a sound file.
    /// - Throws: the child's own failure; `timedOut`, `crashed` or `sandboxed` if it was ended; `unavailable` if there
    ///   is no renderer, or too many tasks wait; `cancelled`.
    public func perform(
        _ task: RenderTask, on source: Descriptor, by rendererClass: RendererClass
    ) throws(Failure) -> RenderedSource {
        let admission = try capacity.admission()
        var task = task
        task.limits.memoryByteCount = min(
            task.limits.memoryByteCount, rendererClass.mostMemory, admission.byteCount)
        let pixels = task.readsText ? PixelPlan(forTextOf: Wire.longestPageText) : try PixelPlan(for: task.pictures)
        let asked = Time.monotonic
        return try admission.admitting(
            rendererClass, reserving: task.limits.memoryByteCount, until: task.cancellation
        ) { () throws(Failure) in
            let admitted = Time.monotonic
            let run = TaskRun(
                task: task, source: source, pixels: pixels, host: self, waited: admitted - asked,
                deadline: admitted + task.limits.wallTime, waitedBefore: task.rangedSource?.waited ?? .zero)
            return try run.rendered(by: rendererClass)
        }
    }
}

// What a run needs from its host.
extension RenderHost {
    func supervisor(of rendererClass: RendererClass, withAllLibraries: Bool) -> RendererSupervisor {
        renderers[rendererClass]!.supervisor(withAllLibraries: withAllLibraries)
    }

    /// A number that no other request of this host has.
    func nextTaskID() -> UInt64 { lastTaskID.add(1, ordering: .relaxed).newValue }

    var outOfMemoryCount: Int { capacity.outOfMemoryCount }
}

extension RendererClass {
    /// Whether it reads a remote source through a GIO stream; otherwise it has an empty library in place of GIO.
    var streamsRangedSources: Bool { self == .pdf }

    /// The maximum memory that a child of this class needs, whatever the limits allow: the sniffer reads beginnings and
    /// tables, and texts are limited.
    fileprivate var mostMemory: UInt64 {
        switch self {
        case .sniff: 128 << 20
        case .text: 256 << 20
        case .image, .svg, .pdf, .video, .plain, .recognition: .max
        }
    }
}
