import CLinux
import Console
import Linux
import Media
import RenderHost
import SourceFiles
import Synchronization
import ThumbnailCache
import Thumbnailer
import Wire

/// The settings, cache, renderers and engine of one call.
struct Session {
    let settings: Settings
    let host: RenderHost
    let cache: FolderCache?
    let thumbnailer: Thumbnailer
    private let warm: WarmClient?

    /// Opens the cache and prepares the engine; no renderer is started yet.
    ///
    /// - Parameters:
    /// - usesCache: if it is `false`, no rendition is looked up or stored.
    /// - fileCount: a single file may use four processors; if there are several, each uses one.
    init(_ settings: Settings, usesCache: Bool = true, fileCount: Int = 1) throws(Failure) {
        self.settings = settings
        host = RenderHost(
            programs: try RendererPrograms.ofRunningProgram(), requiresSandbox: settings.requiresSandbox,
            capacity: Capacity(memoryByteCount: settings.memoryBudget, controlGroup: settings.controlGroup))
        cache = usesCache ? try FolderCache(of: settings) : nil
        warm = cache.flatMap { Self.warmClient(settings, cache: $0) }
        let warnings = Warnings()
        thumbnailer = Thumbnailer(
            host: host, cache: cache, limits: settings.limits, maxUnhashedByteCount: settings.maxUnhashedByteCount,
            threadCount: fileCount == 1 ? min(4, Process.processorCount) : 1, isForOneSource: fileCount == 1,
            warmEngine: warm,
            warn: { warnings.show($0) })
    }

    /// Whether a running thumbd is asked for renditions that the cache lacks.
    var asksService: Bool { warm != nil }

    /// Lets Ctrl-C end the children. The files in progress fail as cancelled, and no partial output stays.
    func endChildrenOnInterrupt() throws(Failure) {
        let (host, warm) = (host, warm)
        do throws(SystemError) {
            try Process.interrupts {
                host.cancelAll()
                warm?.cancelAll()
            }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// The name of standard input and output.
    static let standardStream = FilePath("-")

    /// Opens a file, remote content for `https://…` and `s3://…`, or standard input for `-`.
    func open(_ path: FilePath) throws(Failure) -> SourceFile {
        if path == Self.standardStream { return try .standardInput(limit: settings.maxInputByteCount) }
        guard SourceFile.isAddress(path.readable) else { return try .open(path) }
        return try .fetched(FetchTarget(path.readable, settings))
    }

    /// Warns, when the work is done, of the sandbox's layers that the machine lacks.
    func warnOfMissingLayers() {
        let missing = Set(host.missingLayers + (warm?.missingLayers ?? [])).sorted()
        guard !missing.isEmpty, !settings.requiresSandbox else { return }
        StandardError.write(
            "compass: WARNING: files were opened with an incomplete sandbox: \(missing.joined(separator: "; ")) "
                + "— see compass doctor, or refuse with --require-sandbox\n")
    }

    /// The client of a running thumbd. It looks for the service at the first cache miss.
    private static func warmClient(_ settings: Settings, cache: FolderCache) -> WarmClient? {
        guard settings.warmSocket != .nowhere else { return nil }
        let place = settings.warmSocket
        return WarmClient(
            places: {
                place.paths {
                    WarmPlaces.candidates(cache: cache, environment: Process.environment, user: geteuid())
                }
            })
    }

    /// Evicts renditions if enough was written since the last collection.
    func collectGarbageIfDue() {
        guard let cache, cache.needsCollection(budget: Int64(clamping: settings.cacheBudget)) else { return }
        _ = try? cache.collect(budget: Int64(clamping: settings.cacheBudget))
    }
}

/// Prints each warning once, regardless of how many files cause it.
private final class Warnings: Sendable {
    private let shown = Mutex<Set<String>>([])

    func show(_ failure: Failure) {
        guard shown.withLock({ $0.insert(failure.message).inserted }) else { return }
        StandardError.write("compass: warning: \(failure.line)\n")
    }
}
