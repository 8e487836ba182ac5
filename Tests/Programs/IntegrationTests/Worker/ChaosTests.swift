import Foundation
import TestDeadline
import TestSupport
import Testing

@Suite("No job is lost when processes die", .serialized, .deadline)
struct ChaosTests {
    private func run(_ mode: String, seconds: Int) throws -> CompassProgram.Output {
        let program = try CompassProgram()
        defer { program.remove() }
        return try CompassProgram.run(
            CompassProgram.built("chaos"),
            [
                "run", BuiltPrograms.folder, Checkout.sample(""), program.path("chaos"), "\(seconds)", "1", mode,
            ],
            environment: ["PATH": "/usr/bin:/bin", "HOME": program.scratch.path])
    }

    @Test("With workers killed at every step, stopped or misled, every job is done or dead, none twice and none wrong")
    func fenced() throws {
        let output = try run("fenced", seconds: 12)
        #expect(output.status == 0, "\(output.standardOutput)\(output.standardError)")
        #expect(count("workers that died by −9", in: output) > 3, "\(output.standardOutput)")
        #expect(count("jobs done", in: output) > 20, "\(output.standardOutput)")
    }

    @Test("Without fencing, the audit finds jobs that two leases completed")
    func unfenced() throws {
        let output = try run("unfenced", seconds: 15)
        #expect(output.status == 1, "\(output.standardOutput)\(output.standardError)")
        #expect(output.standardError.contains("completed by 2 leases"), "\(output.standardError)")
    }

    @Test("With jobs completed before they are stored, the audit finds jobs without their renditions")
    func hasty() throws {
        // A worker has to die between completing a job and storing its rendition: ten seconds nearly always have one.
        var found = false
        for _ in 0..<3 where !found {
            let output = try run("hasty", seconds: 10)
            #expect(output.status == 1, "\(output.standardOutput)\(output.standardError)")
            found = output.standardError.contains("the cache lacks")
        }
        #expect(found)
    }

    private func count(_ name: String, in output: CompassProgram.Output) -> Int {
        let line = output.lines.first { $0.hasPrefix("| \(name) |") }
        return line?.split(separator: "|").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
    }
}
