import Foundation
import Glibc
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("In a folder of another user", .deadline)
struct StrangeFolderTests {
    private let photo = Checkout.sample("orientation-1.jpg")

    /// A scratch folder that looks like a checkout of this project, with a `cache` whose counter leads elsewhere.
    private func plant(_ program: CompassProgram) throws {
        for folder in ["cache", "Sources", "home"] { mkdir(program.path(folder), 0o755) }
        _ = try program.write(Data(), "cache/README.md")
        _ = try program.write(Data(), "Package.swift")
        symlink("\(program.path("home"))/.bashrc", program.path("cache/usage"))
    }

    private func run(_ program: CompassProgram, _ arguments: [String], environment: [String: String] = [:]) throws
        -> CompassProgram.Output
    {
        try CompassProgram.run(
            CompassProgram.executable, arguments,
            environment: ["HOME": program.path("home"), "PATH": "/usr/bin:/bin"].merging(environment) { $1 },
            folder: program.scratch)
    }

    @Test("./cache is not the cache of a program that was not built there, and nothing leads out of a cache")
    func markers() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        try plant(program)
        let config = try #require(try run(program, ["config", "--json"]).json.first)
        #expect(config["cache"]?["value"]?.string == "\(Checkout.folder)/cache")
        let output = try run(program, ["thumb", photo, "--cache", "cache"])
        #expect(output.status == 0, "\(output.standardError)")
        #expect(try run(program, ["cache", "gc", "--cache", "cache"]).status == 0)
        #expect(
            !FileManager.default.fileExists(atPath: program.path("home/.bashrc")), "the counter's link is not followed")
    }

    @Test("A program that is installed elsewhere uses the user's cache in any working folder")
    func installed() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        try plant(program)
        let copy = program.path("compass")
        try FileManager.default.copyItem(atPath: CompassProgram.executable, toPath: copy)
        let output = try CompassProgram.run(
            copy, ["config", "--json"], environment: ["HOME": program.path("home")], folder: program.scratch)
        #expect(output.json.first?["cache"]?["value"]?.string == program.path("home/.cache/compass"))
    }

    @Test("Every command refuses a cache folder of another user with a clear message")
    func otherOwner() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        mkdir(program.path("cache"), 0o755)
        // Root's folder is trusted, so the folder must belong to another user than the program's; only root can arrange that.
        guard getuid() == 0 else { return }
        try #require(chown(program.path("cache"), 4321, 4321) == 0)
        for command in [
            ["thumb", photo], ["facts", photo], ["sheet", Checkout.folder, "-o", "x.png"], ["cache", "stats"],
            ["cache", "gc"], ["cache", "verify"], ["backfill", "--dry-run", Checkout.folder],
        ] {
            for asOrdinaryUser in [true, false] {
                let output = try program.run(command, asOrdinaryUser: asOrdinaryUser)
                #expect(output.status == 3, "\(command)")
                #expect(output.standardError.contains("belongs to user 4321"), "\(command): \(output.standardError)")
                #expect(output.standardError.contains("--cache-owner 4321"), "\(command)")
            }
        }
        let trusted = try program.run(["thumb", photo, "--cache-owner", "4321"])
        #expect(trusted.status == 0, "\(trusted.standardError)")
        #expect(try program.run(["thumb", photo, "--cache-owner", "nobody"]).status == 2)
        #expect(try program.run(["thumb", photo, "--no-cache", "-o", "x.jpg"]).status == 0)
    }

    @Test("Without a home the folder in /tmp is this user's alone, or refused")
    func withoutHome() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        // The folder's name has the user's number; the test takes an unused one.
        guard getuid() == 0 else { return }
        let user = "3987654"
        let folder = "/tmp/compass-cache-\(user)"
        defer { _ = try? CompassProgram.run("/bin/rm", ["-rf", folder]) }
        func thumb() throws -> CompassProgram.Output {
            try CompassProgram.run(
                "/usr/bin/setpriv",
                [
                    "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", program.path("compass"), "config",
                    "--json",
                ],
                environment: ["PATH": "/usr/bin"], folder: program.scratch)
        }
        try FileManager.default.copyItem(atPath: CompassProgram.executable, toPath: program.path("compass"))
        #expect(try thumb().json.first?["cache"]?["value"]?.string == folder)
        mkdir(folder, 0o755)
        try #require(chown(folder, 4321, 4321) == 0)
        let refused = try CompassProgram.run(
            "/usr/bin/setpriv",
            ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--", program.path("compass"), "cache", "gc"],
            environment: ["PATH": "/usr/bin"], folder: program.scratch)
        #expect(refused.status == 3)
        #expect(refused.standardError.contains("belongs to user 4321"))
    }
}
