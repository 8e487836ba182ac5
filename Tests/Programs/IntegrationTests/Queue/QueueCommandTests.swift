import Foundation
import JobQueue
import Media
import TestDeadline
import Testing

@Suite("compass queue, as a person uses it", .deadline)
struct QueueCommandTests {
    private func request(_ path: String) -> JobRequest {
        JobRequest(source: .path(path), recipes: [Preset.list.recipe, Preset.grid.recipe])
    }

    @Test("A queue is made by migrate, folders and all, and migrate is harmless afterwards")
    func migrate() throws {
        let made = try QueueProgram(migrates: false)
        defer { made.program.remove() }
        for command in [
            ["queue", "status"], ["queue", "list"], ["queue", "requeue", "1"], ["queue", "prune", "--json"],
            ["enqueue", "/etc/hostname"],
        ] {
            let output = try made.run(command)
            #expect(output.status == 3)
            #expect(output.errorLines.count == 1 && output.standardOutput.isEmpty)
            #expect(output.standardError.contains("compass queue migrate"), "\(output.standardError)")
        }
        #expect(!FileManager.default.fileExists(atPath: made.queuePath), "nothing but migrate makes it")
        for _ in 1...2 { #expect(try made.run(["queue", "migrate"]).status == 0) }
        #expect(try made.run(["queue", "status"]).standardOutput.contains("no job has been queued yet"))
    }

    @Test("status counts by kind and state, with the rate and the wait of the oldest job")
    func status() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        let queue = try made.queue()
        try queue.enqueue((1...1204).map { request("/srv/\($0)") })
        let claimed = try queue.claim(upTo: 12, by: "w", for: .seconds(60))
        for job in claimed.prefix(10) { try queue.complete(job.token, JobOutcome()) }
        try queue.fail(claimed[10].token, Failure(.corrupt), isRetryable: false, timings: [])
        try queue.cancel(JobID(rawValue: 1204))
        try queue.pause(JobKind(rawValue: "scans")!)

        let text = try made.run(["queue", "status"]).standardOutput
        #expect(text.contains("renditions        1,191        1    10     1          1"), "\(text)")
        #expect(text.contains("scans (paused)        0        0     0     0          0"))
        #expect(
            text.contains("rate     2.0 jobs/min in the last five minutes; waiting jobs take 9 h 55 min at that rate"))
        #expect(text.contains("oldest   has waited "))
        let json = try #require(try made.run(["queue", "status", "--json"]).json.first)
        #expect(json["kinds"]?["renditions"]?["available"]?.int == 1191)
        #expect(json["kinds"]?["renditions"]?["dead"]?.int == 1)
        #expect(json["kinds"]?["scans"]?["paused"]?.bool == true)
        #expect(json["donePerMinute"]?.number == 2)
        #expect(json["oldestWaitingSeconds"]?.number != nil)
    }

    @Test("status --watch prints the status again and again")
    func watch() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        let running = try made.start(["queue", "status", "--watch", "--json"])
        func lineCount() -> Int { running.output.split(separator: "\n").count }
        for _ in 0..<200 where lineCount() < 2 { usleep(50_000) }
        running.process.terminate()
        running.end()
        #expect(lineCount() >= 2)
    }

    @Test("show prints a job's whole history, list --dead its failure, and requeue queues it again")
    func history() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        let queue = try made.queue()
        try queue.enqueue([request("/srv/a.pdf"), request("/srv/b.pdf")])
        let first = try queue.claim(upTo: 1, by: "thumbd-7", for: .seconds(60))[0]
        try queue.recordAttempt(first.token)
        let failure = Failure(.encrypted, detail: "needs the user's password")
        let timings = [Attempt.Timing(step: "sniff", milliseconds: 2.61), .init(step: "render", milliseconds: 71.2)]
        try queue.fail(first.token, failure, isRetryable: false, timings: timings)

        let text = try made.run(["queue", "show", "1"]).standardOutput
        for part in [
            "job 1: dead", "/srv/a.pdf", "list, grid", "priority upload", "attempt 1: ", "thumbd-7, failed after ",
            "File is protected with a password. [encrypted: needs the user's password]", "sniff 2.6, render 71.2 ms",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        let json = try #require(try made.run(["queue", "show", "1", "--json"]).json.first)
        #expect(json["attempts"]?.array?[0]["failure"]?["code"]?.string == "encrypted")
        #expect(json["attempts"]?.array?[0]["timings"]?["render"]?.number == 71.2)
        #expect(json["enqueued"]?.string?.hasSuffix("Z") == true)

        let dead = try made.run(["queue", "list", "--dead"]).lines
        #expect(dead.count == 2)
        #expect(dead[1].contains("/srv/a.pdf: File is protected with a password."))
        #expect(try made.run(["queue", "requeue", "--dead"]).standardOutput == "1 dead letter is queued again\n")
        #expect(try made.run(["queue", "list", "--dead"]).standardOutput.isEmpty)
        #expect(
            try made.run(["queue", "list", "--state", "available", "--json"]).json.map { $0["job"]?.int } == [2, 1])
    }

    @Test("cancel, pause, resume and prune change the queue, and refuse impossible requests")
    func operating() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        let queue = try made.queue()
        try queue.enqueue([request("/srv/a"), request("/srv/b"), request("/srv/c")])
        #expect(try made.run(["queue", "cancel", "1"]).status == 0)
        let again = try made.run(["queue", "cancel", "1"])
        #expect(again.status == 2)
        #expect(again.standardError.contains("Job 1 is already cancelled"))
        #expect(try made.run(["queue", "requeue", "2"]).standardError.contains("Job 2 is not finished"))
        #expect(try made.run(["queue", "show", "99"]).standardError.contains("Job 99 does not exist."))
        #expect(try made.run(["queue", "pause"]).status == 0)
        #expect(try queue.claim(upTo: 1, by: "w", for: .seconds(1)).isEmpty)
        #expect(try made.run(["queue", "resume"]).status == 0)
        for job in try queue.claim(upTo: 2, by: "w", for: .seconds(60)) { try queue.complete(job.token, JobOutcome()) }
        #expect(try made.run(["queue", "prune"]).standardOutput == "0 done jobs are deleted\n")
        #expect(try made.run(["queue", "prune", "--keep", "1"]).standardOutput == "1 done job is deleted\n")
        #expect(try made.run(["queue", "prune", "--older-than", "0s"]).standardOutput == "1 done job is deleted\n")
        #expect(try made.run(["queue", "pause", "No Kind!"]).status == 2)
        #expect(try made.run(["queue", "requeue"]).status == 2)
    }

    @Test("--json names the changes of a command, even where one job is refused")
    func changes() throws {
        let made = try QueueProgram(migrates: false)
        defer { made.program.remove() }
        func object(_ arguments: [String], status: Int32 = 0) throws -> JSON {
            let output = try made.run(["queue"] + arguments + ["--json"])
            #expect(output.status == status, "\(arguments) \(output.standardError)")
            #expect(output.errorLines.count == (status == 0 ? 0 : 1))
            #expect(output.lines.count == 1, "\(arguments) \(output.standardOutput)")
            let object = try #require(output.json.first)
            #expect(object["queue"]?.string == made.queuePath && object["command"]?.string == arguments[0])
            return object
        }
        func texts(_ object: JSON, _ key: String) -> [String]? { object[key]?.array?.compactMap(\.string) }
        func numbers(_ object: JSON) -> [Int]? {
            let jobs = object["jobs"]?.array?.compactMap(\.int)
            #expect(object["jobCount"]?.int == jobs?.count)
            return jobs
        }

        let first = try object(["migrate"])
        #expect(first["versionBefore"]?.int == 0 && first["version"]?.int == 3)
        let second = try object(["migrate"])
        #expect(second["versionBefore"]?.int == 3 && second["version"]?.int == 3)

        let queue = try made.queue()
        try queue.enqueue((1...6).map { request("/srv/\($0)") })
        #expect(try numbers(object(["cancel", "2", "1"])) == [2, 1])
        #expect(try numbers(object(["requeue", "1"])) == [1])
        #expect(try numbers(object(["cancel", "3", "2", "4"], status: 2)) == [3])
        #expect(try numbers(object(["requeue", "99"], status: 2)) == [])
        #expect(try queue.show(JobID(rawValue: 4)).job.state == .available, "what follows the refused one is as it was")

        #expect(try texts(object(["pause"]), "kinds") == ["renditions"])
        #expect(try queue.claim(upTo: 1, by: "w", for: .seconds(60)).isEmpty)
        #expect(try texts(object(["resume", "renditions", "scans"]), "kinds") == ["renditions", "scans"])
        #expect(try texts(object(["pause", "renditions", "No Kind!"], status: 2), "kinds") == [])

        let claimed = try queue.claim(upTo: 4, by: "w", for: .seconds(60))
        for job in claimed[..<2] {
            try queue.fail(job.token, Failure(.corrupt), isRetryable: false, timings: [])
        }
        for job in claimed[2...] { try queue.complete(job.token, JobOutcome()) }
        let dead = claimed[..<2].map { Int($0.job.id.rawValue) }
        #expect(try numbers(object(["requeue", "--dead"])) == dead.sorted(by: >))
        #expect(try numbers(object(["requeue", "--dead"])) == [])
        #expect(try object(["prune", "--keep", "1"])["jobCount"]?.int == 1)
        #expect(try made.run(["queue", "prune", "--keep", "-1", "--json"]).status == 2)
    }

    @Test("A file's name cannot steer the terminal")
    func names() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        try made.queue().enqueue(request("/srv/\u{1B}[2J\u{202E}gpj.exe\nfake line"))
        for command in [["queue", "list"], ["queue", "show", "1"]] {
            let text = try made.run(command).standardOutput
            #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\nfake"))
            #expect(text.contains("gpj.exe\\nfake line"))
        }
    }

    @Test("A queue that cannot be used gives one clear line and exit status 3")
    func trouble() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        func says(_ words: String, _ command: [String] = ["queue", "status"], user: Bool = false) throws {
            let output = try made.run(command, asOrdinaryUser: user)
            #expect(output.status == 3, "\(command) \(output.standardOutput)")
            #expect(output.errorLines.count == 1 && output.standardError.contains(words), "\(output.standardError)")
        }
        let path = made.queuePath
        _ = try CompassProgram.run("/usr/bin/sqlite3", [path, "UPDATE schema_versions SET version = 9"])
        try says("has a newer version (9; this program knows 3). Upgrade this program.")
        _ = try CompassProgram.run("/usr/bin/sqlite3", [path, "DELETE FROM schema_versions"])
        try says("lacks this version's tables. Create or upgrade them: compass queue migrate")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try made.write(
            "this is no database, but a text that is long enough to look like one to nobody", "state/queue.sqlite")
        try says("is damaged, or is not a queue.")
        try says("is damaged, or is not a queue.", ["queue", "migrate"])
    }

    @Test("compass carries no SQLite, and knows the commands' help and completions")
    func program() throws {
        let made = try QueueProgram(migrates: false)
        defer { made.program.remove() }
        // ThumbTests check that compass itself has no SQLite.
        let siblings = try CompassProgram.run("/usr/bin/ldd", [CompassProgram.executable + "-queue"]).standardOutput
        #expect(siblings.contains("sqlite"))
        for command in [["help", "enqueue"], ["enqueue", "--help"]] {
            #expect(try made.run(command).standardOutput.contains("compass enqueue --priority interactive --wait"))
        }
        let completions = try made.run(["--generate-completion-script", "bash"]).standardOutput
        for word in ["enqueue", "backfill", "requeue", "--no-hash"] { #expect(completions.contains(word)) }
    }
}
