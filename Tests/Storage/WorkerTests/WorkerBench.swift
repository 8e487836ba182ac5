import CLinux
import Hashing
import JobQueue
import Linux
import Media
import QueueWrapping
import RenderHost
import Synchronization
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer
import Worker

/// A queue, a cache and the fake renderer in a scratch folder; a source's text is the renderer's command.
final class WorkerBench: Sendable {
    static let recipe = Recipe(box: Box(width: 8, height: 8)!, fit: .inside)

    let folder: String
    let queue: any JobQueue
    let cache: FolderCache
    let events = EventLog()
    private let hosts = Mutex<[RenderHost]>([])

    /// - Parameter queue: `nil` for a new queue.
    init(queue: (any JobQueue)? = nil, cachePath: String? = nil) throws {
        folder = TemporaryFolder.make("worker")
        mkdir("\(folder)/libexec", 0o755)
        mkdir("\(folder)/sources", 0o755)
        for rendererClass in RendererClass.allCases {
            symlink("\(BuiltPrograms.folder)/fake-renderer", "\(folder)/libexec/\(rendererClass.programName)")
        }
        var policy = QueuePolicy()
        policy.firstBackoff = .milliseconds(20)
        self.queue = try queue ?? makeScratchQueue(policy)
        cache = FolderCache(path: cachePath ?? "\(folder)/cache")
    }

    /// A worker with short pauses; `change` adjusts it.
    func makeWorker(
        _ name: String = "test", registry: WorkerRegistry? = nil, limits: Limits = Limits(),
        change: (inout WorkerOptions) -> Void = { _ in },
        openQueue: (@Sendable () throws(QueueError) -> any JobQueue)? = nil, openObject: Worker.ObjectOpening? = nil,
        shared: (any SharedPictures)? = nil
    ) throws -> RunningWorker {
        let host = RenderHost(programs: RendererPrograms(directory: "\(folder)/libexec"))
        hosts.withLock { $0.append(host) }
        // As in thumbd: crashes are remembered with the builds of all renderers.
        for rendererClass in RendererClass.allCases { _ = try host.build(of: rendererClass) }
        let engine = Thumbnailer(
            host: host, cache: cache, limits: limits, maxUnhashedByteCount: 1, threadCount: 1, warn: { _ in })
        var options = WorkerOptions(name: name, slotCount: 1)
        options.firstPause = .milliseconds(20)
        options.longestPause = .milliseconds(100)
        options.longestSleep = .milliseconds(500)
        change(&options)
        var upkeep = Upkeep()
        upkeep.rescueInterval = .milliseconds(50)
        let (queue, events) = (queue, events)
        // Without `??`: the compiler (6.3.1) crashes on a closure with typed errors there.
        let open: @Sendable () throws(QueueError) -> any JobQueue
        if let openQueue { open = openQueue } else { open = { () throws(QueueError) in queue } }
        let worker = Worker(
            options, openQueue: open, engine: engine, host: host,
            cache: cache,
            roots: try SourceRoots(["\(folder)/sources"], maxByteCount: 1000), openObject: openObject,
            shared: shared, registry: registry, upkeep: upkeep,
            observer: events.note)
        return try RunningWorker(worker)
    }

    /// Writes a source with this text.
    @discardableResult
    func write(_ text: String, _ name: String = "source") throws -> String {
        let path = "\(folder)/sources/\(name)"
        try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644).write(Array(text.utf8))
        return path
    }

    /// Queues a source with this text.
    func enqueue(
        _ text: String, _ name: String = "source", priority: Priority = .upload, digest: Digest? = nil
    ) throws -> JobID {
        try enqueue(path: write(text, name), priority: priority, digest: digest)
    }

    func enqueue(path: String, priority: Priority = .upload, digest: Digest? = nil) throws -> JobID {
        try queue.enqueue(
            JobRequest(source: .path(path), digest: digest, recipes: [Self.recipe], priority: priority)
        ).id
    }

    /// Waits until a job has ended or is in a given state.
    func wait(for id: JobID, toBe state: JobState) throws -> (job: QueuedJob, attempts: [Attempt]) {
        let deadline = Time.monotonic + .seconds(60)
        while true {
            let (job, attempts) = try queue.show(id)
            if job.state == state { return (job, attempts) }
            try #require(
                Time.monotonic < deadline,
                "job \(id) is \(job.state), not \(state): \(String(describing: job.lastFailure))")
            Time.sleep(.milliseconds(2))
        }
    }

    /// Whether the cache has the rendition of this content.
    func hasRendition(of text: String) -> Bool {
        let key = SourceKey.digest(SHA256.digest(of: Array(text.utf8)))
        if case .hit = cache.lookup(key, recipe: Self.recipe, currentBuild: { nil }) { return true }
        return false
    }

    func close() {
        for host in hosts.withLock({ $0 }) { host.shutDown() }
        system("rm -rf '\(folder)'")
    }
}
