import CLinux
import Console
import Linux
import Media
import RenderHost
import Settings
import Synchronization
import ThumbnailCache
import Thumbnailer
import WarmSocket

/// What one call works with: the settings resolved, the cache opened, the engine ready.
struct Session {
    let settings: Settings
    let host: RenderHost
    let cache: FolderCache?
    let thumbnailer: Thumbnailer
    private let warm: WarmClient?

    /// - Parameters:
    ///   - usesCache: otherwise nothing is looked up or kept.
    ///   - fileCount: one file alone may use all processors; of several each uses one.
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

    /// Whether a running thumbd is asked for what the cache lacks.
    var asksService: Bool { warm != nil }

    /// Ctrl-C ends the children; the files in work then fail as cancelled, and nothing half-written stays.
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

    /// What stands for standard input and output.
    static let standardStream = FilePath("-")

    /// Opens a named file, or for `-` standard input.
    func open(_ path: FilePath) throws(Failure) -> SourceFile {
        path == Self.standardStream ? try .standardInput(limit: settings.maxInputByteCount) : try .open(path)
    }

    /// Says once, at the end of the work, what the renderers went without.
    func warnOfMissingLayers() {
        let missing = Set(host.missingLayers + (warm?.missingLayers ?? [])).sorted()
        guard !missing.isEmpty, !settings.requiresSandbox else { return }
        StandardError.write(
            "compass: WARNING: files were opened with an incomplete sandbox: \(missing.joined(separator: "; ")) "
                + "— see compass doctor, or refuse with --require-sandbox\n")
    }

    /// What asks a running thumbd for what the cache lacks; it looks for one only then.
    private static func warmClient(_ settings: Settings, cache: FolderCache) -> WarmClient? {
        guard settings.warmSocket != .nowhere else { return nil }
        let place = settings.warmSocket
        return WarmClient(
            places: {
                WarmPlaces.candidates(place, cache: cache, environment: Process.environment, user: geteuid())
            })
    }

    /// Keeps the cache within its budget, now and then.
    func collectGarbageIfDue() {
        guard let cache, cache.needsCollection(budget: Int64(clamping: settings.cacheBudget)) else { return }
        _ = try? cache.collect(budget: Int64(clamping: settings.cacheBudget))
    }
}

/// What went wrong beside the work is said once, however many files meet it.
private final class Warnings: Sendable {
    private let shown = Mutex<Set<String>>([])

    func show(_ failure: Failure) {
        guard shown.withLock({ $0.insert(failure.message).inserted }) else { return }
        StandardError.write("compass: warning: \(failure.line)\n")
    }
}
