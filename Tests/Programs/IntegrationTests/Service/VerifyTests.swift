import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd verify", .deadline)
struct VerifyTests {
    private func verify(_ documentd: DocumentdProgram, _ words: String...) throws -> CompassProgram.Output {
        let program = documentd.program
        return try CompassProgram.run(
            CompassProgram.built("documentd"),
            ["verify"] + words + ["--data", program.path("data"), "--cache", program.path("cache")], environment: [:])
    }

    @Test("Files of documents and of searches for jobs are read, and those that are gone or damaged are named")
    func damages() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let resume = "jobs/resumes/nurse.pdf"
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample(resume))))
        let sent = try documentd.client.post("/api/resume", fields: [], file: ("nurse.pdf", bytes))
        #expect(sent.status == 200, "\(sent.text)")
        let document = try #require(documentd.upload("page-1.pdf", as: "transcript")["id"]?.string)
        let sound = try verify(documentd)
        #expect(sound.status == 0 && sound.standardOutput == "2 files, 0 damaged\n", "\(sound)")
        let place = try documentd.path(of: document)
        let listed = try verify(documentd, "--list")
        #expect(listed.status == 0 && listed.lines.count == 2)
        let ids = Dictionary(
            uniqueKeysWithValues: listed.lines.map { line in
                let words = line.split(separator: "  ").map(String.init)
                return (words[1], words[0])
            })
        let (stored, searched) = (try #require(ids[place]), try #require(ids["-"]))
        func file(_ id: String) -> String { documentd.program.path("data/store/objects/\(id.prefix(2))/\(id)") }
        #expect(truncate(file(stored), 100) == 0)
        try FileManager.default.removeItem(atPath: file(searched))
        let damaged = try verify(documentd)
        #expect(damaged.status == 1 && damaged.lines.last == "2 files, 2 damaged", "\(damaged)")
        #expect(damaged.lines.contains { $0.hasPrefix("\(stored)  \(place)  ") && $0.hasSuffix("  changed") })
        #expect(damaged.lines.contains { $0.hasPrefix("\(searched)  -  ") && $0.hasSuffix("  missing") })
    }
}
