import CLinux
import JobQueue
import Linux
import Synchronization

/// Kills this process at the n-th pass of a point, or stops it at every n-th pass.
final class Killer: Sendable {
    private let point: KillPoint?
    private let passes: Int
    private let left: Mutex<Int>
    private let delay: Duration
    private let stops: Bool
    private let journal: Journal

    /// - Parameter stops: whether it stops this process, for the run to wake it, instead of killing it.
    init(_ point: KillPoint?, passes: Int, delay: Duration, stops: Bool, journal: Journal) {
        self.point = point
        self.passes = passes
        left = Mutex(passes)
        self.delay = delay
        self.stops = stops
        self.journal = journal
    }

    func pass(_ point: KillPoint) {
        guard point == self.point else { return }
        let isTime = left.withLock { left in
            left -= 1
            guard left == 0 else { return false }
            if stops { left = passes }
            return true
        }
        guard isTime else { return }
        if stops {
            kill(getpid(), SIGSTOP)
            return
        }
        journal.write("kill \(point.rawValue)")
        if point.longestDelay == nil { die() }
        let delay = delay
        let thread = try? WorkerThread(name: "killer") {
            Time.sleep(delay)
            Self.die()
        }
        if thread == nil { die() }
    }

    /// Ends this process when it starts a job that kills every worker.
    func die(of job: JobID) {
        journal.write("kill by-job")
        Self.die()
    }

    private func die() { Self.die() }

    private static func die() { kill(getpid(), SIGKILL) }
}

/// The workers' journal for the audit: only whole lines, however the process ends.
final class Journal: Sendable {
    private let file: Descriptor

    init(_ path: String) throws(SystemError) { file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND) }

    func write(_ line: String) {
        do throws(SystemError) {
            try file.write(Array((line + "\n").utf8))
        } catch {
            // Without its journal a run proves nothing.
            fatalError("journal: \(error)")
        }
    }
}
