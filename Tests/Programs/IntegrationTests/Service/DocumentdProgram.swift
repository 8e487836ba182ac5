import Foundation
import Media
import TestSupport
import Testing

/// A running `documentd` with a scratch folder for one test.
final class DocumentdProgram {
    let program: CompassProgram
    let client: ServiceClient
    private let process = Process()
    private let log: String

    /// - Parameters:
    ///   - arguments: beside data, cache and a free port.
    ///   - environment: beside a search path and a home.
    ///   - umask: the umask of the service, in octal digits.
    ///   - preparation: what a shell does before, in a name space of mounts that only the service sees; `$DATA` is its folder.
    init(
        _ arguments: [String] = [], in program: CompassProgram? = nil, environment: [String: String] = [:],
        umask: String? = nil, after preparation: String? = nil
    ) throws {
        self.program = try program ?? CompassProgram()
        log = try self.program.write(Data(), "log-\(UUID().uuidString)")
        let masking = umask.map { ["/bin/sh", "-c", "umask \($0) && exec \"$@\"", "sh"] } ?? []
        let launcher = (preparation.map { Self.launcher($0) } ?? []) + masking
        let words = launcher + [CompassProgram.built("documentd")]
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments =
            words.dropFirst() + [
                "--data", self.program.path("data"), "--cache", self.program.path("cache"), "--listen", "127.0.0.1:0",
                "--log-format", "json",
            ] + arguments
        process.environment = [
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": self.program.scratch.path,
            "DATA": self.program.path("data"),
        ].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try process.run()
        let (log, process) = (log, process)
        let port = try Waiting.forValue("documentd does not serve") { () -> Int? in
            guard process.isRunning else { throw Failure(.unavailable, detail: Self.text(of: log)) }
            return Self.lines(of: log).first { $0["message"]?.string == "serving" }?["address"]?.string
                .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
        }
        client = ServiceClient(port: port)
    }

    /// An ordinary user gets the mounts in a name space of users.
    private static func launcher(_ preparation: String) -> [String] {
        ["/usr/bin/unshare", "--mount"] + (getuid() == 0 ? [] : ["--user", "--map-root-user"])
            + ["/bin/sh", "-c", "\(preparation) && exec \"$@\"", "sh"]
    }

    /// The process's number.
    var processID: Int32 { process.processIdentifier }

    /// A path as the service sees it, with its own mounts.
    func seen(_ path: String) -> String { "/proc/\(process.processIdentifier)/root\(path)" }

    var processIdentifier: Int32 { process.processIdentifier }

    /// The lines of the log at a level.
    func lines(at level: String) -> [JSON] { Self.lines(of: log).filter { $0["level"]?.string == level } }

    /// The whole log.
    var text: String { Self.text(of: log) }

    /// All regular files of the store: those of documents, and those that are still arriving.
    var storedFiles: [String] { files(below: "data/store") }

    /// Waits until the store has so many files: bytes are removed right after their rows.
    func waitForStoredFiles(_ count: Int) throws {
        _ = try Waiting.forValue("there are not \(count) files: \(storedFiles)") {
            storedFiles.count == count ? true : nil
        }
    }

    /// Where clients of the bucket find a document's file.
    func path(of document: String) throws -> String {
        let found = try OtherProgram.sqlite(
            program.path("data/documents.sqlite"),
            ".timeout 5000\nSELECT path FROM objects JOIN documents ON object_id = objects.id WHERE documents.id = '\(document)';"
        )
        return try #require(found.first)
    }

    /// All renditions and their records.
    var cachedFiles: [String] { files(below: "cache") }

    private func files(below folder: String) -> [String] {
        let place = process.isRunning ? seen(program.path(folder)) : program.path(folder)
        let walk = FileManager.default.enumerator(atPath: place)
        let found = (walk?.allObjects as? [String] ?? []).sorted()
        return found.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(place)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }.map { "\(folder)/\($0)" }
    }

    /// Uploads one of the samples as the body of a request.
    func upload(_ sample: String, as type: String, name: String? = nil) throws -> JSON {
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample(sample))))
        let answer = try client.send(
            "POST", "/api/documents?type=\(type)&file_name=\(ServiceClient.encoded(name ?? sample))", body: bytes)
        guard answer.status == 201, let data = answer.data else {
            throw Failure(.unavailable, detail: "\(answer.status): \(answer.text)")
        }
        return data
    }

    /// The key that clients of the app's wire send.
    func key() throws -> String {
        let output = try CompassProgram.run(
            CompassProgram.built("documentd"), ["keys", "--data", program.path("data")], environment: [:])
        return output.lines.first ?? ""
    }

    /// Waits until the pictures of a document are made, or have failed.
    func settled(_ document: JSON) throws -> JSON {
        try Waiting.forValue("no pictures: \(text)") {
            let now = try client.send("GET", "/api/documents/\(document["id"]!.string!)").data
            return now?["state"]?.string == "stored" ? nil : now
        }
    }

    func end(within seconds: Double = 60) throws -> Int32 {
        process.terminate()
        let process = process
        _ = try Waiting.forValue("it does not end: \(text)", within: seconds) { process.isRunning ? nil : true }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Ends the program, and leaves the folder.
    func stop() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    func remove() {
        stop()
        program.remove()
    }

    private static func text(of log: String) -> String {
        FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func lines(of log: String) -> [JSON] {
        text(of: log).split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
    }
}

/// Waits for what another process does.
enum Waiting {
    /// - Throws: `timedOut` after a minute, or `seconds`, or what the body throws.
    static func forValue<Value>(
        _ what: @autoclosure () -> String, within seconds: Double = 60, _ body: () throws -> Value?
    ) throws -> Value {
        let deadline = Date().addingTimeInterval(seconds)
        while Date() < deadline {
            if let value = try body() { return value }
            usleep(10_000)
        }
        throw Failure(.timedOut, detail: what())
    }
}
