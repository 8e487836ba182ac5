import CLinux
import Hashing
import JobQueue
import Linux
import Media
import ThumbnailCache

/// Compares two thumbds over a whole corpus, killed by `kill -9` in turns, with two undisturbed ones.
struct CorpusRun {
    let thumbd: String
    let corpus: String
    let scratch: Scratch
    let pause: Duration

    /// A file's outcome: its state, its failure, its rendition's checksum, and the time of its last attempt.
    private typealias Ends = [String: (what: String, took: Duration)]

    /// The outcome of a file of which five workers died that had nothing else in work.
    private static let deadOfWorkers = "dead crashed"

    /// - Returns: the files whose outcomes differ, and separately the files that take longer than a worker lives.
    func run() throws -> [String] {
        let files = try self.files()
        let peaceful = try work(files, in: "\(scratch.path)/peaceful", killing: false)
        let killed = try work(files, in: "\(scratch.path)/killed", killing: true)
        print("| | files | done | dead | workers killed | seconds |\n|---|---|---|---|---|---|")
        for (name, run) in [("undisturbed", peaceful), ("killed every \(pause.components.seconds) s", killed)] {
            let done = run.ends.values.filter { $0.what.hasPrefix("done") }.count
            let dead = run.ends.values.filter { $0.what.hasPrefix("dead") }.count
            print("| \(name) | \(files.count) | \(done) | \(dead) | \(run.kills) | \(run.seconds) |")
        }
        return files.compactMap { file in
            let one = peaceful.ends[file] ?? ("lost", .zero)
            let other = killed.ends[file]?.what ?? "lost"
            if one.what == other { return nil }
            let difference = "\(file): \(one.what) undisturbed, \(other) when killed"
            // No worker lives long enough for it: five workers die with it alone, and the queue's rule makes it a dead
            // letter.
            guard one.took >= pause, other == Self.deadOfWorkers else { return difference }
            print("slower (\(Int(one.took.components.seconds)) s) than workers live here: \(difference)")
            return nil
        }
    }

    private func work(_ files: [String], in folder: String, killing: Bool) throws -> (
        ends: Ends, kills: Int, seconds: Int
    ) {
        _ = try Child.finish("/bin/mkdir", ["-p", folder])
        let queuePath = "\(folder)/queue.sqlite"
        try SQLiteQueue.migrate(path: queuePath)
        let queue = try SQLiteQueue(path: queuePath)
        let recipes = [Preset.grid.recipe]
        try queue.enqueue(files.map { JobRequest(source: .path($0), recipes: recipes) })
        let arguments = [
            "--queue", queuePath, "--cache", "\(folder)/cache", "--root", corpus, "--listen", "", "--jobs", "1",
        ]
        func start(_ number: Int) throws -> Child { try Child(thumbd, arguments, log: "\(folder)/log-\(number)") }
        var workers = [try start(0), try start(1)]
        defer { for worker in workers { worker.send(SIGKILL) } }
        let began = Time.monotonic
        var nextKill = began + pause
        var kills = 0
        while true {
            let status = try queue.status()
            if status.jobCount(.available) + status.jobCount(.leased) == 0 { break }
            if killing, Time.monotonic > nextKill {
                nextKill = Time.monotonic + pause
                // In turns.
                let index = kills % workers.count
                workers[index].send(SIGKILL)
                _ = workers[index].ends(by: Time.monotonic + .seconds(5))
                workers[index] = try start(index)
                kills += 1
            }
            guard Time.monotonic - began < .seconds(1800) else { break }
            Time.sleep(.milliseconds(50))
        }
        let seconds = Int((Time.monotonic - began).components.seconds)
        for worker in workers { worker.send(SIGTERM) }
        for worker in workers where !worker.ends(by: Time.monotonic + .seconds(40)) { worker.send(SIGKILL) }
        return (try ends(of: queue, cache: FolderCache(path: "\(folder)/cache"), recipe: recipes[0]), kills, seconds)
    }

    private func ends(of queue: SQLiteQueue, cache: FolderCache, recipe: Recipe) throws -> Ends {
        var ends: Ends = [:]
        var filter = JobFilter(limit: 500)
        while true {
            let jobs = try queue.list(filter)
            guard let last = jobs.last else { return ends }
            filter.before = last.id
            for job in jobs {
                let attempt = try queue.show(job.id).attempts.last
                let took = attempt.flatMap { attempt in attempt.ended.map { $0 - attempt.started } }
                ends[job.source.location] = (end(of: job, cache, recipe), took ?? .zero)
            }
        }
    }

    private func end(of job: Job, _ cache: FolderCache, _ recipe: Recipe) -> String {
        guard job.state == .done else { return "\(job.state.rawValue) \(job.lastFailure?.code.rawValue ?? "")" }
        guard let digest = job.digest,
            case .hit(let stored) = cache.lookup(.digest(digest), recipe: recipe, currentBuild: { nil })
        else { return "done without a rendition" }
        return "done \(SHA256.digest(of: stored.rendition.bytes).hex.prefix(12))"
    }

    /// Every file below the corpus, in one order.
    private func files() throws -> [String] {
        let list = "\(scratch.path)/files"
        let child = try Child("/usr/bin/find", [corpus, "-type", "f", "-size", "+0", "-print"], log: list)
        guard child.ends(by: Time.monotonic + .seconds(60)) else { return [] }
        let bytes = try Descriptor.open(list, O_RDONLY).readAll(limit: 1 << 24) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    }
}
