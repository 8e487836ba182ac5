import CLinux
import Foundation
import Linux
import Media
import RenderHost
import TestDeadline
import TestSupport
import Testing

/// As the renderers are installed: with stand-ins beside them, which `make test` makes after the build.
@Suite("Renderers with stand-ins beside them", .deadline)
struct RenderersWithStandInsTests {
    private static let samples: [(RendererClass, MediaType, String)] = [
        (.pdf, .pdf, "pages-24.pdf"), (.image, .webp, "alpha.webp"), (.svg, .svg, "drawing.svg"),
        (.video, .mp4, "h264.mp4"),
    ]

    @Test("Each renderer starts with them and opens a sample; none is restarted without them", arguments: samples)
    func serves(rendererClass: RendererClass, mediaType: MediaType, sample: String) throws {
        // A folder of its own, by whose name these renderers are told from those of other tests.
        let folder = TemporaryFolder.make("stand-ins")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in [rendererClass.programName, "stand-ins"] {
            symlink("\(BuiltPrograms.folder)/\(name)", "\(folder)/\(name)")
        }

        let host = RenderHost(programs: RendererPrograms(directory: folder))
        defer { host.shutDown() }
        let source = try Descriptor.open(Checkout.sample(sample), O_RDONLY)
        let picture = RenderTask.Picture(
            box: Box(width: 64, height: 64)!, fit: .inside, gravity: .centre, enlarge: false)
        let task = RenderTask(mediaType: mediaType, limits: Limits(), pictures: [picture])
        #expect(try host.perform(task, on: source, by: rendererClass).bitmaps.count == 1)
        #expect(host.restartCounts.isEmpty)

        let renderer = try #require(Self.processes(startedIn: folder).first)
        let maps = try Descriptor.open("/proc/\(renderer)/maps", O_RDONLY).readAll(limit: 1 << 20)
        #expect(
            String(decoding: try #require(maps), as: UTF8.self).contains("/stand-ins/\(rendererClass.name)/"),
            "make test makes them: compass-stand-ins")
    }

    private static func processes(startedIn folder: String) throws -> [String] {
        try FolderNames.texts(in: "/proc").filter {
            FileManager.default.contents(atPath: "/proc/\($0)/cmdline")?.starts(with: Array(folder.utf8)) == true
        }
    }

    @Test("Only a program that was built with a library is bound to its stand-in", arguments: samples.map(\.0))
    func bindings(rendererClass: RendererClass) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "\(BuiltPrograms.folder)/\(rendererClass.programName)")
        // The dynamic linker binds everything, says how, and the program sees that no host has started it.
        process.environment = [
            "LD_LIBRARY_PATH": "\(BuiltPrograms.folder)/stand-ins/\(rendererClass.name)", "LD_BIND_NOW": "1",
            "LD_DEBUG": "bindings",
        ]
        let said = Pipe()
        process.standardError = said
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()

        // "  123: binding file /lib/libvips.so.42 [0] to /…/stand-ins/image/libcairo.so.2 [0]: normal symbol `cairo_create'"
        var users: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            // Paths may have spaces.
            let sides = line.components(separatedBy: "binding file ").last!.components(separatedBy: " [0] to ")
            guard sides.count == 2, let standIn = sides[1].components(separatedBy: " [0]:").first,
                standIn.contains("/stand-ins/")
            else { continue }
            users[sides[0], default: []].insert(String(standIn.split(separator: "/").last!))
        }
        #expect(Set(users.values.joined()).count > 8)
        for (user, standIns) in users { #expect(standIns.subtracting(try Self.needed(by: user)) == [], "\(user)") }
    }

    /// The libraries that one is built with, by name.
    private static func needed(by library: String) throws -> Set<String> {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["readelf", "--dynamic", "--wide", library]
        let said = Pipe()
        process.standardOutput = said
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").filter { $0.contains("(NEEDED)") }
        return Set(lines.compactMap { $0.split(separator: "[").last.map { String($0.dropLast()) } })
    }
}
