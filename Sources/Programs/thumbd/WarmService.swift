import CLinux
import Console
import Linux
import Logging
import Media
import ThumbnailCache
import Thumbnailer

/// Lends the service's warm renderers to `compass thumb` through a socket, in addition to the queue.
struct WarmService {
    private let server: WarmServer?

    /// Listens at the socket of the settings. If that fails, the queue is processed all the same, and callers render
    /// themselves.
    init(_ settings: Settings, _ engine: Thumbnailer, _ cache: FolderCache, _ metrics: Metrics, _ logger: Logger) {
        guard settings.warmSocket != .nowhere else {
            server = nil
            return
        }
        var places: [String] = []
        do throws(Failure) {
            // Both sides derive the socket from the folder's identity, so the folder must exist.
            try cache.makeFolder()
            places = settings.warmSocket.paths {
                WarmPlaces.candidates(cache: cache, environment: Process.environment, user: geteuid())
            }
            server = try WarmServer.listening(atFirstOf: places, engine: engine) { request in
                metrics.note(request)
                Self.log(request, logger)
            }
            logger.debug("serving warm renderers", metadata: ["socket": "\(server?.path ?? "")"])
        } catch {
            server = nil
            logger.warning(
                "not serving warm renderers: \(error.message)",
                metadata: ["detail": "\(error.detail)", "places": "\(places.joined(separator: ", "))"])
        }
    }

    /// The number of requests in progress.
    var runningCount: Int { server?.runningCount ?? 0 }

    /// Accepts no further requests; those in progress may finish within `patience`.
    func stop(finishingWithin patience: Duration) { server?.stop(finishingWithin: patience) }

    private static func log(_ request: WarmServer.Served, _ logger: Logger) {
        var metadata: Logger.Metadata = ["name": "\(request.name)", "ms": "\(request.duration.milliseconds)"]
        switch request.outcome {
        case .made(let isCached):
            metadata["outcome"] = isCached ? "cached" : "made"
            logger.debug("asked", metadata: metadata)
        case .failed(let failure):
            metadata["outcome"] = "failed"
            metadata["reason"] = "\(failure)"
            logger.debug("asked", metadata: metadata)
        case .refused(let reason):
            metadata["outcome"] = "refused"
            metadata["reason"] = "\(reason)"
            logger.info("asked", metadata: metadata)
        case .busy:
            metadata["outcome"] = "busy"
            logger.info("asked", metadata: metadata)
        }
    }
}
