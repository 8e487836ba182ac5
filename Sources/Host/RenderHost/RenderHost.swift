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
    /// The renderers' programs.
    package let programs: RendererPrograms
    /// Whether nothing is opened where the machine lacks a layer of the renderers' confinement.
    package let requiresSandbox: Bool
    private let capacity: HostCapacity
    private let renderers: [RendererClass: RendererPair]
    private let lastTaskID = Atomic<UInt64>(0)
    private let cancelled = Atomic(false)

    /// The detail of a crash in which the renderer died and not the child: the source need not be to blame.
    public static let rendererEndedDetail = "the renderer ended"

    /// A host that has started nothing yet.
    ///
    /// - Parameters:
    ///   - requiresSandbox: refuse to open anything where the machine lacks a layer of the renderers' confinement, instead
    ///     of only noting it in `RendererBuild.notes`.
    ///   - capacity: how much of the machine all children together may take; tasks beyond it wait.
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

    /// Starts the renderer of a class, if it does not run; it warms up while the caller goes on.
    ///
    /// - Parameter isRanged: whether it is to read a source that lies elsewhere.
    public func prepare(_ rendererClass: RendererClass, forRanged isRanged: Bool = false) {
        let needsAll = isRanged && rendererClass.streamsRangedSources
        // A renderer that cannot be started shows when a task needs it.
        _ = try? renderers[rendererClass]!.supervisor(withAllLibraries: needsAll).runningProcess()
    }

    /// The libraries of a renderer; starts it where none of its class was ready before.
    public func build(of rendererClass: RendererClass, within limit: Duration = .seconds(20)) throws(Failure)
        -> RendererBuild
    {
        let pair = renderers[rendererClass]!
        if let build = pair.knownBuild { return build }
        return try pair.supervisor().readyProcess(until: Time.monotonic + limit).build
    }

    /// The layers of the confinement that this machine lacks, as the renderers that are ready have reported; empty is best.
    public var missingLayers: [String] { Set(supervisors.flatMap { $0.process?.notes ?? [] }).sorted() }

    /// How often the renderer of a class died and was started again; classes without a restart are absent.
    public var restartCounts: [RendererClass: Int] { renderers.mapValues(\.restartCount).filter { $0.value > 0 } }

    /// Whether `cancelAll` was called.
    public var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    /// How many tasks are admitted now.
    package var runningCount: Int { capacity.runningCount }

    /// How many tasks wait for admission.
    package var lineLength: Int { capacity.lineLength }

    /// Ends all children now; every running and later task fails as `cancelled`.
    public func cancelAll() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        capacity.close()
        for supervisor in supervisors { supervisor.cancel() }
    }

    /// Ends the renderers, always within both times together.
    ///
    /// Tasks that wait fail as `cancelled`; those that run may finish within `patience` and are killed then. Renderers leave
    /// when their control socket closes, or are killed after `grace`.
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

    /// What a source is, by the sniffer.
    ///
    /// - Parameters:
    ///   - explanation: records how that was done, if a person asked.
    ///   - isOnly: whether nothing else is expected to be sniffed.
    ///   - rangedSource: the source itself where it lies elsewhere.
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

    /// Runs one task in a child of the renderer of its class, as soon as there is room for it, and where that renderer
    /// declines in a child of its successor.
    ///
    /// A task whose child crashed or whose renderer died is tried once more, as long as its time lasts (`limits.wallTime`, from
    /// its admission). The second try is the plain one: every library as it is, no reader or shortcut of our own, one
    /// thread. So neither a stand-in nor a fault of ours fails a sound file.
    /// - Throws: the child's own failure; `timedOut`, `crashed` or `sandboxed` where it was ended; `unavailable` where
    ///   there is no renderer, or too many tasks wait; `cancelled`.
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

// What a run asks of its host.
extension RenderHost {
    func supervisor(of rendererClass: RendererClass, withAllLibraries: Bool) -> RendererSupervisor {
        renderers[rendererClass]!.supervisor(withAllLibraries: withAllLibraries)
    }

    /// A number that no other request of this host bears.
    func nextTaskID() -> UInt64 { lastTaskID.add(1, ordering: .relaxed).newValue }

    var outOfMemoryCount: Int { capacity.outOfMemoryCount }
}

extension RendererClass {
    /// Whether it reads a source that lies elsewhere by a stream of GIO, which stands with it as an empty library else.
    var streamsRangedSources: Bool { self == .pdf }

    /// The most memory that a child of this class needs, whatever the limits allow: the sniffer reads beginnings and tables, and
    /// texts are bounded.
    fileprivate var mostMemory: UInt64 {
        switch self {
        case .sniff: 128 << 20
        case .text: 256 << 20
        case .image, .svg, .pdf, .video, .plain, .recognition: .max
        }
    }
}
