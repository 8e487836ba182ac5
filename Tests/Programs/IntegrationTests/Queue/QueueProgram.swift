import Foundation
import JobQueue
import Media

/// The built `compass` with its own queue; the test is the worker.
struct QueueProgram {
    let program: CompassProgram
    var queuePath: String { program.path("state/queue.sqlite") }

    /// - Parameter migrates: the queue is made.
    init(migrates: Bool = true) throws {
        program = try CompassProgram()
        if migrates { _ = try run(["queue", "migrate"]) }
    }

    @discardableResult
    func run(_ arguments: [String], asOrdinaryUser: Bool = false) throws -> CompassProgram.Output {
        try program.run(arguments, environment: environment, asOrdinaryUser: asOrdinaryUser)
    }

    private var environment: [String: String] { ["COMPASS_QUEUE": queuePath, "TZ": "UTC0"] }

    func queue() throws -> SQLiteQueue { try SQLiteQueue(path: queuePath) }

    /// Writes a file in the scratch folder, and makes the folders above it.
    @discardableResult
    func write(_ text: String, _ name: String) throws -> String {
        let folder = (program.path(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try program.write(Data(text.utf8), name)
    }

    /// A running `compass` whose output goes to files.
    func start(_ arguments: [String]) throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CompassProgram.executable)
        process.arguments = arguments
        process.currentDirectoryURL = program.scratch
        process.environment = environment.merging([
            "PATH": "/usr/bin:/bin", "HOME": program.scratch.path, "COMPASS_CACHE": program.path("cache"),
        ]) { $1 }
        let output = try program.write(Data(), "running.out")
        let error = try program.write(Data(), "running.err")
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: error))
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return Running(process: process, outputPath: output, errorPath: error)
    }

    struct Running {
        let process: Process
        let outputPath: String
        let errorPath: String

        /// Waits for the program's end; fails the test where the program does not end in time.
        func end() {
            for _ in 0..<6000 where process.isRunning { usleep(20_000) }
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }

        var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }
        var error: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
    }

    /// Works as thumbd does: claims jobs, makes their renditions by `compass thumb`, and completes or fails them, until all of
    /// `count` are finished.
    func work(finishing count: Int) throws {
        let queue = try queue()
        var finished = 0
        let deadline = Date() + 60
        while finished < count, Date() < deadline {
            for claimed in try queue.claim(upTo: 4, by: "test-worker", for: .seconds(30)) {
                try queue.recordAttempt(claimed.token)
                let sizes = claimed.job.recipes.flatMap { ["--preset", $0.readableName] }
                let made = try program.run(["thumb", "--json", "--digest", claimed.job.source.location] + sizes)
                let line = made.json[0]
                let timings = [Attempt.Timing(step: "render", milliseconds: 12.34)]
                if let failure = line["failure"],
                    let code = failure["code"]?.string.flatMap(Failure.Code.init(rawValue:))
                {
                    let known = Failure(
                        code, message: failure["message"]?.string, detail: failure["detail"]?.string ?? "")
                    try queue.fail(claimed.token, known, isRetryable: false, timings: timings)
                } else {
                    let digest = line["digest"]?.string.flatMap { Digest(hex: $0) }
                    try queue.complete(claimed.token, JobOutcome(digest: digest, timings: timings))
                }
                finished += 1
            }
            usleep(10_000)
        }
    }
}
