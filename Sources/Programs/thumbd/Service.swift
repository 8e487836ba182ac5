import CLinux
import Console
import Daemon
import Linux
import Logging
import Media
import Objects
import RenderHost
import Synchronization
import ThumbnailCache
import Worker

/// `thumbd` from start to end: warms the renderers, runs the worker and the status server, and responds to signals and
/// systemd.
struct Service {
    private let settings: Settings
    private let logger: Logger

    init(_ settings: Settings, _ log: LogSettings) {
        self.settings = settings
        logger = log.makeLogger("thumbd")
    }

    /// Works until a signal ends it.
    ///
    /// - Returns: whether a second signal cut the drain short.
    /// - Throws: `usage` without roots, store and remote sources; `unavailable` if queue, renderers or cache cannot be
    ///   used.
    func run() throws(Failure) -> Bool {
        let signals = try takeSignals()
        defer { signals.forget() }
        raiseDescriptorLimit()
        let systemd = SystemdSocket(environment: Process.environment)
        guard !settings.worker.roots.isEmpty || settings.store != nil || settings.readsRemoteSources else {
            throw Failure(
                .usage,
                message:
                    "Name the folders whose files may be opened: --root FOLDER, or roots = …; or --store FOLDER; or --remote-sources yes."
            )
        }
        let queue = try SharedDatabase(
            settings.database ?? .file(settings.queuePath), path: settings.queuePath, program: "thumbd")
        let (openObject, shared) = try openStore(queue)
        let roots = try SourceRoots(settings.worker.roots, maxByteCount: settings.worker.maxSourceByteCount)
        if let passing = try queue.prepare() {
            logger.warning("the queue cannot be used yet", metadata: ["reason": "\(passing)"])
        }
        let rendering = try RenderingEngine(settings, logger)
        let host = rendering.host
        let metrics = Metrics()
        let log = WorkerLog(logger: logger)
        let worker = rendering.makeWorker(queue, roots, openObject: openObject, shared: shared) { event in
            metrics.note(event)
            log.write(event)
        }
        let warm = WarmService(settings, rendering.engine, rendering.cache, metrics, logger)
        let status = ServiceStatus(worker, host, warm, metrics, openQueue: queue.openQueue)
        let server = try startServer(status)
        let end = try listen(to: signals, worker, status, systemd)
        let tending = try tend(systemd, worker, metrics)
        status.start()
        systemd.tell("READY=1", "STATUS=Processing the queue \(queue.name)")
        logger.notice("working", metadata: ["queue": "\(queue.name)", "pid": "\(getpid())"])
        let result = Result { () throws(Failure) in try worker.run() }
        status.end()
        tending.fulfil(())
        warm.stop(finishingWithin: end.current == nil ? settings.worker.drainTime : .zero)
        host.shutDown()
        server?.cancel()
        try result.get()
        logger.notice("ended")
        return end.current != nil
    }

    /// Opens the store of the objects that jobs may name, and of the pictures next to them, if one is set. It must
    /// exist: documentd makes its folder.
    private func openStore(
        _ database: SharedDatabase
    ) throws(Failure) -> (Worker.ObjectOpening?, (any SharedPictures)?) {
        guard let place = settings.store else { return (nil, nil) }
        let maxByteCount = settings.worker.maxSourceByteCount
        let opening = try StoreOpening(settings, in: { try database.opened() }, environment: Process.environment)
        let store = try opening.open(place, making: false)
        return (
            { key throws(Failure) in try store.source(ofJob: key, maxByteCount: maxByteCount) },
            try opening.pictures(place)
        )
    }

    /// If the limit cannot be raised, the old one suffices for the jobs of most machines.
    private func raiseDescriptorLimit() {
        do throws(SystemError) {
            let limit = try DescriptorLimit.raise()
            logger.debug("descriptors", metadata: ["limit": "\(limit)"])
        } catch {
            logger.warning("the limit of open files cannot be raised", metadata: ["reason": "\(error)"])
        }
    }

    private func startServer(_ status: ServiceStatus) throws(Failure) -> Task<Void, Never>? {
        guard let address = settings.worker.address else { return nil }
        return try StatusServer(status: status, logger: logger).start(at: address)
    }

    private func takeSignals() throws(Failure) -> Signals {
        do throws(SystemError) {
            return try Signals.take(endingWithin: settings.worker.drainTime + Signals.endTime)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// Drains at the first signal, and releases all jobs at the second.
    ///
    /// - Returns: a promise that the second signal fulfils.
    private func listen(
        to signals: Signals, _ worker: Worker, _ status: ServiceStatus, _ systemd: SystemdSocket
    ) throws(Failure) -> Promise<Void> {
        let second = Promise<Void>()
        let (logger, drainTime) = (logger, settings.worker.drainTime)
        do throws(SystemError) {
            try signals.listen {
                logger.notice("shutting down: waiting for running jobs", metadata: ["jobs": "\(worker.runningCount)"])
                systemd.tell("STOPPING=1", "STATUS=Shutting down: waiting for running jobs")
                status.end()
                worker.drain(within: drainTime)
            } second: {
                logger.warning("shutting down now: jobs are released", metadata: ["jobs": "\(worker.runningCount)"])
                second.fulfil(())
                worker.abandon()
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return second
    }

    /// Sends systemd's watchdog and status messages on a thread.
    ///
    /// - Returns: a promise; fulfilling it ends the thread.
    private func tend(_ systemd: SystemdSocket, _ worker: Worker, _ metrics: Metrics) throws(Failure) -> Promise<Void> {
        let isOver = Promise<Void>()
        guard systemd.isThere else { return isOver }
        let interval = min(systemd.watchdogInterval ?? Self.statusInterval, Self.statusInterval)
        do throws(SystemError) {
            _ = try WorkerThread(name: "systemd") {
                while isOver.wait(until: Time.monotonic + interval) == nil {
                    if worker.isResponsive { systemd.tell("WATCHDOG=1") }
                    let trouble = worker.troubles.map { "\($0.key.rawValue) unreachable" }.sorted().joined(
                        separator: ", ")
                    let state = trouble.isEmpty ? "\(worker.runningCount) jobs running" : trouble
                    systemd.tell("STATUS=\(state), \(metrics.finishedCount) finished since the start")
                }
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return isOver
    }

    private static let statusInterval: Duration = .seconds(30)
}
