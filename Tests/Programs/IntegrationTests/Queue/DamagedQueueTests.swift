import Foundation
import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("A queue in which rows are damaged", .deadline)
struct DamagedQueueTests {
    /// The damage to the rows of the first jobs.
    private static let damage: [(column: String, value: String)] = [
        ("recipes", #"'["1 grid'"#), ("recipes", "'{'"), ("source", "CAST(x'2f61ff' AS TEXT)"), ("priority", "'x'"),
        ("kind", "'No Kind!'"), ("digest", "'abc'"), ("not_before", "'soon'"), ("failures", "x'00'"),
        ("state", "'odd'"), ("enqueued", "9223372036854775807"), ("worker_deaths", "-9223372036854775808"),
        ("turn", "'later'"), ("party", "x'ff'"),
    ]

    /// A queue of damaged jobs before sound ones.
    private func makeQueue(in program: CompassProgram) throws -> (path: String, damaged: [JobID], sound: [JobID]) {
        let path = program.path("queue/queue.sqlite")
        try FileManager.default.createDirectory(atPath: program.path("queue"), withIntermediateDirectories: true)
        try SQLiteQueue.migrate(path: path)
        let queue = try SQLiteQueue(path: path)
        func enqueue(_ name: String, _ count: Int, _ priority: Priority) throws -> [JobID] {
            try (0..<count).map { number in
                var data = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("alpha.png")))
                data += Data("\(name)\(number)".utf8)
                let source = try program.write(data, "\(name)\(number).png")
                let request = JobRequest(source: .path(source), recipes: [Preset.grid.recipe], priority: priority)
                return try queue.enqueue(request).id
            }
        }
        let damaged = try enqueue("damaged", Self.damage.count, .interactive)
        let sound = try enqueue("sound", 3, .backfill)
        var sql = "PRAGMA ignore_check_constraints = ON;"
        for (id, damage) in zip(damaged, Self.damage) {
            sql += "UPDATE queue_job SET \(damage.column) = \(damage.value) WHERE id = \(id);"
        }
        let done = try CompassProgram.run("/usr/bin/sqlite3", [path, sql])
        try #require(done.status == 0, "\(done.standardError)")
        return (path, damaged, sound)
    }

    @Test("The worker makes dead letters of unreadable jobs, names the columns, and does the other jobs at once")
    func worker() throws {
        let program = try CompassProgram()
        let (path, damaged, sound) = try makeQueue(in: program)
        let thumbd = try ThumbdProgram(in: program)
        defer { thumbd.remove() }
        _ = try thumbd.port()
        for id in sound { _ = try thumbd.waitFor(id, toBe: .done) }
        for (id, damage) in zip(damaged, Self.damage) {
            let job = try thumbd.waitFor(id, toBe: .dead)
            #expect(job.lastFailure?.detail.contains("column \(damage.column) holds") == true, "\(job)")
        }
        #expect(try thumbd.end() == 0)
        #expect(!thumbd.text.contains("unreachable"), "it never pauses: \(thumbd.text)")
        let status = try SQLiteQueue(path: path).status()
        #expect(status.jobCount(.dead) == damaged.count && status.jobCount(.done) == sound.count)
    }

    @Test("Every command about the queue works over damaged rows, and shows them")
    func commands() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let (path, damaged, sound) = try makeQueue(in: program)
        func queue(_ words: [String]) throws -> CompassProgram.Output {
            let output = try program.run(["queue"] + words, environment: ["COMPASS_QUEUE": path])
            #expect([0, 2].contains(output.status), "\(words): \(output.standardError)")
            return output
        }
        let list = try queue(["list", "--json"]).json
        #expect(list.count == damaged.count + sound.count)
        for (id, damage) in zip(damaged, Self.damage) {
            let job = list.first { $0["job"]?.integer == id.rawValue }
            #expect(job?["unreadable"]?.string?.contains("column \(damage.column) holds") == true)
            #expect(try queue(["show", "\(id)"]).standardOutput.contains("column \(damage.column) holds"))
        }
        #expect(list.filter { $0["unreadable"] == nil }.count == sound.count)
        #expect(try queue(["list"]).lines.count == 1 + damaged.count + sound.count)
        _ = try queue(["status"])
        _ = try queue(["status", "--json"])
        #expect(try queue(["cancel", "\(damaged[0])"]).status == 0)
        _ = try queue(["requeue", "\(damaged[1])"])
        #expect(try queue(["prune"]).status == 0)
        let after = try queue(["list", "--dead", "--json"]).json
        #expect(after.count >= 3)
        for job in after { #expect(job["failure"]?["detail"]?.string?.contains("holds") == true) }
        #expect(try queue(["requeue", "--dead"]).status == 0)
        _ = try queue(["pause"])
        _ = try queue(["resume"])
        #expect(try queue(["status"]).standardOutput.contains("renditions"))
    }
}
