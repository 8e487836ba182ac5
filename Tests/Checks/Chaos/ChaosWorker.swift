import CLinux
import JobQueue
import Linux
import Media
import RenderHost
import TestSupport
import ThumbnailCache
import Thumbnailer
import Worker

/// A worker process: the module `Worker`, as in thumbd, over a queue that kills it.
struct ChaosWorker {
    /// Shorter than the time for which a worker is stopped.
    static let lease: Duration = .seconds(2)

    private let scratch: String
    private let programs: String
    private let name: String
    private let mode: ChaosMode
    private let point: KillPoint?
    private let passes: Int
    private let delay: Duration

    /// The arguments of a worker that dies at a point, or at none.
    static func arguments(
        _ scratch: Scratch, programs: String, name: String, mode: ChaosMode, point: KillPoint?, dice: inout SplitMix
    ) -> [String] {
        let delay = Int64.random(in: 0...(point?.longestDelay ?? 0), using: &dice)
        return [
            "worker", scratch.path, programs, name, mode.rawValue, point?.rawValue ?? "none",
            "\(Int.random(in: 1...8, using: &dice))", "\(delay)",
        ]
    }

    init(parsing arguments: [String]) throws {
        guard arguments.count == 7, let mode = ChaosMode(rawValue: arguments[3]), let passes = Int(arguments[5]),
            let delay = Int64(arguments[6])
        else { throw Failure(.usage, detail: "worker \(arguments)") }
        scratch = arguments[0]
        programs = arguments[1]
        name = arguments[2]
        self.mode = mode
        point = KillPoint(rawValue: arguments[4])
        self.passes = passes
        self.delay = .microseconds(delay)
    }

    /// Works until SIGTERM; a worker whose driver dies ends too.
    func run() throws {
        clinux_prctl(Int32(PR_SET_PDEATHSIG), UInt(SIGKILL), 0, 0, 0)
        let disk = "\(scratch)/disk"
        let journal = try Journal("\(scratch)/journal")
        let killer = Killer(point, passes: passes, delay: delay, stops: mode == .unfenced, journal: journal)
        let clock = try JumpingClock("\(scratch)/clock")
        let host = RenderHost(programs: RendererPrograms(directory: programs))
        let cache = FolderCache(path: "\(disk)/cache")
        let engine = Thumbnailer(
            host: host, cache: cache, limits: Limits(), maxUnhashedByteCount: 16 << 20, threadCount: 1,
            warn: { say("\(name) warns: \($0)") })
        var options = WorkerOptions(name: name, slotCount: 2)
        options.lease = Self.lease
        options.longestPause = .milliseconds(500)
        var upkeep = Upkeep()
        upkeep.rescueInterval = .milliseconds(500)
        let mode = mode
        let worker = Worker(
            options,
            openQueue: { () throws(QueueError) in
                ChaosQueue(
                    try SQLiteQueue(path: "\(disk)/queue.sqlite", .chaos(clock)), mode: mode, killer: killer,
                    journal: journal)
            },
            engine: engine, host: host, cache: cache,
            roots: try SourceRoots(["\(scratch)/sources"], maxByteCount: 1 << 30), registry: try register(),
            upkeep: upkeep, observer: { event in Self.log(event, of: name) })
        try endOnSignal(worker)
        try worker.run()
        host.shutDown()
    }

    /// On a full disk the worker cannot even enter its name; it tries again soon.
    private func register() throws -> WorkerRegistry {
        while true {
            do throws(Failure) {
                return try WorkerRegistry(folder: "\(scratch)/disk/workers", name: name, version: "chaos")
            } catch {
                say("\(name): \(error)")
                Time.sleep(.milliseconds(200))
            }
        }
    }

    private func endOnSignal(_ worker: Worker) throws(SystemError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        _ = try WorkerThread(name: "signals") {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGTERM)
            var number: Int32 = 0
            sigwait(&signals, &number)
            worker.drain(within: .seconds(5))
        }
    }

    private static func log(_ event: WorkerEvent, of name: String) {
        switch event {
        case .finished(let report):
            let failure = report.failure.map { " \($0)" } ?? ""
            say("\(name) job \(report.job.id) attempt \(report.attempt ?? 0) \(report.outcome.rawValue)\(failure)")
        default: say("\(name) \(event)")
        }
    }
}
