import Foundation
import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("compass enqueue and backfill, as a person uses them", .deadline)
struct EnqueueTests {
    @Test("A folder's files are queued in order, hidden ones and what a link leads out to are not")
    func folder() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        for name in ["in/b.txt", "in/a/z.txt", "in/.hidden", "in/a/.git/config", "outside/secret.txt"] {
            try made.write(name, name)
        }
        let files = FileManager.default
        try files.createSymbolicLink(atPath: made.program.path("in/out"), withDestinationPath: "../outside/secret.txt")
        try files.createSymbolicLink(atPath: made.program.path("in/away"), withDestinationPath: "../outside")
        try files.createSymbolicLink(atPath: made.program.path("in/round"), withDestinationPath: "..")
        try files.createSymbolicLink(atPath: made.program.path("in/c-link"), withDestinationPath: "a/z.txt")
        mkfifo(made.program.path("in/fifo"), 0o600)

        let first = try made.run(["enqueue", "in"])
        #expect(first.status == 0, "\(first.standardError)")
        #expect(first.lines == ["1\tin/a/z.txt", "2\tin/b.txt", "1\tin/c-link"])
        let jobs = try made.queue().list(JobFilter())
        #expect(jobs.map { $0.source.location.hasSuffix("/in/b.txt") } == [true, false])
        #expect(jobs.allSatisfy { $0.digest != nil && $0.priority == .upload && $0.recipes == [Preset.grid.recipe] })

        let again = try made.run(["enqueue", "--json", "--priority", "interactive", "in/b.txt"])
        #expect(again.json[0]["job"]?.int == 2)
        #expect(again.json[0]["duplicate"]?.bool == true)
        #expect(again.json[0]["path"]?.string?.hasPrefix("/") == true)
        #expect(try made.queue().show(JobID(rawValue: 2)).job.priority == .interactive)
    }

    @Test("A file that cannot be queued is reported, the others are queued, and the exit status is not 0")
    func partly() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        try made.write("x", "good.txt")
        mkfifo(made.program.path("fifo"), 0o600)
        let output = try made.run(["enqueue", "missing.txt", "good.txt", "fifo"])
        #expect(output.status == 1)
        #expect(output.lines == ["1\tgood.txt"])
        #expect(output.errorLines.count == 2)
        #expect(output.standardError.contains("missing.txt: File not found."))
        #expect(output.standardError.contains("fifo: File cannot be read: it is not a regular file"))
    }

    @Test("--no-hash leaves the digest to the worker and does not open the file")
    func unhashed() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        let file = try made.write("x", "secret.txt")
        chmod(file, 0)
        #expect(try made.run(["enqueue", "--no-hash", "secret.txt"]).status == 0)
        #expect(try made.queue().show(JobID(rawValue: 1)).job.digest == nil)
    }

    @Test("Twelve hundred files are all queued, over several transactions")
    func many() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        for number in 0..<1200 { try made.write("\(number)", "many/\(1000 + number).txt") }
        let output = try made.run(["enqueue", "many", "--preset", "list", "--preset", "grid"])
        #expect(output.status == 0)
        #expect(output.lines.count == 1200)
        #expect(output.lines.last == "1200\tmany/2199.txt")
        #expect(try made.queue().status().jobCount(.available) == 1200)
    }

    @Test("--wait prints each rendition's path and each failure as thumb does, once they are there")
    func waiting() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        let files = ["orientation-1.jpg", "truncated.pdf", "stats.csv"].map(Checkout.sample)
        let broken = try made.write("", "empty.jpg")
        let running = try made.start(["enqueue", "--wait", "--preset", "list", "--preset", "grid"] + files + [broken])
        try made.work(finishing: 4)
        running.end()
        #expect(running.process.terminationStatus == 1, "\(running.error)")
        let paths = running.output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(paths.count == 3)
        for path in paths.joined() { #expect(FileManager.default.fileExists(atPath: String(path)), "\(path)") }
        let same = try made.program.run(["thumb", "--preset", "list", "--preset", "grid"] + files)
        #expect(Set(running.output.split(separator: "\n").map(String.init)) == Set(same.lines))
        #expect(running.error.contains("empty.jpg: File is empty."))
    }

    @Test("Ctrl-C ends the waiting, not the jobs")
    func interrupted() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        try made.write("x", "a.txt")
        let running = try made.start(["enqueue", "--wait", "a.txt"])
        let queue = try made.queue()
        for _ in 0..<3000 where try queue.status().jobCount(.available) == 0 { usleep(10_000) }
        usleep(1_000_000)
        running.process.interrupt()
        running.end()
        #expect(running.process.terminationStatus == 130)
        #expect(running.process.terminationReason == .exit)
        #expect(running.error.contains("0 of 1 jobs are finished; the others stay queued"))
        #expect(try queue.status().jobCount(.available) == 1)
    }

    @Test("--wait reports that no worker takes the jobs")
    func nobodyWorks() throws {
        let made = try QueueProgram()
        defer { made.program.remove() }
        try made.write("x", "a.txt")
        let running = try made.start(["enqueue", "--wait", "a.txt"])
        for _ in 0..<200 where running.error.isEmpty { usleep(50_000) }
        running.process.interrupt()
        running.end()
        #expect(running.error.contains("is thumbd running on this queue?"))
    }

    @Test("A backfill queues only what the cache lacks, and a dry run says so without a queue")
    func backfill() throws {
        let made = try QueueProgram(migrates: false)
        defer { made.program.remove() }
        for name in ["orientation-1.jpg", "stats.csv", "truncated.pdf"] {
            try made.write("", "in/\(name)")
            try Data(contentsOf: URL(fileURLWithPath: Checkout.sample(name)))
                .write(to: URL(fileURLWithPath: made.program.path("in/\(name)")))
        }
        try made.write("%PDF-1.4 broken", "in/broken.pdf")
        // One file has both renditions, one has one of them, and one has a lasting failure.
        try made.program.run(["thumb", "--preset", "list", "--preset", "grid", "in/orientation-1.jpg"])
        try made.program.run(["thumb", "--preset", "grid", "in/stats.csv"])
        let failed = try made.program.run(["thumb", "--preset", "list", "--preset", "grid", "in/broken.pdf"])
        #expect(failed.status == 1)

        let flags = ["--preset", "list", "--preset", "grid", "in"]
        let dry = try made.run(["backfill", "--dry-run"] + flags)
        #expect(dry.status == 0, "\(dry.standardError)")
        #expect(dry.lines == ["in/stats.csv\tlist", "in/truncated.pdf\tlist,grid"])
        #expect(dry.standardError.contains("4 files: 2 in the cache, 2 would be queued"))

        let without = try made.run(["backfill"] + flags)
        #expect(without.status == 3)
        #expect(without.standardError.contains("compass queue migrate"))
        try made.run(["queue", "migrate"])
        let real = try made.run(["backfill", "--json"] + flags)
        #expect(real.json.map { $0["job"]?.int } == [1, 2])
        #expect(real.json[0]["recipes"]?.array?.map(\.string) == ["list"])
        let jobs = try made.queue().list(JobFilter())
        #expect(jobs.allSatisfy { $0.priority == .backfill && $0.digest != nil })
        try made.work(finishing: 2)
        #expect(try made.run(["backfill", "--dry-run"] + flags).standardOutput.isEmpty)
    }
}
