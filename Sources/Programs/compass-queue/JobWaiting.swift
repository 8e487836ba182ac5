import Console
import JobQueue
import Linux
import Media
import Synchronization

/// Waits until jobs have ended, and prints the result of each.
struct JobWaiting {
    private let access: QueueAccess
    private let queue: any JobQueue
    private var results: JobResults
    /// The files of each job; equal files share one.
    private var names: [JobID: [JobBatch.Queued]]
    /// The unfinished jobs, in the order in which they are checked next.
    private var unfinished: [JobID]
    private let total: Int
    private var bar: ProgressBar
    private var lastChange = Time.monotonic
    private var hasWarned = false

    /// The number of jobs that one round checks; the next round continues with the others.
    private static let window = 500
    private static let shortestPause: Duration = .milliseconds(5)
    private static let longestPause: Duration = .milliseconds(200)
    /// The time without progress after which a missing worker is reported.
    private static let patience: Duration = .seconds(5)

    init(access: QueueAccess, queue: any JobQueue, jobs: [JobBatch.Queued], results: JobResults) {
        self.access = access
        self.queue = queue
        self.results = results
        names = Dictionary(grouping: jobs) { $0.answer.id }
        unfinished = names.keys.sorted()
        total = unfinished.count
        bar = ProgressBar(total: total)
    }

    /// Waits for all jobs. Ctrl-C ends the program.
    ///
    /// - Returns: the exit status.
    mutating func run() throws(Failure) -> Int32 {
        let isInterrupted = Flag()
        do throws(SystemError) {
            try Process.interrupts { isInterrupted.set() }
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        var pause = Self.shortestPause
        while !unfinished.isEmpty {
            if isInterrupted.isSet { leave() }
            let before = unfinished.count
            try look()
            bar.show(total - unfinished.count)
            if unfinished.count < before {
                lastChange = Time.monotonic
                pause = Self.shortestPause
            } else {
                try warnWithoutWorker()
                Time.sleep(pause)
                pause = min(pause * 2, Self.longestPause)
            }
        }
        bar.clear()
        return results.status
    }

    /// Checks the next jobs, prints the finished ones, and moves the others to the end.
    private mutating func look() throws(Failure) {
        let looked = unfinished.prefix(Self.window)
        var rest = Array(unfinished.dropFirst(Self.window))
        for id in looked {
            guard let job = try job(id), job.state.isUnfinished else {
                bar.clear()
                results.print(try job(id), files: names[id]!)
                continue
            }
            if case .leased = job.state { lastChange = Time.monotonic }
            rest.append(id)
        }
        StandardOutput.flush()
        unfinished = rest
    }

    /// The job; `nil` if it was pruned in the meantime.
    private func job(_ id: JobID) throws(Failure) -> Job? {
        try access.attempt { () throws(QueueError) in
            do throws(QueueError) {
                return try queue.show(id).job
            } catch .noSuchJob {
                return nil
            }
        }
    }

    private mutating func warnWithoutWorker() throws(Failure) {
        guard !hasWarned, Time.monotonic - lastChange > Self.patience else { return }
        let queue = queue
        let status = try access.attempt { () throws(QueueError) in try queue.status() }
        guard status.jobCount(.leased) == 0 else { return }
        hasWarned = true
        bar.clear()
        let isPaused = status.pausedKinds.contains(.renditions)
        StandardError.write(
            isPaused
                ? "compass: the queue is paused: compass queue resume\n"
                : "compass: no worker claims these jobs: is thumbd running on this queue?\n")
    }

    /// Ends the program at Ctrl-C; the jobs stay queued.
    private mutating func leave() -> Never {
        bar.clear()
        let done = total - unfinished.count
        StandardError.write("compass: \(done) of \(total) jobs are finished; the others stay queued\n")
        Process.exit(130)
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }
}
