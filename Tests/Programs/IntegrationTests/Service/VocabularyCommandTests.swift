import Foundation
import Media
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("documentd vocabulary", .deadline)
struct VocabularyCommandTests {
    enum Driver: CaseIterable {
        case sqlite
        case postgreSQL
    }

    /// A folder of small files in the published form, and a database of its own.
    private struct Bench {
        let program: CompassProgram
        private let scratch: ScratchDatabase?

        init(_ driver: Driver) throws {
            program = try CompassProgram()
            scratch = driver == .sqlite ? nil : try ScratchDatabase()
            try write(
                "onet/Occupation Data.txt", "O*NET-SOC Code\tTitle\tDescription\n1\tFalconers\tx\n2\tTanners\tx\n")
            try write(
                "onet/Alternate Titles.txt", "O*NET-SOC Code\tAlternate Title\tShort Title\n1\tBird Handler\tn/a\n")
            try write(
                "onet/Related Occupations.txt",
                "O*NET-SOC Code\tRelated O*NET-SOC Code\tRelatedness Tier\n1\t2\tPrimary-Short\n")
            try write("onet/Technology Skills.txt", "O*NET-SOC Code\tExample\n1\tHood Making\n")
            try write(
                "onet/Skills.txt", "O*NET-SOC Code\tElement Name\tScale ID\tData Value\n1\tPatience Training\tIM\t4\n")
            try write(
                "esco/occupations_en.csv",
                "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels\nOccupation,o1,1,cooper,\"barrel maker\nhooper\"\n"
            )
            try write("esco/skills_en.csv", "conceptUri,preferredLabel,altLabels\ns1,barrel bending,\n")
            try write(
                "esco/occupationSkillRelations_en.csv", "occupationUri,relationType,skillUri\no1,essential,s1\n")
        }

        func write(_ name: String, _ text: String) throws {
            try write(name, Data(text.utf8))
        }

        func write(_ name: String, _ data: Data) throws {
            let path = program.path(name)
            try FileManager.default.createDirectory(
                atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
            try data.write(to: URL(fileURLWithPath: path))
        }

        func run(_ arguments: String...) throws -> CompassProgram.Output {
            let database = scratch.map { ["--database", $0.server.url(of: $0.name)] } ?? []
            return try CompassProgram.run(
                CompassProgram.built("documentd"),
                ["vocabulary", arguments[0], "--data", program.path("data")] + database + arguments.dropFirst(),
                environment: [:])
        }

        /// The beginnings of the lines of `stats`.
        func stats() throws -> [String] {
            try run("stats").standardOutput.split(separator: "\n").map { line in
                line.components(separatedBy: "  ").prefix(4).joined(separator: "  ")
            }
        }

        var onet: String { program.path("onet") }
        var esco: String { program.path("esco") }
    }

    @Test("Published files are brought in, counted, replaced and reset", arguments: Driver.allCases)
    func importing(driver: Driver) throws {
        let bench = try Bench(driver)
        defer { bench.program.remove() }
        let before = try bench.stats()
        #expect(before.count == 1 && before[0].hasPrefix("our own  "))
        let imported = try bench.run("import", "--onet", bench.onet)
        #expect(imported.status == 0 && imported.standardError == "", "\(imported)")
        #expect(imported.standardOutput.contains("Occupation Data.txt: 2 rows, 0 refused\n"))
        #expect(try bench.stats()[1] == "O*NET  2 occupations  3 titles  2 skills")

        let both = try bench.run("import", "--esco", bench.esco, "--onet", bench.onet)
        #expect(both.status == 0, "\(both)")
        let stats = try bench.stats()
        #expect(stats.count == 4 && stats[0] == before[0])
        #expect(
            stats[1...2] == ["O*NET  2 occupations  3 titles  2 skills", "ESCO  1 occupations  3 titles  1 skills"])
        #expect(stats[3].hasPrefix("together  "))

        let reset = try bench.run("reset")
        #expect(reset.status == 0 && reset.standardOutput.hasPrefix("2 imported vocabularies removed\n"), "\(reset)")
        #expect(try bench.stats() == before)
    }

    @Test("Rows that are refused are named with file, line and reason, and the others are brought in")
    func refusedRows() throws {
        let bench = try Bench(.sqlite)
        defer { bench.program.remove() }
        let rows = (0..<30).map { "9\($0)\tNobody\t\n" }.joined()
        try bench.write(
            "onet/Alternate Titles.txt", "O*NET-SOC Code\tAlternate Title\tShort Title\n1\tBird Handler\tn/a\n\(rows)")
        try FileManager.default.removeItem(atPath: bench.program.path("onet/Skills.txt"))
        let imported = try bench.run("import", "--onet", bench.onet)
        #expect(imported.status == 1, "\(imported)")
        #expect(imported.standardError.contains("has no Skills.txt: skipping it\n"))
        #expect(imported.standardError.contains("Alternate Titles.txt:3: there is no occupation 90\n"))
        #expect(imported.standardError.contains("Alternate Titles.txt: 10 more\n"))
        #expect(imported.standardOutput.contains("Alternate Titles.txt: 31 rows, 30 refused\n"))
        #expect(try bench.stats()[1] == "O*NET  2 occupations  3 titles  1 skills")
    }

    @Test(
        "A file that is not the publisher's is refused with what to do, and nothing is brought in",
        arguments: [
            (
                "occupations_en.csv", Data("conceptUri,altLabels\n".utf8),
                "occupations_en.csv:1: the first line has no column preferredLabel"
            ),
            ("skills_en.csv", Data([0xFF, 0xFE, 0x63, 0]), "skills_en.csv:1: this is no UTF-8"),
            ("occupations_en.csv", Data(), "has no column"),
        ])
    func foreignFiles(file: String, data: Data, message: String) throws {
        let bench = try Bench(.sqlite)
        defer { bench.program.remove() }
        try bench.write("esco/\(file)", data)
        let refused = try bench.run("import", "--onet", bench.onet, "--esco", bench.esco)
        #expect(refused.status == 2 && refused.standardError.contains(message), "\(refused)")
        #expect(try bench.stats().count == 1, "O*NET's files are not brought in alone")
    }

    @Test("A folder without the files, and a call without a folder, are refused with what to do")
    func folders() throws {
        let bench = try Bench(.sqlite)
        defer { bench.program.remove() }
        let empty = try bench.run("import", "--esco", bench.onet)
        #expect(empty.status == 2, "\(empty)")
        #expect(empty.standardError.contains("has no occupations_en.csv: name the folder with ESCO's files"))
        let none = try bench.run("import")
        #expect(none.status == 2 && none.standardError.contains("--onet"), "\(none)")
    }
}
