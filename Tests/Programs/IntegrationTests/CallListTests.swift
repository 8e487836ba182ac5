import Foundation
import TestDeadline
import TestSupport
import Testing

/// Runs `call-check`, which sends files through the real renderers and records their system calls in place of the filter.
@Suite("The system calls of the renderers' children", .deadline)
struct CallListTests {
    @Test("Over all samples: no call outside the class's list, no file outside its folders", arguments: [true, false])
    func samples(meetsFreshRenderers: Bool) throws {
        let output = try check(["\(Checkout.folder)/samples"], isFresh: meetsFreshRenderers)
        #expect(output.lines.filter { !$0.hasPrefix("refused as listed") }.dropLast() == [])
        let tally = try #require(output.lines.last?.split(separator: " ").first.flatMap { Int($0) })
        #expect(tally >= SamplesTests.Sample.all.count)
        #expect(output.status == 0, "\(output.standardError)")
    }

    @Test(
        "A call that is not on the list is named, with its class and its file",
        arguments: [
            ("orientation-1.jpg", "connect", "sniff", "forbidden socket"),
            ("orientation-1.jpg", "connect", "plain", "forbidden socket"),
            ("orientation-1.jpg", "connect", "image", "forbidden socket"),
            ("drawing.svg", "fork", "svg", "forbidden clone"),
            ("pages-24.pdf", "readPasswords", "pdf", "opened /etc/passwd"),
            ("h264.mp4", "trace", "video", "forbidden ptrace"),
            ("jobs/resumes/accountant.docx", "connect", "text", "forbidden socket"),
        ])
    func named(sample: String, probe: String, rendererClass: String, finding: String) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let data = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample(sample)))
        let file = try program.write(
            data + Data("\n<!-- probe \(probe) -->".utf8), String(sample.split(separator: "/").last!))
        let output = try check([file], isFresh: false)
        #expect(output.lines.contains { $0.hasPrefix("\(rendererClass)\t\(file)\t\(finding)") }, "\(output.lines)")
        #expect(output.status == 1)
    }

    private func check(_ files: [String], isFresh: Bool) throws -> CompassProgram.Output {
        try CompassProgram.run(
            CompassProgram.built("call-check"), (isFresh ? ["--fresh"] : []) + [BuiltPrograms.folder] + files)
    }
}
