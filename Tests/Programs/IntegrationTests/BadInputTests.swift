import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("compass thumb on bad input: one line, the right exit status, nothing half-written", .deadline)
struct BadInputTests {
    private func failing(
        _ arguments: [String], status: Int32 = 1, in program: CompassProgram, says: String,
        asOrdinaryUser: Bool = false,
        line: SourceLocation = #_sourceLocation
    ) throws {
        let start = Date()
        let output = try program.run(["thumb"] + arguments, asOrdinaryUser: asOrdinaryUser)
        #expect(output.status == status, sourceLocation: line)
        #expect(output.standardOutput.isEmpty, sourceLocation: line)
        #expect(output.errorLines.count == 1, "\(output.standardError)", sourceLocation: line)
        #expect(output.standardError.contains(says), "\(output.standardError)", sourceLocation: line)
        #expect(Date().timeIntervalSince(start) < 10, sourceLocation: line)
    }

    @Test("A missing file, a folder, a FIFO and a socket are told apart, and none of them hangs")
    func noRegularFile() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        try failing([program.path("none.jpg")], in: program, says: "none.jpg: File not found.")
        try failing([program.path("")], in: program, says: "it is a folder")
        mkfifo(program.path("fifo"), 0o600)
        try failing([program.path("fifo")], in: program, says: "not a regular file")
        try failing(["/dev/null"], in: program, says: "not a regular file")
    }

    @Test("A file that may not be read says so (as an ordinary user)")
    func unreadable() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let file = try program.write(Data("x".utf8), "secret.jpg")
        chmod(file, 0)
        try failing([file], in: program, says: "permission denied", asOrdinaryUser: true)
    }

    @Test("Empty, one-byte, truncated and random files fail with their names")
    func damagedContent() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        try failing([try program.write(Data(), "empty.jpg")], in: program, says: "empty.jpg: File is empty.")
        try failing(
            ["--no-icon", try program.write(Data([0xFF]), "one.jpg")], in: program,
            says: "one.jpg: Preview unavailable for this file type")
        let jpeg = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg")))
        try failing(
            [try program.write(jpeg.prefix(30), "cut.jpg")], in: program,
            says: "cut.jpg: Unable to load file. File may be corrupt.")
    }

    @Test("A file with a date far in the past or future is rendered", arguments: [13_569_465_600, -2_000_000_000])
    func distantTime(second: Int) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("palette.png")))
        let file = try program.write(bytes, "distant.png")
        let date = Date(timeIntervalSince1970: TimeInterval(second))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        for _ in 0..<2 { #expect(try program.run(["thumb", file]).status == 0) }
    }

    @Test(
        "A page that needs more memory than a file may use says so, wherever it runs out",
        arguments: ["q zz\n", "q\n", "0 0 m 1 1 l zz ", "[[1 1 1 1] "], [40, 100])
    func memory(operators: String, megabytes: Int) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let content = String(repeating: operators, count: 8_000_000 / operators.utf8.count)
        let text = """
            %PDF-1.4
            1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
            2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
            3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources<<>>>> endobj
            4 0 obj <</Length \(content.utf8.count)>> stream
            \(content)
            endstream endobj
            trailer <</Root 1 0 R>>
            %%EOF
            """
        let file = try program.write(Data(text.utf8), "greedy.pdf")
        let output = try program.run(["thumb", "--no-icon", "--memory", "\(megabytes)M", "--json", file])
        let failure = output.json.first?["failure"]
        #expect(failure?["code"]?.string == "tooLarge", "\(output.standardOutput)")
        #expect(failure?["detail"]?.string?.hasPrefix("memory") == true, "\(output.standardOutput)")
    }

    @Test("A header of 65,535 × 65,535 is over the limit, which is named with its setting")
    func hugeHeader() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        try failing([Checkout.sample("claims-65535x65535.png")], in: program, says: "--max-")
    }

    @Test("The other files of a call are done, in their order, and the exit status is 1")
    func othersAreDone() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let good = Checkout.sample("orientation-1.jpg")
        let output = try program.run(["thumb", good, program.path("none"), good])
        #expect(output.status == 1)
        #expect(output.lines.count == 2)
        #expect(output.errorLines.count == 1)
    }

    @Test("With -o nothing appears where a file failed, and nothing is left beside it")
    func outputStaysClean() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let bad = try program.write(Data([0xFF, 0xD8, 0xFF, 0xE0]), "bad.jpg")
        mkdir(program.path("out"), 0o755)
        let output = try program.run([
            "thumb", bad, Checkout.sample("orientation-1.jpg"), "-o", program.path("out") + "/",
        ])
        #expect(output.status == 1)
        #expect(program.files(below: "out") == ["orientation-1.jpg"])
    }

    @Test("A cache that cannot be written warns once, and -o is written all the same (as an ordinary user)")
    func readOnlyCache() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        mkdir(program.path("cache"), 0o555)
        mkdir(program.path("out"), 0o777)
        chmod(program.path("out"), 0o777)
        let names = ["orientation-1.jpg", "alpha.png"].map(Checkout.sample)
        let output = try program.run(["thumb"] + names + ["-o", program.path("out") + "/"], asOrdinaryUser: true)
        #expect(output.status == 0, "\(output.standardError)")
        #expect(program.files(below: "out").count == 2)
        #expect(output.errorLines.filter { $0.contains("warning") }.count == 1, "\(output.standardError)")
    }

    @Test("A full disk leaves no half-written rendition, neither in the cache nor at -o")
    func fullDisk() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        // A file system of 8 KiB, mounted in a mount namespace.
        let photo = Checkout.sample("orientation-1.jpg")
        mkdir(program.path("disk"), 0o755)
        let script = """
            set -e
            mount -t tmpfs -o size=8k tmpfs disk
            "$1" thumb --preset preview "$2" -o disk/out.jpg || echo "status $?"
            ls -R disk/
            """
        let output = try CompassProgram.run(
            "/usr/bin/unshare",
            ["--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", CompassProgram.executable, photo],
            environment: [
                "COMPASS_CACHE": "disk/cache", "HOME": program.scratch.path, "PATH": "/usr/bin:/bin:/usr/sbin",
            ],
            folder: program.scratch)
        #expect(output.standardOutput.contains("status 3"), "\(output.standardOutput) \(output.standardError)")
        #expect(output.standardError.contains("out.jpg cannot be written"))
        #expect(output.standardError.contains("warning"), "the cache could not be written either")
        #expect(!output.standardOutput.contains(".jpg") && !output.standardOutput.contains(".part"))
    }

    @Test("A reader that leaves early is no error")
    func closedPipe() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let files = Array(repeating: Checkout.sample("orientation-1.jpg"), count: 30)
        let output = try CompassProgram.run(
            "/bin/bash",
            ["-c", "set -o pipefail; \"$@\" | head -1", "bash", CompassProgram.executable, "thumb"] + files,
            environment: [
                "COMPASS_CACHE": program.path("cache"), "HOME": program.scratch.path, "PATH": "/usr/bin:/bin",
            ])
        #expect(output.status == 0, "\(output.standardError)")
        #expect(output.standardError.isEmpty)
    }

    @Test("Ctrl-C ends the batch and its children, with status 130 and nothing half-written")
    func interrupt() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CompassProgram.executable)
        // A document that keeps the renderer busy until its deadline.
        let slow = try program.write(Data(Self.endlessDocument.utf8), "slow.pdf")
        process.arguments = ["thumb", "--timeout", "60"] + Array(repeating: slow, count: 4)
        process.environment = ["COMPASS_CACHE": program.path("cache"), "HOME": program.scratch.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: 1)
        kill(process.processIdentifier, SIGINT)
        let start = Date()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
        #expect(Date().timeIntervalSince(start) < 3)
        #expect(!program.files(below: "cache").contains { $0.hasPrefix("tmp/") })
    }

    /// A page of nine forms deep, each of which draws the next ten times: 10⁹ squares.
    private static var endlessDocument: String {
        let forms = (0..<9).map { index in
            let draws = index == 8 ? "0 0 1 1 re f " : String(repeating: "/F\(index + 1) Do ", count: 10)
            return """
                \(index + 10) 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length \(draws.utf8.count)/Resources<</XObject\
                <</F\(index + 1) \(index + 11) 0 R>>>>>>stream
                \(draws)
                endstream endobj
                """
        }
        return """
            %PDF-1.4
            1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
            2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
            3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F0 10 0 R>>>>>>endobj
            4 0 obj<</Length 6>>stream
            /F0 Do
            endstream endobj
            \(forms.joined(separator: "\n"))
            trailer<</Root 1 0 R>>
            """
    }

    @Test(
        "A wrong call gives the reason and status 2",
        arguments: [
            ["thumb"], ["thumb", "a", "--size", "0x0"], ["thumb", "a", "--quality", "101"],
            ["thumb", "a", "--page", "0"],
            ["thumb", "a", "--at", "1:99"], ["thumb", "a", "--fit", "cover"], ["thumb", "a", "b", "-o", "one.jpg"],
            ["thumb", "a/x.jpg", "b/x.png", "-o", "/tmp/"], ["thumb", "-", "-"], ["nonsense"], ["check", "a"],
            ["check", "a", "--type", "nonsense"], ["cache", "purge", "xyz"], ["thumb", "a", "--timeout", "soon"],
        ])
    func usage(arguments: [String]) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let output = try program.run(arguments)
        #expect(output.status == 2, "\(output.standardError)")
        #expect(!output.standardError.isEmpty)
        #expect(output.standardOutput.isEmpty)
    }

    @Test("A file that keeps changing while it is read is not kept")
    func changingFile() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let photo = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg")))
        let file = try program.write(photo, "growing.jpg")
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            while isDone.wait(timeout: .now()) == .timedOut {
                utimes(file, nil)
                usleep(500)
            }
            isDone.signal()
        }.start()
        let output = try program.run(["thumb", file])
        isDone.signal()
        #expect(output.status == 3)
        #expect(output.standardError.contains("changed while it was being read"))
        #expect(!program.files(below: "cache/v1").contains { $0.hasSuffix(".jpg") })
    }
}
