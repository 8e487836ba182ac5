import CoreFoundation
import Foundation
import Glibc
import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Files are their user's alone, whatever the umask", .serialized, .deadline)
struct PermissionsTests {
    /// The files and folders below one, itself included, that group or others may use.
    private static func open(below folder: String) -> [String] {
        let names = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).map {
            "\(folder)/\($0)"
        }
        return ([folder] + names).compactMap { path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK, status.st_mode & 0o077 != 0 else {
                return nil
            }
            return "\(String(status.st_mode & 0o7777, radix: 8)) \(path)"
        }
    }

    /// Runs a program under a umask.
    private static func run(_ program: String, _ arguments: [String], _ mask: String, in folder: CompassProgram) throws
    {
        let words = ["-c", "umask \(mask) && exec \"$@\"", "sh", CompassProgram.built(program)] + arguments
        let output = try CompassProgram.run(
            "/bin/sh", words, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.scratch.path],
            folder: folder.scratch)
        #expect(output.status == 0, "\(arguments): \(output.standardError)")
    }

    @Test("Data, cache, backups and archives of documentd", arguments: ["0", "022"])
    func documentd(mask: String) throws {
        let program = try CompassProgram()
        let documentd = try DocumentdProgram(["--auth", "local"], in: program, umask: mask)
        defer { documentd.remove() }
        let data = program.path("data")
        try Self.run("documentd", ["accounts", "add", "--data", data, "ada@example.org"], mask, in: program)
        try Self.run(
            "documentd",
            [
                "import", "--data", data, "--cache", program.path("cache"),
                "transcript=\(Checkout.sample("pages-24.pdf"))",
            ], mask, in: program)
        try Self.run("documentd", ["backup", "--data", data, program.path("backup")], mask, in: program)
        try Self.run(
            "documentd", ["accounts", "export", "--data", data, "ada@example.org", program.path("ada.zip")], mask,
            in: program)
        _ = try Waiting.forValue("no pictures: \(documentd.text)") { documentd.cachedFiles.isEmpty ? nil : true }
        // While it runs, the logs of the database are there.
        #expect(program.files(below: "data").contains("documents.sqlite-wal"))
        for place in ["data", "cache", "backup", "ada.zip"] { #expect(Self.open(below: program.path(place)) == []) }
        #expect(try documentd.end() == 0)
        try Self.run(
            "documentd", ["restore", "--data", program.path("restored"), program.path("backup")], mask, in: program)
        for place in ["data", "restored"] { #expect(Self.open(below: program.path(place)) == []) }
    }

    @Test("Queue and cache of thumbd and compass", arguments: ["0", "022"])
    func thumbd(mask: String) throws {
        let program = try CompassProgram()
        let thumbd = try ThumbdProgram(
            in: program, launcher: ["/bin/sh", "-c", "umask \(mask) && exec \"$@\"", "sh"])
        defer { thumbd.remove() }
        _ = try thumbd.port()
        _ = try thumbd.waitFor(try thumbd.enqueue(Checkout.sample("orientation-1.jpg")), toBe: .done)
        try Self.run(
            "compass", ["thumb", "--cache", program.path("other"), Checkout.sample("pages-24.pdf")], mask, in: program)
        for place in ["queue", "cache", "other"] { #expect(Self.open(below: program.path(place)) == []) }
    }

    @Test("What an older version has left open is narrowed")
    func older() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        for folder in ["data", "cache"] { mkdir(program.path(folder), 0o755) }
        try Self.run("documentd", ["keys", "--data", program.path("data")], "022", in: program)
        try Self.run("documentd", ["postings", "stats", "--data", program.path("data")], "022", in: program)
        for name in program.files(below: "data") {
            chmod(program.path("data/\(name)"), name.contains("sqlite") ? 0o644 : 0o600)
        }
        chmod(program.path("data"), 0o755)
        let documentd = try DocumentdProgram(in: program)
        defer { documentd.stop() }
        _ = try documentd.settled(try documentd.upload("pages-24.pdf", as: "transcript"))
        for place in ["data", "cache"] { #expect(Self.open(below: program.path(place)) == []) }
    }

    @Test(
        "A cache that its folder's mode shares with a group stays shared, whatever the umask",
        arguments: ["022", "077"])
    func shared(mask: String) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let cache = program.path("cache")
        mkdir(cache, 0o700)
        chmod(cache, 0o2775)
        try Self.run("compass", ["thumb", "--cache", cache, Checkout.sample("orientation-1.jpg")], mask, in: program)
        var files = 0
        for name in program.files(below: "cache") {
            var status = stat()
            try #require(lstat(program.path("cache/\(name)"), &status) == 0)
            let isPrivate = ["local", "stat"].contains(name.split(separator: "/")[0])
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            if isPrivate { continue }
            #expect(status.st_mode & 0o777 == (isFolder ? 0o770 : 0o660), "\(name)")
            files += isFolder ? 0 : 1
        }
        #expect(files >= 2)
    }
}
