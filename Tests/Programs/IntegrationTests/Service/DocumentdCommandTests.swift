import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd's commands and settings", .deadline)
struct DocumentdCommandTests {
    /// Runs `documentd` with a data folder of its own.
    private func run(
        _ arguments: [String], in program: CompassProgram, environment: [String: String] = [:]
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: CompassProgram.built("documentd"))
        process.arguments = arguments
        process.environment =
            ["PATH": "/usr/bin:/bin", "HOME": program.scratch.path].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(
        "A setting comes from a flag, else from the environment, else from the file of --config, and the listing says which"
    )
    func settings() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(
            Data("serve = 127.0.0.1:9001 # a port\nmax-upload = 5M\npicture-wait = 3\n".utf8), "documentd.conf")
        let listing = try run(
            ["--print-config", "--config", file, "--picture-wait", "7"], in: program,
            environment: ["COMPASS_MAX_UPLOAD": "6M"])
        #expect(listing.status == 0, "\(listing.output)")
        func line(_ name: String) -> String {
            listing.output.split(separator: "\n").first { $0.hasPrefix("\(name) ") }.map(String.init) ?? ""
        }
        #expect(line("serve").contains("127.0.0.1:9001") && line("serve").contains("documentd.conf"))
        #expect(line("max-upload").contains("6M") && line("max-upload").contains("COMPASS_MAX_UPLOAD"))
        #expect(line("picture-wait").contains("7") && line("picture-wait").contains("flag"))
        let misspelt = try program.write(Data("max-uplaod = 5M\n".utf8), "wrong.conf")
        let refused = try run(["--print-config", "--config", misspelt], in: program)
        #expect(refused.status == 2 && refused.output.contains("line 1") && refused.output.contains("max-uplaod"))
        let missing = try run(["--print-config", "--config", program.path("none.conf")], in: program)
        #expect(missing.status == 2 && missing.output.contains("none.conf cannot be read"))
    }

    @Test(
        "migrate makes the tables, in the file that --database names, and may be run again; another file is told from them"
    )
    func migrating() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let database = program.path("elsewhere/documents.sqlite")
        let arguments = ["migrate", "--data", program.path("data"), "--database", "sqlite:\(database)"]
        for _ in 0..<2 {
            let migrated = try run(arguments, in: program)
            #expect(migrated.status == 0 && migrated.output == "\(database) is up to date\n", "\(migrated.output)")
        }
        #expect(!FileManager.default.fileExists(atPath: program.path("data/documents.sqlite")))
        try Data("this is no database, and long enough to be told from an empty one".utf8)
            .write(to: URL(fileURLWithPath: database))
        let damaged = try run(arguments, in: program)
        #expect(
            damaged.status == 3 && damaged.output.contains("The database \(database) cannot be used."),
            "\(damaged.output)")
        let server = try run(
            ["migrate", "--data", program.path("data"), "--database", "postgres://ada:geheim@127.0.0.1:1/documents"],
            in: program)
        #expect(server.status == 3 && server.output.contains("postgres://127.0.0.1:1/documents cannot be used"))
        #expect(!server.output.contains("geheim"))
    }
}
