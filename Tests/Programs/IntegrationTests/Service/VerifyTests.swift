import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd verify", .deadline)
struct VerifyTests {
    private func verify(_ documentd: DocumentdProgram) throws -> CompassProgram.Output {
        let program = documentd.program
        return try CompassProgram.run(
            CompassProgram.built("documentd"),
            ["verify", "--data", program.path("data"), "--cache", program.path("cache")], environment: [:])
    }

    @Test("Files of documents and of searches for jobs are read, and those that are gone or damaged are named")
    func damages() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let resume = "jobs/resumes/nurse.pdf"
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample(resume))))
        let sent = try documentd.client.post("/api/resume", fields: [], file: ("nurse.pdf", bytes))
        let search = try #require(sent.json?["search_session_id"]?.string, "\(sent.text)")
        let document = try #require(documentd.upload("page-1.pdf", as: "transcript")["id"]?.string)
        let sound = try verify(documentd)
        #expect(sound.status == 0 && sound.standardOutput == "2 files, 0 damaged\n", "\(sound)")
        let paths = documentd.storedFiles.map { documentd.program.path($0) }
        let searched = try #require(paths.first { $0.contains("/resumes/") })
        let stored = try #require(paths.first { !$0.contains("/resumes/") })
        #expect(truncate(stored, 100) == 0)
        try FileManager.default.removeItem(atPath: searched)
        let damaged = try verify(documentd)
        #expect(damaged.status == 1 && damaged.lines.last == "2 files, 2 damaged", "\(damaged)")
        #expect(damaged.lines.contains { $0.hasPrefix(document) && $0.hasSuffix("  changed") })
        #expect(damaged.lines.contains { $0.hasPrefix(search) && $0.hasSuffix("  missing") })
    }
}
