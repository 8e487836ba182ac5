import Foundation
import Media
import TestDeadline
import Testing

/// Another user's file that changes while it is read. Its times do not change, as the owner writes through a shared mapping.
@Suite("The cache and files that their owners can change", .deadline)
struct PoisonedCacheTests {
    /// Far more than it takes to hash the file and to begin decoding it.
    private static let delays = Array(0...15) + [20, 25, 30, 40, 50, 70]

    /// The attacker's file, with every page mapped and dirty.
    private final class Attacked: @unchecked Sendable {
        // Sound as Sendable: one thread writes to the mapping, and only a program reads it.
        let path: String
        private let bytes: UnsafeMutableRawBufferPointer
        private let watch: Int32

        init(_ picture: Data, at path: String) throws {
            self.path = path
            try picture.write(to: URL(fileURLWithPath: path))
            chmod(path, 0o644)
            let file = open(path, O_RDWR)
            defer { close(file) }
            let address = mmap(nil, picture.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
            bytes = UnsafeMutableRawBufferPointer(start: address, count: picture.count)
            watch = inotify_init()
            flip(to: picture)
            inotify_add_watch(watch, path, UInt32(IN_OPEN))
        }

        deinit {
            munmap(bytes.baseAddress, bytes.count)
            close(watch)
        }

        func flip(to picture: Data) { bytes.copyBytes(from: picture) }

        /// Replaces the bytes, so many milliseconds after a process has opened the file.
        func flip(to picture: Data, afterOpening delay: Int) {
            var event = [UInt8](repeating: 0, count: 4096)
            guard read(watch, &event, event.count) > 0 else { return }
            let end = DispatchTime.now() + .milliseconds(delay)
            while DispatchTime.now() < end {}
            flip(to: picture)
        }
    }

    /// 12 MB without compression: hashing takes as long as loading a renderer.
    private static func picture(red: UInt8, blue: UInt8) -> Data {
        var bytes = Data("P6\n2000 2000\n255\n".utf8)
        let row = Data((0..<2000).flatMap { _ in [red, 0, blue] })
        for _ in 0..<2000 { bytes.append(row) }
        return bytes
    }

    @Test("The decoded bytes are the hashed ones, whenever the owner changes the file", arguments: delays)
    func flipped(delay: Int) throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let shown = Self.picture(red: 200, blue: 0)
        let attacked = try Attacked(shown, at: program.path("attacked.ppm"))
        let attacker = Thread { attacked.flip(to: Self.picture(red: 0, blue: 200), afterOpening: delay) }
        attacker.start()
        let recipe = ["thumb", "--size", "32", "--format", "png"]
        try program.run(recipe + [attacked.path], asOrdinaryUser: true)
        let honest = try program.write(shown, "honest.ppm")
        let path = try #require(try program.run(recipe + [honest], asOrdinaryUser: true).lines.first)
        let picture = Picture(png: try #require(FileManager.default.contents(atPath: path)))
        let colour = picture.colour(0.5, 0.5)
        #expect(colour[0] > 150 && colour[2] < 50, "the honest file shows the attacker's picture")
    }
}
