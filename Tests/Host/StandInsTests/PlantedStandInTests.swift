import CLinux
import Foundation
import Linux
import Media
import RenderHost
import StandIns
import TestDeadline
import TestSupport
import Testing

/// A stand-in for a library that is called all the same, as after an upgrade that begins to call it.
@Suite("Stand-ins that no longer fit the machine's libraries", .deadline)
struct PlantedStandInTests {
    /// Programs with stand-ins of their own, and one more for the library that reads EXIF.
    private struct Programs {
        let folder: String
        let host: RenderHost

        init(isPlanted: Bool) throws {
            folder = TemporaryFolder.make("planted")
            for rendererClass in [RendererClass.image, .sniff] {
                symlink(
                    "\(BuiltPrograms.folder)/\(rendererClass.programName)", "\(folder)/\(rendererClass.programName)")
            }
            host = RenderHost(programs: RendererPrograms(directory: folder))
            _ = try StandInFolder("\(folder)/stand-ins").fill()
            if isPlanted {
                let library = try #require(try reader())
                let bytes = try StandIn(of: Array(try Data(contentsOf: URL(fileURLWithPath: library)))).bytes
                let name = library.split(separator: "/").last!
                try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/stand-ins/image/\(name)"))
            }
        }

        /// Where the library that libvips has read EXIF is, by the list of those that its renderer loads.
        private func reader() throws -> String? {
            try origins.split(separator: "\n").compactMap { $0.split(separator: " ").last }.map(String.init)
                .first { $0.contains("/libexif.so.") }
        }

        private var origins: String { get throws { try String(contentsOfFile: originsPath, encoding: .utf8) } }
        private var originsPath: String { "\(folder)/stand-ins/image.origins" }

        /// As if one of the libraries had been upgraded since.
        func age() throws {
            var lines = try origins.split(separator: "\n")
            let library = lines[1].split(separator: " ")
            lines[1] = "\(library[0]) \(Int(library[1])! - 1) \(library[2])"
            try (lines.joined(separator: "\n") + "\n").write(toFile: originsPath, atomically: true, encoding: .utf8)
        }

        /// What a JPEG shows, and how that was come by.
        func picture() throws -> (pixels: [UInt8], children: [Explanation.Child]) {
            let source = try Descriptor.open(Checkout.sample("orientation-6.jpg"), O_RDONLY)
            let picture = RenderTask.Picture(
                box: Box(width: 64, height: 64)!, fit: .inside, gravity: .centre, enlarge: false)
            let explanation = Explanation()
            let task = RenderTask(mediaType: .jpeg, limits: Limits(), explanation: explanation, pictures: [picture])
            let rendered = try host.perform(task, on: source, by: .image)
            return (rendered.bitmaps[0].withUnsafeBytes { Array($0) }, explanation.children)
        }

        /// Whether the renderers that run have stand-ins loaded.
        func areLoaded() throws -> Bool {
            try FolderNames.texts(in: "/proc").contains { process in
                guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
                    line.starts(with: Array("\(folder)/".utf8)),
                    let maps = try Descriptor.open("/proc/\(process)/maps", O_RDONLY).readAll(limit: 1 << 20)
                else { return false }
                return String(decoding: maps, as: UTF8.self).contains("/stand-ins/image/")
            }
        }

        func close() {
            host.shutDown()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test(
        "A sound file that needs a library which a stand-in replaces is shown by the second try, which loads every library"
    )
    func secondTry() throws {
        let sound = try Programs(isPlanted: false)
        defer { sound.close() }
        let planted = try Programs(isPlanted: true)
        defer { planted.close() }
        let (expected, made) = (try sound.picture(), try planted.picture())
        #expect(expected.children.map(\.outcome) == ["rendered"])
        #expect(made.children.map(\.outcome) == ["ended by signal 11", "rendered"])
        #expect(made.pixels.count == expected.pixels.count)
        // The one is resized by our own code, the other by libvips'.
        let differences = zip(made.pixels, expected.pixels).map { abs(Int($0) - Int($1)) }
        #expect(differences.reduce(0, +) < differences.count, "less than a level on average")
        #expect(planted.host.restartCounts.isEmpty)
    }

    @Test("No stand-in is used once a library differs from the one it was made for")
    func outOfDate() throws {
        let programs = try Programs(isPlanted: true)
        defer { programs.close() }
        try programs.age()
        #expect(try programs.picture().children.map(\.outcome) == ["rendered"])
        #expect(try !programs.areLoaded())
    }

    @Test("Stand-ins are used while the libraries are those they were made for")
    func upToDate() throws {
        let programs = try Programs(isPlanted: false)
        defer { programs.close() }
        _ = try programs.picture()
        #expect(try programs.areLoaded())
    }
}
