import Foundation
import JobQueue
import Media
import TestSupport

/// A running `thumbd` with a scratch folder for one test.
final class ThumbdProgram {
    let program: CompassProgram
    let process = Process()
    private let log: String

    var queuePath: String { program.path("queue/queue.sqlite") }

    /// - Parameters:
    ///   - arguments: beside queue, cache, root and a free port.
    ///   - launcher: the words before it, as of a command that sets limits.
    init(
        _ arguments: [String] = [], in program: CompassProgram? = nil, environment: [String: String] = [:],
        launcher: [String] = []
    ) throws {
        self.program = try program ?? CompassProgram()
        log = try self.program.write(Data(), "log-\(UUID().uuidString)")
        let words = launcher + [Self.executable]
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments =
            words.dropFirst() + [
                "--queue", self.program.path("queue/queue.sqlite"), "--cache", self.program.path("cache"), "--root",
                self.program.scratch.path, "--root", Checkout.sample(""), "--listen", "127.0.0.1:0",
            ] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": self.program.scratch.path].merging(environment) { $1 }
        process.currentDirectoryURL = self.program.scratch
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try process.run()
    }

    static let executable = CompassProgram.built("thumbd")

    /// The log, an object for each line.
    var lines: [JSON] {
        let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
    }

    /// The whole log, for messages of failed tests.
    var text: String { FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Waits for a line with this message.
    func line(_ message: String) throws -> JSON {
        try waiting("“\(message)” in the log: \(text)") { lines.first { $0["message"]?.string == message } }
    }

    /// Waits until the service works, and returns the port of its status server.
    func port() throws -> Int {
        _ = try line("working")
        return try line("serving health and metrics")["port"]!.int!
    }

    /// Asks the status server.
    func get(_ path: String) throws -> ServiceClient.Answer { try ServiceClient(port: try port()).send("GET", path) }

    func queue() throws -> SQLiteQueue { try SQLiteQueue(path: queuePath) }

    func enqueue(_ path: String) throws -> JobID {
        try queue().enqueue(JobRequest(source: .path(path), recipes: [Preset.grid.recipe])).id
    }

    func waitFor(_ id: JobID, toBe state: JobState) throws -> Job {
        let queue = try queue()
        return try waiting("job \(id) is not \(state): \(text)") {
            let job = try? queue.show(id).job
            return job?.state == state ? job : nil
        }
    }

    /// Sends SIGTERM and waits for the end.
    func end() throws -> Int32 {
        process.terminate()
        _ = try waiting("it does not end: \(text)") { process.isRunning ? nil : true }
        process.waitUntilExit()
        return process.terminationStatus
    }

    func waiting<Value>(_ what: String, for body: () -> Value?) throws -> Value {
        let deadline = Date().addingTimeInterval(60)
        while Date() < deadline {
            if let value = body() { return value }
            usleep(5_000)
        }
        throw Failure(.timedOut, detail: what)
    }

    func remove() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        program.remove()
    }
}
