internal import CLinux
package import Console
internal import JobQueue
internal import Linux
package import Logging
package import Media
package import RenderHost
internal import SourceFiles
internal import Synchronization
package import ThumbnailCache
package import Thumbnailer
internal import Wire
package import Worker

/// What a service renders with: warm renderers, the engine over them, and the cache.
package struct RenderingEngine: Sendable {
    /// The owner of the renderers; the program ends it.
    package let host: RenderHost
    /// The renditions.
    package let cache: FolderCache
    /// Makes renditions with the renderers, and stores them in the cache.
    package let engine: Thumbnailer
    private let settings: Settings
    private let logger: Logger

    /// Starts all renderers, and checks the cache's folder.
    ///
    /// - Parameter isWarm: `false` starts no renderer before one is needed.
    /// - Throws: `unavailable` if the sniffer cannot be started, or if the cache's folder belongs to another user.
    package init(_ settings: Settings, _ logger: Logger, isWarm: Bool = true) throws(Failure) {
        self.settings = settings
        self.logger = logger
        host = RenderHost(
            programs: try RendererPrograms.ofRunningProgram(), requiresSandbox: settings.requiresSandbox,
            capacity: Capacity(memoryByteCount: settings.memoryBudget, controlGroup: settings.controlGroup))
        if isWarm { try Self.warm(host, logger) }
        cache = try FolderCache(checking: settings.cachePath, trustedOwner: settings.cacheOwner)
        engine = Self.makeEngine(host, cache, settings, logger)
    }

    /// An engine over the same renderers that stores nothing.
    var engineWithoutCache: Thumbnailer { Self.makeEngine(host, nil, settings, logger) }

    private static func makeEngine(
        _ host: RenderHost, _ cache: FolderCache?, _ settings: Settings, _ logger: Logger
    ) -> Thumbnailer {
        let told = Mutex<Set<String>>([])
        return Thumbnailer(
            host: host, cache: cache, limits: settings.limits, maxUnhashedByteCount: settings.maxUnhashedByteCount,
            threadCount: 1,
            warn: { failure in
                // The worker logs lasting faults; here each reason is logged once.
                guard told.withLock({ $0.insert(failure.message).inserted }) else { return }
                logger.warning("\(failure.message)", metadata: ["detail": "\(failure.detail)"])
            })
    }

    /// Starts all renderers, so that they are warm for the first job. The service cannot work without the sniffer. If
    /// another renderer is missing, its files fail and are retried.
    private static func warm(_ host: RenderHost, _ logger: Logger) throws(Failure) {
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

    /// A worker on a queue, with the settings' number of slots and time limits.
    ///
    /// - Parameters:
    /// - openObject: opens the objects that jobs name; if it is `nil`, such jobs are refused.
    /// - shared: receives every rendition that is made, for other machines.
    ///   - observer: receives every event on the thread where it happens.
    package func makeWorker(
        _ queue: SharedDatabase, _ roots: SourceRoots, openObject: Worker.ObjectOpening?, shared: (any SharedPictures)?,
        observer: @escaping @Sendable (WorkerEvent) -> Void
    ) -> Worker {
        var options = WorkerOptions(name: Self.workerName, slotCount: settings.jobCount)
        options.lease = settings.worker.lease
        var upkeep = Upkeep()
        upkeep.cacheBudget = Int64(clamping: settings.cacheBudget)
        upkeep.doneAge = settings.worker.doneAge
        upkeep.doneCount = settings.worker.doneCount
        let registry = register(options.name, beside: queue)
        return Worker(
            options, openQueue: queue.openQueue, engine: engine, host: host, cache: cache, roots: roots,
            openObject: openObject, openAddress: openAddress, shared: shared,
            works: [.resume: resumeWork(beside: queue)], registry: registry, upkeep: upkeep,
            observer: observer)
    }

    /// Opens content that jobs name by address; `nil` if the settings do not allow it.
    private var openAddress: Worker.ObjectOpening? {
        guard settings.readsRemoteSources else { return nil }
        let settings = settings
        return { address throws(Failure) in try SourceFile.fetched(FetchTarget(address, settings)) }
    }

    /// Without an entry, for example because the disk is full, other workers do not notice this worker's death. Its
    /// jobs then wait until their leases expire.
    private func register(_ name: String, beside queue: SharedDatabase) -> WorkerRegistry? {
        do throws(Failure) {
            return try WorkerRegistry(folder: queue.workersFolder, name: name, version: Release.version)
        } catch {
            logger.warning("\(error.message)", metadata: ["detail": "\(error.detail)"])
            return nil
        }
    }

    /// The host's name, the process's number and its start time, because process numbers are reused.
    private static var workerName: String {
        "\(MachineName.current)-\(getpid())-\(String(Time.wall / 1_000_000, radix: 36))"
    }
}
