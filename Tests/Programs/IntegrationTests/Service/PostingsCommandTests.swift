import Foundation
import TestDeadline
import TestSupport
import Testing

@Suite("documentd postings", .deadline)
struct PostingsCommandTests {
    private static func run(_ arguments: [String], in program: CompassProgram) throws -> CompassProgram.Output {
        try CompassProgram.run(
            CompassProgram.built("documentd"),
            ["postings", arguments[0], "--data", program.path("data")] + arguments.dropFirst(), environment: [:])
    }

    @Test("The newest of the samples is today's, whatever the clock says, and days lie between all as before")
    func asOfToday() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let files = ["board.jsonl", "staffing.csv", "employers.jsonld", "careers.html"].map {
            Checkout.sample("jobs/postings/\($0)")
        }
        let imported = try Self.run(["import", "--as-of-today"] + files, in: program)
        #expect(imported.status == 0, "\(imported)")
        let today = Date.now.formatted(.iso8601.year().month().day())
        let stats = try Self.run(["stats"], in: program).standardOutput.split(separator: "\n")
        #expect(stats.map { $0.prefix { $0 != " " } } == ["board", "careers", "employers", "staffing"])
        #expect(stats.contains { $0.hasSuffix("newest \(today)") }, "\(stats)")
    }

    @Test("A file whose name has a number needs the name of its source")
    func sources() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let row = Data(#"{"id": "1", "title": "Cook"}"#.utf8)
        let files = try ["feed-2026-11-24.jsonl", "feed-2026-11-25.jsonl"].map { try program.write(row, $0) }
        let refused = try Self.run(["import", files[0]], in: program)
        #expect(refused.status != 0 && refused.standardError.contains("--source"), "\(refused)")
        for file in files {
            #expect(try Self.run(["import", "--source", "feed", file], in: program).status == 0)
        }
        #expect(try Self.run(["stats"], in: program).standardOutput.hasPrefix("feed  1 open"))
    }
}
