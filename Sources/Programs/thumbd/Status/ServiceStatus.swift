import HTTPServing
import JobQueue
import Linux
import Media
import RenderHost
import Synchronization
import Worker

/// The current state of the service, which `/metrics`, `/healthz` and `/readyz` show.
final class ServiceStatus: Sendable {
    private let worker: Worker
    private let host: RenderHost
    private let warm: WarmService
    private let metrics: Metrics
    private let openQueue: @Sendable () throws(QueueError) -> any JobQueue
    private let isStarted = Atomic(false)
    private let isEnding = Atomic(false)
    private let began = Time.wall / 1_000_000_000
    private let queue = Mutex<(any JobQueue)?>(nil)

    /// - Parameter openQueue: opens this object's own queue, so that a slow query does not block the worker.
    init(
        _ worker: Worker, _ host: RenderHost, _ warm: WarmService, _ metrics: Metrics,
        openQueue: @escaping @Sendable () throws(QueueError) -> any JobQueue
    ) {
        self.worker = worker
        self.host = host
        self.warm = warm
        self.metrics = metrics
        self.openQueue = openQueue
    }

    /// Notes that jobs are claimed from now on.
    func start() { isStarted.store(true, ordering: .releasing) }
    /// Notes that no more jobs are claimed.
    func end() { isEnding.store(true, ordering: .releasing) }

    /// Whether the process works; otherwise a supervisor should restart it.
    var isHealthy: Bool { worker.isResponsive }

    /// The reasons why no jobs are claimed now; empty while jobs are claimed.
    var notReadyReasons: [String] {
        if isEnding.load(ordering: .acquiring) { return ["shutting down: no more jobs are claimed"] }
        if !isStarted.load(ordering: .acquiring) { return ["starting"] }
        return worker.troubles.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue): \($0.value)" }
    }

    /// All metrics in Prometheus' text format. Reads the queue, and so may block while another process holds its lock.
    var text: String { (queueFamilies + metrics.families + ownFamilies).map(\.text).joined() }

    private var queueFamilies: [MetricFamily] {
        guard let status = queueStatus else {
            return [.gauge("compass_queue_up", "Whether the queue is reachable.", ["": 0])]
        }
        var jobs: [String: Double] = [:]
        for kind in Set(status.counts.map(\.kind) + [.renditions]) {
            for state in JobState.allCases {
                jobs["kind=\"\(kind)\",state=\"\(state.rawValue)\""] = Double(status.jobCount(state, of: kind))
            }
        }
        let age = status.oldestWaiting.map { max(0, Double(Time.wall / 1_000_000 - $0.milliseconds) / 1000) }
        return [
            .gauge("compass_queue_up", "Whether the queue is reachable.", ["": 1]),
            .gauge("compass_queue_jobs", "Jobs in the queue, by kind and state.", jobs),
            .gauge("compass_queue_age_seconds", "How long the oldest waiting job has waited.", ["": age ?? 0]),
            .gauge("compass_queue_done_per_minute", "Jobs done recently by all workers.", ["": status.donePerMinute]),
        ]
    }

    private var queueStatus: QueueStatus? {
        do throws(QueueError) {
            let queue: any JobQueue
            if let known = self.queue.withLock({ $0 }) {
                queue = known
            } else {
                queue = try openQueue()
                self.queue.withLock { $0 = queue }
            }
            return try queue.status()
        } catch {
            // The next call reopens the queue; the worker itself logs the fault.
            self.queue.withLock { $0 = nil }
            return nil
        }
    }

    private var ownFamilies: [MetricFamily] {
        let restarts = host.restartCounts
        let renderers = RendererClass.allCases.map { ("renderer=\"\($0.name)\"", UInt64(restarts[$0] ?? 0)) }
        let troubles = worker.troubles
        let reach = WorkerEvent.Dependency.allCases.map {
            ("dependency=\"\($0.rawValue)\"", troubles[$0] == nil ? 1.0 : 0)
        }
        return [
            .gauge("compass_jobs_running", "Jobs running in this process.", ["": Double(worker.runningCount)]),
            .gauge(
                "compass_warm_requests_running", "Warm-socket requests running in this process.",
                ["": Double(warm.runningCount)]),
            .gauge(
                "compass_dependency_up", "Whether a dependency of the worker is reachable.",
                .init(uniqueKeysWithValues: reach)),
            .counter(
                "compass_renderer_restarts_total", "Renderers that died and were started again.",
                .init(uniqueKeysWithValues: renderers)),
            .gauge(
                "compass_renderers_resident_memory_bytes",
                "Memory of renderers and their children; pages that they share count for each.",
                ["": Double(ProcessMemory.descendants)]),
            .gauge("process_resident_memory_bytes", "Memory of this process.", ["": Double(ProcessMemory.own)]),
            .gauge("process_start_time_seconds", "When this process started, in Unix time.", ["": Double(began)]),
            .gauge("compass_build_info", "The program's version.", ["version=\"\(Release.version)\"": 1]),
        ]
    }
}
