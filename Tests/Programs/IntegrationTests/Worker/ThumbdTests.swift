import Foundation
import JobQueue
import Media
import Objects
import TestDeadline
import TestSupport
import Testing

@Suite("thumbd, run for real", .deadline)
struct ThumbdTests {
    @Test("thumbd works on queued jobs, logs and counts each, and ends at a signal")
    func works() throws {
        let thumbd = try ThumbdProgram()
        defer { thumbd.remove() }
        _ = try thumbd.port()
        #expect(try thumbd.get("/readyz").status == 200)
        #expect(try thumbd.get("/healthz").status == 200)
        #expect(try thumbd.get("/nothing").status == 404)
        let sample = Checkout.sample("orientation-1.jpg")
        let id = try thumbd.enqueue(sample)
        let digest = try #require(try thumbd.waitFor(id, toBe: .done).digest)
        let line = try thumbd.line("job done")
        #expect(line["job"]?.int == Int(id.rawValue) && line["attempt"]?.int == 1)
        #expect(line["digest"]?.string == digest.hex && line["path"]?.string == sample)
        #expect(line["outcome"]?.string == "done" && line["ms"]?.number != nil && line["cached"]?.bool == false)
        let missing = try thumbd.enqueue(thumbd.program.path("missing"))
        _ = try thumbd.waitFor(missing, toBe: .dead)
        #expect(try thumbd.line("job dead")["code"]?.string == "sourceMissing")
        let metrics = try thumbd.get("/metrics").text
        for line in [
            #"compass_queue_jobs{kind="renditions",state="done"} 1.0"#,
            #"compass_queue_jobs{kind="renditions",state="dead"} 1.0"#,
            #"compass_jobs_total{kind="renditions",priority="upload",outcome="done"} 1"#,
            #"compass_job_failures_total{code="sourceMissing"} 1"#,
            #"compass_job_duration_seconds_count{kind="renditions",outcome="done"} 1"#, "compass_cache_misses_total 1",
            #"compass_renderer_restarts_total{renderer="image"} 0"#, "compass_queue_up 1.0",
        ] {
            #expect(metrics.contains(line + "\n"), "\(line) in \(metrics)")
        }
        #expect(try thumbd.end() == 0)
        #expect(thumbd.lines.count == thumbd.text.split(separator: "\n").count, "every line is an object")
        // Its entry in the registry of workers is removed.
        #expect(thumbd.program.files(below: "queue/queue.sqlite-workers") == [])
    }

    @Test("thumbd makes the renditions of stored objects, which compass thumb then finds in the cache")
    func objects() throws {
        let program = try CompassProgram()
        let store = try FolderStore(path: program.path("objects"), making: true)
        let thumbd = try ThumbdProgram(["--store", program.path("objects")], in: program)
        defer { thumbd.remove() }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg")))
        let file = try store.begin()
        try file.append(Array(bytes))
        let digest = try file.seal()
        try file.commit()
        _ = try thumbd.port()
        let queue = try thumbd.queue()
        let recipes = [Preset.grid.recipe]
        let ids = try queue.enqueue([
            JobRequest(source: .object(file.id.rawValue), digest: digest, recipes: recipes),
            JobRequest(source: .object(ObjectID.random().rawValue), recipes: recipes),
            JobRequest(source: .object("../../etc/passwd"), recipes: recipes),
        ]).map(\.id)
        #expect(try thumbd.waitFor(ids[0], toBe: .done).digest == digest)
        for id in ids.dropFirst() {
            #expect(try thumbd.waitFor(id, toBe: .dead).lastFailure?.code == .sourceMissing)
        }
        let hit = try program.run([
            "thumb", "--json", "--alone", "--preset", "grid",
            Checkout.sample("orientation-1.jpg"),
        ])
        #expect(hit.json.first?["cached"]?.bool == true, "\(hit.standardOutput)")
        #expect(try thumbd.end() == 0)
    }

    @Test(
        "A store that is no folder, or a bucket, is refused at the start",
        arguments: [
            ("missing", "is not a folder (setting store)"), ("s3://bucket/prefix", "set AWS_REGION"),
            ("ftp://bucket", "a folder, or s3://BUCKET/PREFIX"),
        ])
    func badStore(store: String, word: String) throws {
        let thumbd = try ThumbdProgram(["--store", store])
        defer { thumbd.remove() }
        thumbd.process.waitUntilExit()
        #expect(thumbd.process.terminationStatus == 2 && thumbd.text.contains(word), "\(thumbd.text)")
    }

    @Test("Requests of compass thumb are counted by outcome and timed, apart from jobs")
    func warmMetrics() throws {
        let program = try CompassProgram()
        let environment = ["COMPASS_WARM_SOCKET": program.path("run/warm")]
        let thumbd = try ThumbdProgram(in: program, environment: environment)
        defer { thumbd.remove() }
        _ = try thumbd.port()
        #expect(try thumbd.get("/metrics").text.contains("compass_warm_cache_misses_total 0\n"))
        func thumb(_ arguments: [String]) throws -> CompassProgram.Output {
            try program.run(["thumb", "--json", "--explain"] + arguments, environment: environment)
        }
        let sample = Checkout.sample("orientation-1.jpg")
        let copy = try program.write(try Data(contentsOf: URL(fileURLWithPath: sample)), "copy.jpg")
        for file in [sample, copy] { #expect(try thumb([file]).json.first?["warm"]?.bool == true) }
        #expect(try thumb(["--no-icon", Checkout.sample("password.pdf")]).status == 1)
        #expect(try thumb(["--timeout", "7", Checkout.sample("alpha.png")]).status == 0)
        let lines = [
            #"compass_warm_requests_total{outcome="made"} 2"#, #"compass_warm_requests_total{outcome="failed"} 1"#,
            #"compass_warm_requests_total{outcome="refused"} 1"#,
            #"compass_warm_request_failures_total{code="encrypted"} 1"#,
            #"compass_warm_request_duration_seconds_count{outcome="made"} 2"#,
            #"compass_warm_request_duration_seconds_bucket{outcome="made",le="+Inf"} 2"#,
            "compass_warm_cache_hits_total 1", "compass_warm_cache_misses_total 1", "compass_cache_misses_total 0",
            "compass_warm_requests_running 0.0",
        ]
        func missing() -> [String] {
            let metrics = (try? thumbd.get("/metrics").text) ?? ""
            return lines.filter { !metrics.contains($0 + "\n") }
        }
        // A request is counted just after its answer.
        _ = try? thumbd.waiting("all are counted") { missing().isEmpty ? true : nil }
        #expect(missing() == [])
        #expect(try thumbd.end() == 0)
    }

    @Test("Every metric stands in the manual")
    func manual() throws {
        let thumbd = try ThumbdProgram()
        defer { thumbd.remove() }
        let manual = try String(contentsOfFile: "\(Checkout.folder)/packaging/thumbd.1", encoding: .utf8)
        let words = Set(manual.split { !($0.isLetter || $0 == "_") })
        let metrics = try thumbd.get("/metrics").text
        let types = metrics.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        let names = types.map { $0.split(separator: " ")[2] }
        #expect(names.count > 20)
        for name in names { #expect(words.contains(name), "\(name)") }
    }

    @Test("A wrong call ends with status 2 and a remedy")
    func usage() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let settings = try program.write(Data("rots = /srv\n".utf8), "settings")
        for (arguments, word) in [
            ([], "--root"), (["--root", "/nowhere"], "/nowhere"), (["--root", "/tmp", "--listen", "x"], "--listen"),
            (["--root", "/tmp", "--lease", "1"], "--lease"), (["--config", settings], "rots"),
            (["--config", "/nowhere"], "/nowhere"), (["--nonsense"], "nonsense"),
        ] {
            let output = try CompassProgram.run(
                ThumbdProgram.executable, arguments, environment: ["HOME": program.scratch.path])
            #expect(output.status == 2 && output.standardError.contains(word), "\(arguments): \(output.standardError)")
            #expect(output.standardOutput.isEmpty)
        }
    }

    @Test("--print-config shows that flags override the environment, the file and the defaults, in this order")
    func precedence() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let settings = try program.write(Data("lease = 5\ndrain = 6\nmax-source = 7k\n".utf8), "settings")
        let output = try CompassProgram.run(
            ThumbdProgram.executable, ["--print-config", "--config", settings, "--lease", "9"],
            environment: ["HOME": program.scratch.path, "COMPASS_LEASE": "8", "COMPASS_DRAIN": "4"])
        func line(_ name: String) -> [Substring] {
            output.lines.first { $0.hasPrefix(name + " ") }?.split(separator: " ").prefix(3).map { $0 } ?? []
        }
        #expect(output.status == 0)
        #expect(line("lease") == ["lease", "9", "flag"])
        #expect(line("drain") == ["drain", "4", "COMPASS_DRAIN"])
        #expect(line("max-source") == ["max-source", "7k", settings[...]])
        #expect(line("listen") == ["listen", "127.0.0.1:9321", "default"])
    }

    @Test("A queue that needs a person ends thumbd with status 3 and one clear line")
    func brokenQueue() throws {
        for (content, word) in [
            ("this is no database, however long one looks at it", "damaged"), (nil, "upgrade this program"),
        ] {
            let program = try CompassProgram()
            defer { program.remove() }
            let path = program.path("queue.sqlite")
            if let content {
                _ = try program.write(Data(content.utf8), "queue.sqlite")
            } else {
                try SQLiteQueue.migrate(path: path)
                let sql = "UPDATE schema_versions SET version = 7"
                #expect(try CompassProgram.run("/usr/bin/sqlite3", [path, sql]).status == 0)
            }
            let output = try CompassProgram.run(
                ThumbdProgram.executable, ["--root", "/tmp", "--queue", path, "--listen", ""],
                environment: ["HOME": program.scratch.path])
            #expect(output.status == 3)
            #expect(output.errorLines.count == 1 && output.standardError.contains(word), "\(output.standardError)")
        }
    }

    @Test("An address in use ends thumbd with status 3")
    func takenAddress() throws {
        let first = try ThumbdProgram()
        defer { first.remove() }
        let second = try ThumbdProgram(["--listen", "127.0.0.1:\(try first.port())"], in: first.program)
        #expect(try second.waiting("it ends") { second.process.isRunning ? nil : true })
        second.process.waitUntilExit()
        #expect(second.process.terminationStatus == 3)
        #expect(second.text.contains("Cannot listen on"))
        #expect(try first.end() == 0)
    }

    @Test("After a SIGKILL in the middle of a job the successor takes the job over at once, before the lease ends")
    func takeOver() throws {
        let first = try ThumbdProgram(["--lease", "3600"])
        defer { first.remove() }
        _ = try first.port()
        let id = try first.enqueue(Checkout.sample("large-12000x9000.jpg"))
        let queue = try first.queue()
        _ = try first.waiting("the attempt begins") { (try? queue.show(id).attempts.isEmpty) == false ? true : nil }
        kill(first.process.processIdentifier, SIGKILL)
        first.process.waitUntilExit()
        try #require(try queue.show(id).job.state == .leased, "it died in the middle")
        let second = try ThumbdProgram(["--lease", "3600"], in: first.program)
        defer { second.remove() }
        let job = try second.waitFor(id, toBe: .done)
        #expect(job.workerDeathCount == 1)
        #expect(try second.line("took over from a worker that died")["jobs"]?.int == 1)
        #expect(try second.end() == 0)
    }

    @Test("A queue whose file is removed is reported, and worked on when it is back")
    func queueTakenAway() throws {
        let thumbd = try ThumbdProgram()
        defer { thumbd.remove() }
        _ = try thumbd.port()
        _ = try thumbd.waitFor(try thumbd.enqueue(Checkout.sample("alpha.png")), toBe: .done)
        let (here, there) = (thumbd.program.path("queue"), thumbd.program.path("elsewhere"))
        try FileManager.default.moveItem(atPath: here, toPath: there)
        // Any wake-up makes the worker look at the queue.
        let signal = try SQLiteQueue(path: "\(there)/queue.sqlite")
        _ = try signal.enqueue(
            JobRequest(source: .path(Checkout.sample("card.webp")), recipes: [Preset.grid.recipe]))
        let line = try thumbd.line("queue is unreachable: pausing, then retrying")
        #expect(line["reason"]?.string?.contains("missing") == true)
        let answer = try thumbd.get("/readyz")
        #expect(answer.status == 503 && answer.text.contains("queue"))
        #expect(try thumbd.get("/healthz").status == 200)
        #expect(try thumbd.get("/metrics").text.contains("compass_queue_up 0.0\n"))
        try FileManager.default.moveItem(atPath: there, toPath: here)
        _ = try thumbd.line("queue is reachable again")
        _ = try thumbd.waitFor(JobID(rawValue: 2), toBe: .done)
        #expect(try thumbd.end() == 0)
    }

    @Test("systemd is told of the start, the watch and the end")
    func systemd() throws {
        let program = try CompassProgram()
        let socket = try DatagramEar(path: program.path("notify"))
        let thumbd = try ThumbdProgram(
            in: program, environment: ["NOTIFY_SOCKET": program.path("notify"), "WATCHDOG_USEC": "400000"])
        defer { thumbd.remove() }
        _ = try thumbd.port()
        #expect(socket.hears("READY=1"))
        #expect(socket.hears("WATCHDOG=1"))
        #expect(try thumbd.end() == 0)
        #expect(socket.hears("STOPPING=1"))
    }
}

/// A socket like systemd's, which receives a service's messages.
private final class DatagramEar {
    private let number: Int32
    private var heard = ""

    init(path: String) throws {
        number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(number) }

    /// Whether a line has arrived, or arrives within half a minute.
    func hears(_ line: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !heard.split(separator: "\n").contains(Substring(line)) {
            let count = recv(number, &buffer, buffer.count, 0)
            if count <= 0 { return false }
            heard += String(decoding: buffer[..<count], as: UTF8.self) + "\n"
        }
        return true
    }
}
