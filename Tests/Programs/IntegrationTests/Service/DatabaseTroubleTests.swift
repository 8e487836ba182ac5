import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd and a database that is locked, read-only or of a newer program", .serialized, .deadline)
struct DatabaseTroubleTests {
    private static let pdf = try! DocumentdTests.sample("page-1.pdf")

    private func upload(to documentd: DocumentdProgram) throws -> ServiceClient.Answer {
        try documentd.client.send("POST", "/api/documents?type=transcript&file_name=a.pdf", body: Self.pdf)
    }

    @Test("While another process holds the database, changes are refused in time and leave nothing; reads go on")
    func locked() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let first = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        try OtherProgram.withWriteLock(on: documentd.program.path("data/documents.sqlite")) { () throws in
            let began = Date()
            let answer = try upload(to: documentd)
            #expect(answer.status == 503 && answer.code == "unavailable" && answer["retry-after"] != nil)
            #expect(answer.message == "Server error. Please try again.", "\(answer.text)")
            #expect(Date().timeIntervalSince(began) < 15, "the wait for another process has a bound")
            try documentd.waitForStoredFiles(1)
            #expect(try client.send("GET", "/api/documents").data?["total"]?.int == 1)
            #expect(try client.send("GET", "/api/documents/\(first)/file").body == Self.pdf)
        }
        let lines = documentd.lines(at: "error")
        #expect(lines.contains { $0["reason"]?.string?.contains("database is locked") == true }, "\(documentd.text)")
        #expect(try upload(to: documentd).status == 201)
        #expect(try documentd.end() == 0)
    }

    @Test("While a newer program upgrades the database, the service goes on; another start says why it fails")
    func newer() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        _ = try documentd.upload("page-1.pdf", as: "transcript")
        let database = documentd.program.path("data/documents.sqlite")
        try OtherProgram.sqlite(
            database, "UPDATE schema_versions SET version = 99 WHERE name = 'document'; CREATE TABLE document_more (x);"
        )
        #expect(try upload(to: documentd).status == 201)
        #expect(try client.send("GET", "/api/documents").data?["total"]?.int == 2)
        #expect(try client.send("GET", "/readyz").status == 200)
        #expect(try documentd.end() == 0)
        let start = try start(in: documentd.program)
        #expect(start.status == 3, "\(start.standardError)")
        #expect(start.standardError.contains("cannot be used") && start.standardError.contains("from a newer program"))
        #expect(try OtherProgram.sqlite(database, "SELECT count(*) FROM documents;") == ["2"])
    }

    @Test("A start over a folder or a database that cannot be written fails with what is wrong, and changes nothing")
    func readOnly() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        _ = try documentd.upload("page-1.pdf", as: "transcript")
        #expect(try documentd.end() == 0)
        let folder = try start(in: documentd.program, readOnly: "data")
        #expect(folder.status == 3 && folder.standardError.contains("cannot be written (setting data)"))
        let file = try start(in: documentd.program, readOnly: "data/documents.sqlite")
        #expect(file.status == 3, "\(file.standardError)")
        #expect(file.standardError.contains("documents.sqlite cannot be used"), "\(file.standardError)")
        let again = try DocumentdProgram(["--worker", "no"], in: documentd.program)
        defer { again.stop() }
        #expect(try again.client.send("GET", "/api/documents").data?["total"]?.int == 1)
    }

    @Test("A store of files that cannot be written refuses uploads and serves what it has")
    func readOnlyFiles() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let id = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        #expect(try documentd.end() == 0)
        let again = try DocumentdProgram(
            ["--worker", "no"], in: documentd.program, after: Self.mounting("data/store"))
        defer { again.stop() }
        let answer = try upload(to: again)
        #expect(answer.status == 503 && answer.message == "Server error. Please try again.", "\(answer.text)")
        #expect(again.lines(at: "error").contains { $0["reason"]?.string?.contains("Read-only file system") == true })
        #expect(try again.client.send("GET", "/api/documents").data?["total"]?.int == 1)
        #expect(try again.client.send("GET", "/api/documents/\(id)/file").body == Self.pdf)
        try again.waitForStoredFiles(1)
    }

    /// Words of a shell that make a path of the scratch folder read-only for what follows.
    private static func mounting(_ path: String) -> String {
        "cd \"$HOME\" && mount --bind \(path) \(path) && mount -o remount,bind,ro \(path)"
    }

    /// Starts a service that is expected to end by itself.
    private func start(
        in program: CompassProgram, readOnly path: String? = nil
    ) throws -> CompassProgram.Output {
        let call = [
            CompassProgram.built("documentd"), "--data", "data", "--cache", "cache", "--listen", "127.0.0.1:0",
            "--log-format", "json",
        ]
        let preparation = path.map { Self.mounting($0) } ?? "true"
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        return try CompassProgram.run(
            "/usr/bin/timeout",
            ["20", "/usr/bin/unshare", "--mount"] + user + ["/bin/sh", "-c", "\(preparation) && exec \"$@\"", "sh"]
                + call,
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": program.scratch.path],
            folder: program.scratch)
    }
}
