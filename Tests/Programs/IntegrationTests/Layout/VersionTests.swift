import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("The version", .deadline)
struct VersionTests {
    @Test("Each program tells the version of the source tree", arguments: ["compass", "thumbd"])
    func programs(name: String) throws {
        let program = String(CompassProgram.executable.dropLast("compass".count)) + name
        #expect(try CompassProgram.run(program, ["--version"]).lines.first == "\(name) \(Release.version)")
    }

    @Test(
        "The manual's pages bear the version of the source tree",
        arguments: ["compass.1", "thumbd.1", "documentd.1"])
    func manual(page: String) throws {
        let text = try String(contentsOfFile: "\(Checkout.folder)/packaging/\(page)", encoding: .utf8)
        let title = try #require(text.split(separator: "\n").first)
        #expect(title.contains("\"compass \(Release.version)\""), "\(title)")
    }

    @Test("The changelog has no version later than the source tree's")
    func changelog() throws {
        let text = try String(contentsOfFile: "\(Checkout.folder)/CHANGELOG.md", encoding: .utf8)
        let latest = text.split(separator: "\n").first { $0.hasPrefix("## ") && $0 != "## Unreleased" }
        #expect(latest == nil || latest!.hasPrefix("## \(Release.version)"))
    }

    @Test("One place in the sources has the version's number")
    func onePlace() throws {
        let found = try CompassProgram.run(
            "/bin/grep", ["-rlF", "\"\(Release.version)\"", "\(Checkout.folder)/Sources"])
        #expect(found.lines.map { $0.split(separator: "/").last } == ["Release.swift"])
    }
}
