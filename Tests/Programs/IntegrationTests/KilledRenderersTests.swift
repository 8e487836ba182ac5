import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Renderers that are killed in the middle of a batch", .deadline)
struct KilledRenderersTests {
    private static let samples = ["orientation-1.jpg", "drawing.svg", "pages-24.pdf", "h264.mp4", "alpha.webp"]
    private static let classes: Set = ["sniff", "image", "svg", "pdf", "video"]

    @Test(
        "Each of 200 files ends in a rendition or a failure, the exit status is right, and no file or process is left over"
    )
    func batch() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let files = try Self.makeFiles(200, in: program)
        let (process, outputPath) = try start(files, in: program)
        let killed = killRenderers(of: process)
        process.waitUntilExit()
        #expect(Set(killed.keys) == Self.classes, "each class was killed while it worked")

        let text = try String(contentsOfFile: outputPath, encoding: .utf8)
        let lines = text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
        #expect(lines.map { $0["source"]?.string } == files)
        let codes = lines.compactMap { $0["failure"]?["code"]?.string }
        for line in lines where line["failure"]?["code"]?.string == nil {
            let path = try #require(line["renditions"]?.array?.first?["path"]?.string)
            #expect(FileManager.default.contents(atPath: path)?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true)
        }
        // A file is tried again in a new renderer; only a file that met two kills may fail.
        #expect(codes.allSatisfy { $0 == "crashed" || $0 == "unavailable" }, "\(codes)")
        #expect(codes.count <= killed.values.reduce(0, +), "\(codes)")
        let expected = codes.contains("unavailable") ? 3 : codes.isEmpty ? 0 : 1
        #expect(process.terminationStatus == expected)
        #expect(process.terminationReason == .exit)
        #expect(leftOver(of: process.processIdentifier) == [])
    }

    /// Copies of the samples in turns, each with another comment at its end.
    private static func makeFiles(_ count: Int, in program: CompassProgram) throws -> [String] {
        let originals = try samples.map { try Data(contentsOf: URL(fileURLWithPath: Checkout.sample($0))) }
        return try (0..<count).map { number in
            let kind = number % samples.count
            let data = originals[kind] + Data("\n<!-- \(number) -->".utf8)
            return try program.write(data, "\(number)-\(samples[kind])")
        }
    }

    private func start(_ files: [String], in program: CompassProgram) throws -> (Process, outputPath: String) {
        let outputPath = try program.write(Data(), "output")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CompassProgram.executable)
        process.arguments = ["thumb", "--json", "--format", "png", "--jobs", "4"] + files
        process.environment = [
            "PATH": "/usr/bin:/bin", "HOME": program.scratch.path, "COMPASS_CACHE": program.path("cache"),
        ]
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, outputPath)
    }

    /// Kills the renderer of each class twice while the batch runs, and returns the number of kills of each.
    private func killRenderers(of process: Process) -> [String: Int] {
        var killed: [String: Int] = [:]
        var last: [String: Date] = [:]
        while process.isRunning {
            for renderer in RunningProcess.children(of: process.processIdentifier) {
                guard renderer.arguments.count == 3, Self.classes.contains(renderer.arguments[1]) else { continue }
                let rendererClass = renderer.arguments[1]
                let isDue = last[rendererClass].map { Date().timeIntervalSince($0) > 0.25 } ?? true
                guard isDue, killed[rendererClass, default: 0] < 2, renderer.hasChildren else { continue }
                if kill(renderer.processID, SIGKILL) == 0 {
                    killed[rendererClass, default: 0] += 1
                    last[rendererClass] = Date()
                }
            }
            usleep(500)
        }
        return killed
    }

    /// Renderers and children of this host that still run two seconds later (a killed one takes a moment to go).
    private func leftOver(of host: Int32) -> [[String]] {
        let deadline = Date().addingTimeInterval(2)
        while true {
            let left = RunningProcess.all.map(\.arguments).filter { $0.count == 3 && $0[2] == "\(host)" }
            if left.isEmpty || Date() > deadline { return left }
            usleep(10_000)
        }
    }
}

/// A process as `/proc` shows it.
struct RunningProcess {
    let processID: Int32
    let arguments: [String]

    /// All running processes; a process that waits to be reaped has no arguments.
    static var all: [RunningProcess] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.compactMap(RunningProcess.init)
    }

    /// The children of a process. On a machine with many processes it takes far less time than to look at all of them.
    static func children(of parent: Int32) -> [RunningProcess] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
        let lists = threads.compactMap { read("/proc/\(parent)/task/\($0)/children") }
        return lists.flatMap { $0.split(separator: " ") }.compactMap { Int32($0) }.compactMap(RunningProcess.init)
    }

    private init?(_ processID: Int32) {
        guard let line = Self.read("/proc/\(processID)/cmdline") else { return nil }
        self.processID = processID
        arguments = line.split(separator: "\0").map(String.init)
    }

    /// Whether the process has a child now, as a renderer at work has.
    var hasChildren: Bool {
        Self.read("/proc/\(processID)/task/\(processID)/children")?.isEmpty == false
    }

    private static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
