import CLinux
import JobQueue
import Linux
import Media
import Synchronization
import TestSupport

/// One run: workers start and die, the disk fills, the clock jumps, jobs are added. Then the jobs finish undisturbed,
/// and the audit follows.
final class Chaos {
    private let programs: String
    private let scratch: Scratch
    private let mode: ChaosMode
    private let clock: JumpingClock
    private let supply: Supply
    private var dice: SplitMix
    private var workers: [Child] = []
    private var stopped: [(worker: Child, until: Duration)] = []
    /// How often a stopped worker was woken.
    private var returnCount = 0
    private var started = 0
    private var sources: [JobID: Supply.Source] = [:]
    private var canFillDisk = false
    private var diskIsFullUntil: Duration?
    private(set) var tally = Tally()

    private static let workerCount = 3
    private static let diskMegabytes = 1024
    /// The run adds jobs while fewer than this wait.
    private static let leastWaiting = 40

    init(programs: String, samples: String, scratch: Scratch, seed: UInt64, mode: ChaosMode) throws {
        self.programs = programs
        self.scratch = scratch
        self.mode = mode
        dice = SplitMix(seed: seed)
        canFillDisk = scratch.mountDisk(megabytes: Self.diskMegabytes)
        clock = try JumpingClock(scratch.clock)
        supply = try Supply(samples: samples, programs: programs, folder: scratch.sources, hasKillers: mode == .fenced)
        try SQLiteQueue.migrate(path: scratch.queue)
        tally.seed = seed
        tally.mode = mode.rawValue
        if !canFillDisk { say("chaos: no file system can be mounted here: the disk is not filled in this run") }
    }

    /// - Returns: the faults that the audit found.
    func run(for duration: Duration) throws -> [String] {
        defer {
            for worker in workers { worker.send(SIGKILL) }
            scratch.unmountDisk()
        }
        tally.seconds = Int(duration.components.seconds)
        let start = Time.monotonic
        var queue: (any JobQueue)?
        while Time.monotonic < start + duration || (lacksReturns && Time.monotonic < start + duration * 8) {
            queue = queue ?? (try? SQLiteQueue(path: scratch.queue, .chaos(clock)))
            try replaceDead(mayDie: true)
            if let queue { try topUp(queue) }
            disturb()
            Time.sleep(.milliseconds(Int64.random(in: 20...120, using: &dice)))
        }
        let settled = try settle()
        let audit = try Audit(scratch, sources, mode)
        let findings = settled + audit.findings
        tally.add("jobs accepted", sources.count)
        for (name, count) in audit.counts { tally.add(name, count) }
        return findings
    }

    /// Whether too few stopped workers have resumed to show the fault of a run without fencing; on a busy machine this
    /// takes longer.
    private var lacksReturns: Bool { mode == .unfenced && returnCount < 5 }

    // MARK: Workers

    private func replaceDead(mayDie: Bool) throws {
        for worker in workers where worker.hasEnded {
            if worker.wasKilled { tally.add("workers that died by −9") } else { tally.add("workers that left") }
            if let status = worker.exitStatus, status != 0 { tally.add("workers that left with status \(status)") }
        }
        workers.removeAll { $0.hasEnded }
        stopped.removeAll { $0.worker.hasEnded }
        while workers.count < Self.workerCount {
            started += 1
            let point = mayDie ? nextPoint() : nil
            let name = "w\(started)"
            workers.append(
                try Child(
                    "/proc/self/exe",
                    ChaosWorker.arguments(
                        scratch, programs: programs, name: name, mode: mode, point: point, dice: &dice),
                    log: "\(scratch.path)/log/\(name)"))
        }
    }

    /// Where the next worker kills itself.
    ///
    /// Without fencing, one worker in three stops itself instead, with a job stored and not yet completed. This makes
    /// certain that the case for fencing occurs, and two workers remain to take the job over.
    private func nextPoint() -> KillPoint? {
        if mode == .unfenced { return started % Self.workerCount == 1 ? .afterStore : nil }
        return dice.shows(70) ? KillPoint.allCases.randomElement(using: &dice) : nil
    }

    // MARK: Disturbances

    private func disturb() {
        wakeStopped()
        if let until = diskIsFullUntil, Time.monotonic > until { emptyDisk() }
        for worker in workers where worker.hasStopped { leaveStopped(worker) }
        // A stopped worker that is killed completes nothing twice.
        if mode == .unfenced { return }
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<3:
            workers.randomElement(using: &dice)?.send(SIGKILL)
            tally.add("killed from outside")
        case 3..<7: workers.randomElement(using: &dice)?.send(SIGSTOP)
        case 7..<9:
            workers.randomElement(using: &dice)?.send(SIGTERM)
            tally.add("told to drain")
        case 9..<11:
            // The clock has not jumped forward yet, so it cannot jump back.
            clock.jump(to: [0, 0, 5_000, -5_000, 3_600_000, -3_600_000].randomElement(using: &dice)!)
            tally.add("clock jumps")
        case 11 where canFillDisk && diskIsFullUntil == nil:
            scratch.fillDisk(true)
            diskIsFullUntil = Time.monotonic + .milliseconds(Int64.random(in: 500...2500, using: &dice))
            tally.add("times the disk was full")
        default: break
        }
    }

    /// Stops a worker for longer than its lease: others take its jobs, then it resumes.
    private func leaveStopped(_ worker: Child) {
        let pause = ChaosWorker.lease + .milliseconds(Int64.random(in: 1000...2000, using: &dice))
        stopped.append((worker, Time.monotonic + pause))
        tally.add("stopped for longer than the lease")
    }

    private func wakeStopped(all: Bool = false) {
        for entry in stopped where all || Time.monotonic > entry.until {
            entry.worker.send(SIGCONT)
            returnCount += 1
        }
        stopped.removeAll { all || Time.monotonic > $0.until }
    }

    private func emptyDisk() {
        scratch.fillDisk(false)
        diskIsFullUntil = nil
    }

    // MARK: Jobs

    private func topUp(_ queue: any JobQueue) throws {
        guard let status = try? queue.status(), status.jobCount(.available) < Self.leastWaiting else { return }
        let batch = try supply.next(20, &dice)
        do throws(QueueError) {
            for (added, item) in zip(try queue.enqueue(batch.map(\.request)), batch) { sources[added.id] = item.source }
        } catch {
            // Not accepted, so it may be lost.
            tally.add("batches refused (\(error.word))")
        }
    }

    /// Lets all jobs finish without further disturbance.
    private func settle() throws -> [String] {
        wakeStopped(all: true)
        emptyDisk()
        // Jobs that wait for a time of the jumped clock become due.
        clock.jump(to: 8 * 3_600_000)
        for worker in workers { worker.send(SIGKILL) }
        let deadline = Time.monotonic + .seconds(120)
        let queue = try SQLiteQueue(path: scratch.queue, .chaos(clock))
        while Time.monotonic < deadline {
            try replaceDead(mayDie: false)
            let status = try queue.status()
            if status.jobCount(.available) + status.jobCount(.leased) == 0 { break }
            Time.sleep(.milliseconds(50))
        }
        var findings: [String] = []
        for worker in workers { worker.send(SIGTERM) }
        for worker in workers {
            if !worker.ends(by: Time.monotonic + .seconds(15)) {
                findings.append("a worker did not end after SIGTERM")
            } else if worker.exitStatus != 0 {
                findings.append(
                    "a worker ended its drain with \(worker.exitStatus.map { "status \($0)" } ?? "a signal")")
            }
        }
        return findings
    }
}

extension QueueError {
    var word: String {
        if case .unavailable(let trouble, _) = self { trouble.rawValue } else { "\(self)" }
    }
}
