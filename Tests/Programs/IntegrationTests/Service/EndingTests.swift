import Foundation
import Linux
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("The end of a service that hangs", .serialized, .deadline)
struct EndingTests {
    @Test(
        "A start that hangs is ended by SIGTERM within the time for the drain and four seconds, with its status and a line"
    )
    func start() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        // Nobody ever writes to it.
        let secret = program.path("secret")
        #expect(mkfifo(secret, 0o600) == 0)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CompassProgram.built("documentd"))
        process.arguments = [
            "--data", program.path("data"), "--cache", program.path("cache"), "--listen", "127.0.0.1:0", "--worker",
            "no", "--auth", "tokens", "--token-secret-file", secret, "--drain", "1",
        ]
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": program.scratch.path]
        process.standardInput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let id = process.processIdentifier
        _ = try Waiting.forValue("it does not get so far") { blocksTermination(id) ? true : nil }
        let began = Time.monotonic
        process.terminate()
        let ended: Bool? = try? Waiting.forValue("SIGTERM does not end it", within: 15) {
            process.isRunning ? nil : true
        }
        #expect(ended == true)
        let duration = Time.monotonic - began
        #expect(duration > .seconds(4) && duration < .seconds(9), "\(duration)")
        if process.isRunning { kill(id, SIGKILL) }
        process.waitUntilExit()
        #expect(process.terminationStatus == 3 && process.terminationReason == .exit)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains("forced exit: the service did not shut down in time"), "\(text)")
    }

    /// Whether the process takes SIGTERM itself.
    private func blocksTermination(_ id: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let blocked = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            .flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
        return blocked.map { $0 & (1 << UInt64(SIGTERM - 1)) != 0 } == true
    }
}
