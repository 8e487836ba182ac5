import Foundation
import TestDeadline
import TestSupport
import Testing

@Suite("A test that hangs", .deadline)
struct DeadlineTests {
    @Test("It ends its process, which names it")
    func ends() throws {
        let program = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let output = try CompassProgram.run(
            program,
            ["--testing-library", "swift-testing", "--filter", "^IntegrationTests\\.HangingTests/"],
            environment: ProcessInfo.processInfo.environment.merging([HangingTests.variable: "yes"]) { $1 })
        #expect(output.status == 1)
        #expect(output.standardError.contains("IntegrationTests.HangingTests/blocks()"), "\(output.standardError)")
        #expect(output.standardError.contains("has not ended after"))
    }
}

/// What `DeadlineTests` runs in a process of its own.
@Suite("Tests that hang on command", .deadline(.seconds(1)))
struct HangingTests {
    static let variable = "COMPASS_TESTS_HANG"

    @Test("A blocked thread", .enabled(if: ProcessInfo.processInfo.environment[variable] != nil))
    func blocks() {
        while true { sleep(1000) }
    }
}
