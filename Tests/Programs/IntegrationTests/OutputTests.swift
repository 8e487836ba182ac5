import Foundation
import Glibc
import TestDeadline
import TestSupport
import Testing

@Suite("The target of -o", .deadline)
struct OutputTests {
    private let photo = Checkout.sample("orientation-1.jpg")

    /// By the program `stat`: which Clang module has the C structure of that name depends on what else a test imports.
    private func kind(_ path: String) -> mode_t? {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/stat")
        process.arguments = ["--format", "%f", path]
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return mode_t(text.filter { !$0.isNewline }, radix: 16).map { $0 & S_IFMT }
    }

    private func isJPEG(_ path: String) -> Bool {
        (try? Data(contentsOf: URL(fileURLWithPath: path)))?.prefix(2) == Data([0xFF, 0xD8])
    }

    @Test("A device stays a device")
    func device() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        // Where devices can be made, the test makes its own, since a faulty program might replace it.
        let made = mknod(program.path("null"), S_IFCHR | 0o666, 1 << 8 | 3) == 0
        let opens = made && open(program.path("null"), O_WRONLY) >= 0
        let (device, asUser) = opens ? (program.path("null"), false) : ("/dev/null", true)
        let output = try program.run(["thumb", photo, "-o", device], asOrdinaryUser: asUser)
        #expect(output.status == 0, "\(output.standardError)")
        #expect(output.lines == [device])
        #expect(kind(device) == S_IFCHR)
    }

    @Test("A device that refuses the bytes is a failure, and stays")
    func full() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let output = try program.run(["thumb", photo, "-o", "/dev/full"], asOrdinaryUser: true)
        #expect(output.status == 3)
        #expect(output.standardError.contains("/dev/full cannot be written: No space left on device"))
        #expect(kind("/dev/full") == S_IFCHR)
    }

    @Test("A pipe is written into, and stays", arguments: ["thumb", "sheet"])
    func pipe(command: String) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let pipe = program.path("pipe.jpg")
        try #require(mkfifo(pipe, 0o600) == 0)
        mkdir(program.path("folder"), 0o755)
        try FileManager.default.copyItem(atPath: photo, toPath: program.path("folder/photo.jpg"))
        let received = program.path("received")
        let reader = Foundation.Process()
        reader.executableURL = URL(fileURLWithPath: "/bin/sh")
        reader.arguments = ["-c", "exec timeout 30 cat <\"$1\" >\"$2\"", "sh", pipe, received]
        try reader.run()
        let output = try program.run([command, command == "thumb" ? photo : program.path("folder"), "-o", pipe])
        if kind(pipe) == S_IFIFO { reader.waitUntilExit() } else { reader.terminate() }
        #expect(output.status == 0, "\(output.standardError)")
        #expect(kind(pipe) == S_IFIFO)
        #expect(isJPEG(received))
    }

    @Test("A link stays a link, and the file that it leads to is replaced or made", arguments: [true, false])
    func link(isDangling: Bool) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        mkdir(program.path("there"), 0o755)
        if !isDangling { _ = try program.write(Data("old".utf8), "there/target.jpg") }
        symlink("there/target.jpg", program.path("link.jpg"))
        symlink("link.jpg", program.path("second.jpg"))
        let output = try program.run(["thumb", photo, "-o", "second.jpg"])
        #expect(output.status == 0)
        #expect(output.lines == ["second.jpg"])
        #expect(kind(program.path("second.jpg")) == S_IFLNK && kind(program.path("link.jpg")) == S_IFLNK)
        #expect(kind(program.path("there/target.jpg")) == S_IFREG)
        #expect(isJPEG(program.path("there/target.jpg")))
        #expect(program.files(below: "there") == ["target.jpg"], "nothing half-written is left")
    }

    @Test("A link in a circle is a failure")
    func circle() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        symlink("b.jpg", program.path("a.jpg"))
        symlink("a.jpg", program.path("b.jpg"))
        let output = try program.run(["thumb", photo, "-o", "a.jpg"])
        #expect(output.status == 3)
        #expect(output.standardError.contains("a.jpg cannot be written"))
    }

    @Test("/dev/stdout is standard output: what stands before and after it stays")
    func standardOutput() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let words = "printf before; \"$0\" thumb \"$1\" -o /dev/stdout; printf after"
        let output = try CompassProgram.run(
            "/bin/sh", ["-c", "{ \(words); } > all", CompassProgram.executable, photo],
            environment: ["COMPASS_CACHE": program.path("cache"), "HOME": program.scratch.path], folder: program.scratch
        )
        #expect(output.status == 0)
        let all = try Data(contentsOf: URL(fileURLWithPath: program.path("all")))
        #expect(all.prefix(8) == Data("before".utf8) + Data([0xFF, 0xD8]))
        #expect(all.suffix(6) == Data([0xD9]) + Data("after".utf8))
    }
}
