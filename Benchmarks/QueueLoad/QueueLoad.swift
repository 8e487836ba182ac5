import CLinux
import JobQueue
import Linux
import Media

/// Adds jobs to a queue and measures the time.
struct QueueLoad {
    private let queue: SQLiteQueue
    private let recipes = [Preset.grid.recipe]

    init(_ queue: SQLiteQueue) { self.queue = queue }

    /// Adds all jobs in batches.
    func enqueue(_ priority: Priority) throws {
        let requests = try paths().map { JobRequest(source: .path($0), recipes: recipes, priority: priority) }
        for begin in stride(from: 0, to: requests.count, by: 1000) {
            try queue.enqueue(Array(requests[begin..<min(begin + 1000, requests.count)]))
        }
    }

    /// Adds jobs one by one; prints the milliseconds from each job to the start of its attempt.
    func latency(_ priority: Priority, pause: Duration) throws {
        var ids: [JobID] = []
        for path in try paths() {
            ids.append(try queue.enqueue(JobRequest(source: .path(path), recipes: recipes, priority: priority)).id)
            Time.sleep(pause)
        }
        Time.sleep(.seconds(1))
        var delays: [Int64] = []
        for id in ids {
            let (job, attempts) = try queue.show(id)
            guard let first = attempts.first else { throw Failure(.unavailable, detail: "job \(id) never began") }
            delays.append(first.started.milliseconds - job.enqueued.milliseconds)
        }
        delays.sort()
        print("\(delays[delays.count / 2]) \(delays[delays.count * 99 / 100]) \(delays.last!)")
    }

    /// Prints the median times of claim, release and status, in microseconds.
    func operations(_ count: Int) throws {
        var (claims, releases, statuses): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<count {
            var claimed: [ClaimedJob] = []
            claims.append(try timed { claimed = try queue.claim(upTo: 1, by: "queue-load", for: .seconds(60)) })
            releases.append(try timed { for job in claimed { try queue.release(job.token) } })
            statuses.append(try timed { _ = try queue.status() })
        }
        print([claims, releases, statuses].map { "\(Int($0.sorted()[$0.count / 2]))" }.joined(separator: " "))
    }

    private func timed(_ body: () throws -> Void) rethrows -> Double {
        let begin = Time.monotonic
        try body()
        return (Time.monotonic - begin).milliseconds * 1000
    }

    private func paths() throws -> [String] {
        let input = Descriptor(owning: try checking("dup") { dup(0) })
        let bytes = try input.readAll(limit: 1 << 28) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension Priority {
    init(word: String) throws(Failure) {
        guard let priority = Priority.allCases.first(where: { "\($0)" == word }) else {
            throw Failure(.usage, message: "A priority is interactive, upload or backfill.")
        }
        self = priority
    }
}
