import CLinux
import Console
import JobQueue
import Linux
import Logging
import Media
import RenderHost
import Settings
import Synchronization
import ThumbnailCache
import Thumbnailer
import Worker

/// `thumbd` from its start to its end: renderers warm, worker and status server running, signals and systemd answered.
struct Service {
    private let settings: Settings
    private let logger: Logger

    init(_ settings: Settings, _ log: LogSettings) {
        self.settings = settings
        logger = log.makeLogger()
    }

    /// Works until a signal ends it.
    ///
    /// - Returns: whether a second signal cut the end short.
    /// - Throws: what keeps it from working at all.
    func run() throws(Failure) -> Bool {
        Signals.block()
        raiseDescriptorLimit()
        let systemd = SystemdSocket(environment: Process.environment)
        guard !settings.worker.roots.isEmpty else {
            throw Failure(.usage, message: "Name the folders whose files may be opened: --root FOLDER, or roots = … .")
        }
        let roots = try SourceRoots(settings.worker.roots, maxByteCount: settings.worker.maxSourceByteCount)
        let queue = QueueFile(path: settings.queuePath)
        if let passing = try queue.prepare() {
            logger.warning("the queue cannot be used yet", metadata: ["reason": "\(passing)"])
        }
        let host = RenderHost(
            programs: try RendererPrograms.ofRunningProgram(), requiresSandbox: settings.requiresSandbox,
            capacity: Capacity(memoryByteCount: settings.memoryBudget, controlGroup: settings.controlGroup))
        try warm(host)
        let metrics = Metrics()
        let cache = try FolderCache(checking: settings.cachePath, trustedOwner: settings.cacheOwner)
        let engine = makeEngine(host, cache)
        let worker = makeWorker(host, engine, cache, queue, roots, metrics)
        let warm = WarmService(settings, engine, cache, metrics, logger)
        let report = ServiceStatus(worker, host, warm, metrics, openQueue: queue.open)
        let server = try startServer(report)
        let end = try listenForSignals(worker, report, systemd)
        let tending = try tend(systemd, worker, metrics)
        report.start()
        systemd.tell("READY=1", "STATUS=Working the queue \(settings.queuePath)")
        logger.notice("working", metadata: ["queue": "\(settings.queuePath)", "pid": "\(getpid())"])
        let result = Result { () throws(Failure) in try worker.run() }
        report.end()
        tending.fulfil(())
        warm.stop(finishingWithin: end.current == nil ? settings.worker.drainTime : .zero)
        host.shutDown()
        server?.cancel()
        try result.get()
        logger.notice("ended")
        return end.current != nil
    }

    /// Where that cannot be, the limit is as it was: enough for jobs on most machines.
    private func raiseDescriptorLimit() {
        do throws(SystemError) {
            let limit = try DescriptorLimit.raise()
            logger.debug("descriptors", metadata: ["limit": "\(limit)"])
        } catch {
            logger.warning("the limit of descriptors stays as it is", metadata: ["reason": "\(error)"])
        }
    }

    private func makeEngine(_ host: RenderHost, _ cache: FolderCache) -> Thumbnailer {
        let logger = logger
        let told = Mutex<Set<String>>([])
        return Thumbnailer(
            host: host, cache: cache, limits: settings.limits, maxUnhashedByteCount: settings.maxUnhashedByteCount,
            threadCount: 1,
            warn: { failure in
                // The worker tells troubles that last; what is said here is the reason, once.
                guard told.withLock({ $0.insert(failure.message).inserted }) else { return }
                logger.warning("\(failure.message)", metadata: ["detail": "\(failure.detail)"])
            })
    }

    private func makeWorker(
        _ host: RenderHost, _ engine: Thumbnailer, _ cache: FolderCache, _ queue: QueueFile, _ roots: SourceRoots,
        _ metrics: Metrics
    ) -> Worker {
        var options = WorkerOptions(name: Self.workerName, slotCount: settings.jobCount)
        options.lease = settings.worker.lease
        var upkeep = Upkeep()
        upkeep.cacheBudget = Int64(clamping: settings.cacheBudget)
        upkeep.doneAge = settings.worker.doneAge
        upkeep.doneCount = settings.worker.doneCount
        let registry = register(options.name, beside: queue)
        let log = WorkerLog(logger: logger)
        return Worker(
            options, openQueue: queue.open, engine: engine, host: host, cache: cache, roots: roots, registry: registry,
            upkeep: upkeep
        ) { event in
            metrics.note(event)
            log.write(event)
        }
    }

    /// Without an entry, as on a full disk, nobody knows when this worker dies: its jobs wait for their leases' end then.
    private func register(_ name: String, beside queue: QueueFile) -> WorkerRegistry? {
        do throws(Failure) {
            return try WorkerRegistry(folder: queue.workersFolder, name: name, version: Release.version)
        } catch {
            logger.warning("\(error.message)", metadata: ["detail": "\(error.detail)"])
            return nil
        }
    }

    /// Starts all renderers: the first job finds them warm. Without the sniffer nothing can be done; without another one
    /// its files fail, and are tried again.
    private func warm(_ host: RenderHost) throws(Failure) {
        for rendererClass in RendererClass.allCases { host.prepare(rendererClass) }
        for rendererClass in RendererClass.allCases {
            do throws(Failure) {
                let build = try host.build(of: rendererClass)
                logger.debug(
                    "renderer ready", metadata: ["renderer": "\(rendererClass.name)", "build": "\(build.text)"])
            } catch {
                if rendererClass == .sniff { throw error }
                logger.error(
                    "a renderer cannot be started",
                    metadata: ["renderer": "\(rendererClass.name)", "reason": "\(error)"])
            }
        }
        let missing = host.missingLayers
        guard !missing.isEmpty else { return }
        logger.warning(
            "files are opened with an incomplete sandbox: see compass doctor",
            metadata: ["missing": "\(missing.joined(separator: "; "))"])
    }

    private func startServer(_ report: ServiceStatus) throws(Failure) -> Task<Void, Never>? {
        guard let address = settings.worker.address else { return nil }
        return try StatusServer(report: report, logger: logger).start(at: address)
    }

    /// - Returns: set when a second signal has come.
    private func listenForSignals(
        _ worker: Worker, _ report: ServiceStatus, _ systemd: SystemdSocket
    ) throws(Failure) -> Promise<Void> {
        let second = Promise<Void>()
        let (logger, drainTime) = (logger, settings.worker.drainTime)
        do throws(SystemError) {
            try Signals.listen {
                logger.notice("ending: running jobs may finish", metadata: ["jobs": "\(worker.runningCount)"])
                systemd.tell("STOPPING=1", "STATUS=Ending: running jobs finish")
                report.end()
                worker.drain(within: drainTime)
            } second: {
                logger.warning("ending at once: jobs are handed back", metadata: ["jobs": "\(worker.runningCount)"])
                second.fulfil(())
                worker.abandon()
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return second
    }

    /// Tells systemd now and then that the service lives, and how it stands.
    ///
    /// - Returns: what to set when that is to end.
    private func tend(_ systemd: SystemdSocket, _ worker: Worker, _ metrics: Metrics) throws(Failure) -> Promise<Void> {
        let isOver = Promise<Void>()
        guard systemd.isThere else { return isOver }
        let interval = min(systemd.watchdogInterval ?? Self.statusInterval, Self.statusInterval)
        do throws(SystemError) {
            _ = try WorkerThread(name: "systemd") {
                while isOver.wait(until: Time.monotonic + interval) == nil {
                    if worker.isResponsive { systemd.tell("WATCHDOG=1") }
                    let trouble = worker.troubles.map { "\($0.key.rawValue) out of reach" }.sorted().joined(
                        separator: ", ")
                    let state = trouble.isEmpty ? "\(worker.runningCount) jobs running" : trouble
                    systemd.tell("STATUS=\(state), \(metrics.finishedCount) ended since the start")
                }
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return isOver
    }

    private static let statusInterval: Duration = .seconds(30)

    /// Host and process, with the moment of its start: numbers of processes are used again.
    private static var workerName: String {
        "\(MachineName.current)-\(getpid())-\(String(Time.wall / 1_000_000, radix: 36))"
    }
}
