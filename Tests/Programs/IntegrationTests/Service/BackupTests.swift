import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd backup and restore", .deadline)
struct BackupTests {
    private static let files = (1...4).map { number in
        Array(String(repeating: "\(number) semester, subject, grade\n", count: 40 * number).utf8)
    }

    private let documentd: DocumentdProgram
    private let ids: [String]

    init() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        self.documentd = documentd
        ids = try Self.files.enumerated().map { index, bytes in
            let sent = try documentd.client.send(
                "POST", "/api/documents?type=transcript&file_name=\(index).txt", body: bytes)
            return try #require(sent.data?["id"]?.string, "\(sent.text)")
        }
    }

    private func run(_ words: String..., readOnly: String? = nil) throws -> CompassProgram.Output {
        let program = documentd.program
        let call = [CompassProgram.built("documentd")] + words
        guard let readOnly else {
            return try CompassProgram.run(call[0], Array(call.dropFirst()), environment: [:])
        }
        let place = program.path(readOnly)
        let mount = "mount --bind '\(place)' '\(place)' && mount -o remount,bind,ro '\(place)' && exec \"$@\""
        let user = getuid() == 0 ? [] : ["--user", "--map-root-user"]
        return try CompassProgram.run(
            "/usr/bin/unshare", ["--mount"] + user + ["/bin/sh", "-c", mount, "sh"] + call,
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    }

    private func backup() throws -> CompassProgram.Output {
        try run("backup", "--data", documentd.program.path("data"), documentd.program.path("backup"))
    }

    /// The file of a document's object below a folder.
    private func file(_ index: Int, in folder: String = "data") throws -> String {
        let id = try #require(
            try OtherProgram.sqlite(
                documentd.program.path("data/documents.sqlite"),
                ".timeout 5000\nSELECT object_id FROM documents WHERE id = '\(ids[index])';"
            ).first)
        return documentd.program.path("\(folder)/store/objects/\(id.prefix(2))/\(id)")
    }

    /// Serves what was restored.
    private func restored(_ body: (ServiceClient) throws -> Void) throws {
        #expect(try documentd.end() == 0)
        let (data, manager) = (documentd.program.path("data"), FileManager.default)
        // The secret is kept apart from the backup.
        try manager.moveItem(atPath: "\(data)/secret.key", toPath: documentd.program.path("restored/secret.key"))
        try manager.removeItem(atPath: data)
        try manager.moveItem(atPath: documentd.program.path("restored"), toPath: data)
        let again = try DocumentdProgram(["--worker", "no"], in: documentd.program)
        defer { again.stop() }
        try body(again.client)
    }

    @Test("A missing and a damaged file are named at the end, and everything else is copied and restored")
    func damages() throws {
        defer { documentd.remove() }
        try FileManager.default.removeItem(atPath: try file(0))
        #expect(truncate(try file(1), 7) == 0)
        let made = try backup()
        #expect(made.status == 3 && made.standardOutput == "2 files, 2 of them copied\n", "\(made)")
        let named = made.standardError.split(separator: "\n")
        #expect(named.count == 2, "\(made)")
        for (index, kind) in ["missing", "changed"].enumerated() {
            let path = try documentd.path(of: ids[index])
            #expect(named.contains { $0.contains("  \(path)  ") && $0.hasSuffix("  \(kind)") }, "\(made)")
        }
        let back = try run("restore", "--data", documentd.program.path("restored"), documentd.program.path("backup"))
        #expect(back.status == 3 && back.standardOutput.hasPrefix("Restored 2 files;"), "\(back)")
        try restored { client in
            for (index, id) in ids.enumerated() {
                let read = try client.send("GET", "/api/documents/\(id)/file")
                #expect(index < 2 ? read.status == 404 : read.body == Self.files[index], "\(index): \(read.status)")
            }
        }
    }

    @Test("A copy that is damaged is found by its digest and made again; a sound copy heals a damaged file")
    func healing() throws {
        defer { documentd.remove() }
        #expect(try backup().standardOutput == "4 files, 4 of them copied\n")
        #expect(try backup().standardOutput == "4 files, 0 of them copied\n")
        // Other bytes of the same length.
        let copy = try file(2, in: "backup")
        try Data(repeating: 0x20, count: Self.files[2].count).write(to: URL(fileURLWithPath: copy))
        try Data(repeating: 0x20, count: Self.files[3].count).write(to: URL(fileURLWithPath: try file(3)))
        let again = try backup()
        #expect(again.status == 0 && again.standardOutput == "4 files, 1 of them copied\n", "\(again)")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: copy))) == Self.files[2])
        #expect(try documentd.end() == 0)
        let back = try run("restore", "--data", documentd.program.path("data"), documentd.program.path("backup"))
        #expect(back.status == 0, "\(back)")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: try file(3)))) == Self.files[3])
    }

    @Test("A file that was replaced since the backup is back after a restore, and one that was deleted is not")
    func replaced() throws {
        defer { documentd.remove() }
        let folder = "/storage/v1/object/documents/00000000-0000-7000-8000-000000000001/transcript"
        let apikey = ["apikey": try documentd.key()]
        for name in ["kept", "gone"] {
            #expect(
                try documentd.client.send("POST", "\(folder)/\(name).txt", headers: apikey, body: Self.files[0]).status
                    == 200)
        }
        #expect(try backup().status == 0)
        let replaced = try documentd.client.send(
            "POST", "\(folder)/kept.txt", headers: apikey.merging(["x-upsert": "true"]) { $1 }, body: Self.files[1])
        #expect(replaced.status == 200, "\(replaced.text)")
        #expect(try documentd.client.send("DELETE", "\(folder)/gone.txt", headers: apikey).status == 200)
        #expect(try documentd.end() == 0)
        let back = try run("restore", "--data", documentd.program.path("data"), documentd.program.path("backup"))
        #expect(back.status == 0, "\(back)")
        let again = try DocumentdProgram(["--worker", "no"], in: documentd.program)
        defer { again.stop() }
        #expect(try again.client.send("GET", "\(folder)/kept.txt", headers: apikey).body == Self.files[0])
        #expect(try again.client.send("GET", "\(folder)/gone.txt", headers: apikey).status == 400)
    }

    @Test("Documents that are deleted while the backup runs are no damage, and are not in it", .timeLimit(.minutes(2)))
    func deletions() throws {
        defer { documentd.remove() }
        let more = try (0..<100).map { number in
            let sent = try documentd.client.send(
                "POST", "/api/documents?type=transcript&file_name=m\(number).txt", body: Self.files[0])
            return try #require(sent.data?["id"]?.string)
        }
        let client = documentd.client
        let deleting = Thread { for id in more { _ = try? client.send("DELETE", "/api/documents/\(id)") } }
        deleting.start()
        let during = try backup()
        #expect(during.status == 0, "\(during)")
        _ = try Waiting.forValue("the deletions do not end") { deleting.isFinished ? true : nil }
        let back = try run("restore", "--data", documentd.program.path("restored"), documentd.program.path("backup"))
        #expect(back.status == 0, "\(back)")
        let verified = try run(
            "verify", "--data", documentd.program.path("restored"), "--cache", documentd.program.path("cache"))
        #expect(verified.status == 0, "\(verified)")
    }

    @Test("A service that has nothing yet gets everything of a backup; one with documents of its own keeps them")
    func otherService() throws {
        defer { documentd.remove() }
        #expect(try backup().status == 0)
        let other = try CompassProgram()
        let fresh = try DocumentdProgram(["--worker", "no"], in: other)
        #expect(try fresh.end() == 0)
        let folder = documentd.program.path("backup")
        let back = try run("restore", "--data", other.path("data"), folder)
        #expect(back.status == 0 && back.standardOutput.hasPrefix("Restored 4 files; 0 versions"), "\(back)")
        let own = try CompassProgram()
        let third = try DocumentdProgram(["--worker", "no"], in: own)
        defer { third.remove() }
        let sent = try third.client.send(
            "POST", "/api/documents?type=transcript&file_name=own.txt", body: Self.files[0])
        #expect(sent.status == 201)
        #expect(try third.end() == 0)
        let refused = try run("restore", "--data", own.path("data"), folder)
        #expect(refused.status == 2 && refused.standardError.contains("different service"), "\(refused)")
        let verified = try run("verify", "--data", own.path("data"), "--cache", own.path("cache"), "--list")
        #expect(verified.status == 0 && verified.standardOutput.contains("own.txt"), "\(verified)")
    }

    @Test("Accounts that were deleted or disabled since a backup stay so after its restore")
    func accounts() throws {
        defer { documentd.remove() }
        let (data, folder) = (documentd.program.path("people"), documentd.program.path("people-backup"))
        func accounts(_ words: String...) throws -> String {
            let output = try CompassProgram.run(
                CompassProgram.built("documentd"), ["accounts", words[0], "--data", data] + words.dropFirst())
            #expect(output.status == 0, "\(output)")
            return output.standardOutput
        }
        for name in ["ada", "ben", "cleo"] { _ = try accounts("add", "\(name)@example.org") }
        #expect(try run("backup", "--data", data, folder).status == 0)
        _ = try accounts("delete", "--yes", "ben@example.org")
        _ = try accounts("disable", "cleo@example.org")
        let before = try accounts("list")
        #expect(try run("restore", "--data", data, folder).status == 0)
        #expect(try accounts("list") == before)
        #expect(before.contains("ada@example.org") && !before.contains("ben@example.org"))
    }

    @Test("What a backup that was killed has left beside its part is not taken for the next one's")
    func leftJournal() throws {
        defer { documentd.remove() }
        // A journal that would be rolled back into whatever database it lies beside: its first page is of another one.
        let other = documentd.program.path("other.sqlite")
        _ = try OtherProgram.sqlite(other, "CREATE TABLE strange (a); INSERT INTO strange VALUES (1);")
        let script = """
            import os, sqlite3, sys
            base = sqlite3.connect(sys.argv[1], isolation_level=None)
            base.execute("PRAGMA cache_spill = 1")
            base.execute("BEGIN")
            base.execute("UPDATE strange SET a = zeroblob(5000000)")
            os.link(sys.argv[1] + "-journal", sys.argv[2])
            os._exit(0)
            """
        try FileManager.default.createDirectory(
            atPath: documentd.program.path("backup"), withIntermediateDirectories: true)
        for part in ["documents.sqlite-new", "documents.sqlite-new-part"] {
            let journal = documentd.program.path("backup/\(part)-journal")
            let made = try CompassProgram.run("/usr/bin/python3", ["-c", script, other, journal])
            #expect(made.status == 0, "\(made)")
        }
        #expect(try backup().status == 0)
        let back = try run("restore", "--data", documentd.program.path("restored"), documentd.program.path("backup"))
        #expect(back.status == 0, "\(back)")
        let verified = try run(
            "verify", "--data", documentd.program.path("restored"), "--cache", documentd.program.path("cache"))
        #expect(verified.status == 0 && verified.standardOutput.contains("4 files"), "\(verified)")
    }

    /// Deleted things were in them forever.
    @Test("Copies of the database that restores leave go: parts with the next start, the one before after seven days")
    func remains() throws {
        defer { documentd.remove() }
        let (data, manager) = (documentd.program.path("data"), FileManager.default)
        #expect(try backup().status == 0)
        #expect(try documentd.end() == 0)
        #expect(try run("restore", "--data", data, documentd.program.path("backup")).status == 0)
        let former = "\(data)/documents.sqlite-before-restore"
        #expect(manager.fileExists(atPath: former))
        let parts = ["-new", "-new-wal", "-before-restore-new", "-before-restore-new-journal"].map {
            "\(data)/documents.sqlite\($0)"
        }
        for part in parts { #expect(manager.createFile(atPath: part, contents: Data("left".utf8))) }
        let again = try DocumentdProgram(["--worker", "no"], in: documentd.program)
        #expect(parts.filter { manager.fileExists(atPath: $0) } == [] && manager.fileExists(atPath: former))
        #expect(try again.end() == 0)
        try manager.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -8 * 86_400)], ofItemAtPath: former)
        let later = try DocumentdProgram(["--worker", "no"], in: documentd.program)
        defer { later.stop() }
        #expect(!manager.fileExists(atPath: former))
    }

    @Test("Who deletes an account deletes the database before a restore")
    func remainsOfAccounts() throws {
        defer { documentd.remove() }
        let (data, folder) = (documentd.program.path("people"), documentd.program.path("people-backup"))
        func accounts(_ words: String...) throws {
            let output = try CompassProgram.run(
                CompassProgram.built("documentd"), ["accounts", words[0], "--data", data] + words.dropFirst())
            #expect(output.status == 0, "\(output)")
        }
        try accounts("add", "ada@example.org")
        #expect(try run("backup", "--data", data, folder).status == 0)
        #expect(try run("restore", "--data", data, folder).status == 0)
        let former = "\(data)/documents.sqlite-before-restore"
        #expect(FileManager.default.fileExists(atPath: former))
        try accounts("delete", "--yes", "ada@example.org")
        #expect(!FileManager.default.fileExists(atPath: former))
    }

    @Test("Of two backups to one folder one is made")
    func together() throws {
        defer { documentd.remove() }
        #expect(try backup().status == 0)
        let lock = open(documentd.program.path("backup/lock"), O_RDWR)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let second = try backup()
        #expect(second.status != 0 && second.standardError.contains("Another backup is being made"), "\(second)")
        close(lock)
        #expect(try backup().status == 0)
    }

    @Test("A backup on a medium that cannot be written to is restored, for its owner alone")
    func readOnly() throws {
        defer { documentd.remove() }
        #expect(try backup().status == 0)
        let back = try run(
            "restore", "--data", documentd.program.path("restored"), documentd.program.path("backup"),
            readOnly: "backup")
        #expect(back.status == 0, "\(back)")
        // A restored file is nobody else's, as all files of the service.
        for place in ["documents.sqlite", "store/objects"] {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: documentd.program.path("restored/\(place)"))
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(place)")
        }
        try restored { client in
            for (index, id) in ids.enumerated() {
                let read = try client.send("GET", "/api/documents/\(id)/file")
                #expect(read.body == Self.files[index])
            }
        }
    }
}
