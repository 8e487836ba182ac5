import Foundation
import Linux
import Media
import PostgreSQLSupport
import TestSupport

/// A running `documentd` with accounts, for hostile clients: on SQLite and a folder, or where the tests want PostgreSQL, on that and a bucket.
final class HostileService: @unchecked Sendable {
    // Sound as `Sendable`: nothing of it changes once it has started.
    /// How long a client of the tests may be silent; its setting is `stall-time`.
    static let stallTime = Duration.seconds(4)
    /// What a busy machine may take beyond a deadline.
    static let slack = Duration.seconds(5)

    let documentd: DocumentdProgram
    /// The key that clients of the app's wire send.
    let key: String
    private let backEnds: SharedBackEnds?

    var client: ServiceClient { documentd.client }

    /// - Parameters:
    ///   - stallTime: how long a client may be silent.
    ///   - makesPictures: whether a worker makes the pictures that are asked for.
    ///   - arguments: beside accounts, and no bounds that a single person would meet.
    init(
        stallTime: Duration = HostileService.stallTime, makesPictures: Bool = false, _ arguments: [String] = []
    ) throws {
        backEnds = TestServer.isWanted ? try SharedBackEnds() : nil
        let usual = [
            "--auth", "local", "--worker", makesPictures ? "yes" : "no", "--stall-time",
            "\(stallTime.components.seconds)",
            "--requests-per-minute", "none", "--uploads-at-once", "none", "--searches-per-hour", "none",
        ]
        documentd = try DocumentdProgram(usual + arguments, environment: backEnds?.environment ?? [:])
        key = try documentd.key()
    }

    /// Whether the files lie in a folder, whose files a test can count.
    var hasFolder: Bool { backEnds == nil }

    /// Files that are arriving.
    var arrivingCount: Int { documentd.storedFiles.count { $0.contains("/incoming/") } }

    func remove() {
        documentd.remove()
        backEnds?.remove()
    }

    /// Sends a request as it should be sent.
    func send(_ request: HostileRequest) throws -> ServiceClient.Answer {
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
        return try client.send(request.method, request.address, headers: headers, body: request.body)
    }

    /// The sum of a metric over its labels.
    func metric(_ name: String) throws -> Double {
        let lines = try client.send("GET", "/metrics").text.split(separator: "\n")
        return lines.filter { $0.hasPrefix(name) }.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            .reduce(0, +)
    }

    /// The requests that are being answered, without the one that asks.
    func runningCount() throws -> Int { Int(try metric("documentd_requests_running")) - 1 }

    /// Waits until no request is being answered.
    func settle() throws {
        _ = try Waiting.forValue("requests go on") { try runningCount() == 0 ? true : nil }
    }

    /// The ids of the requests whose answers have ended, whole or not.
    func endedRequests() -> Set<String> {
        let lines = documentd.text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
        return Set(lines.filter { $0["message"]?.string == "request" }.compactMap { $0["request"]?.string })
    }

    /// The memory of the service's process that is in RAM, in bytes.
    func residentByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(documentd.processID)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// The memory of the service's process that no file is behind, in bytes.
    func anonymousByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(documentd.processID)/smaps_rollup", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// Runs `documentd accounts`.
    func accounts(_ arguments: String...) throws {
        let output = try CompassProgram.run(
            CompassProgram.built("documentd"),
            ["accounts"] + arguments + ["--data", documentd.program.path("data")],
            environment: backEnds?.environment ?? [:])
        guard output.status == 0 else { throw Failure(.unavailable, detail: output.standardError) }
    }

    /// How long an ordinary request of another person takes.
    func ordinaryTime(of person: HostilePerson) throws -> Duration {
        let began = Time.monotonic
        _ = try person.must("GET", "/api/schools")
        return Time.monotonic - began
    }
}
