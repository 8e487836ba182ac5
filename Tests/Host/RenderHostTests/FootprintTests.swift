import CLinux
import Linux
import Media
import RenderHost
import TestDeadline
import Testing

/// Counts what the whole process holds, so it runs in a process of its own (see `Tests/Checks/TestTargets`).
@Suite("Descriptors, threads and children after faults", .deadline(.seconds(900)))
struct FootprintTests {
    @Test("Ten thousand faults leave descriptors, threads and children as they were")
    func faultsLeaveNothingBehind() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        _ = try fake.run("paint")
        let before = Footprint.now
        let commands = [
            "crash 11", "exit 3", "nonsense", "oversized", "huge", "paint", "closed", "fail", "gifts", "twice",
        ]
        for index in 0..<10_000 { _ = try? fake.run(commands[index % commands.count]) }
        #expect(Footprint.now == before)
        #expect(try fake.run("paint").bitmaps.count == 1)
    }
}

/// What this process holds of the system: descriptors, and the threads that own renderers (the test library's come and go).
struct Footprint: Equatable {
    let descriptors: Int
    let rendererThreads: Int

    static var now: Footprint {
        Footprint(
            descriptors: entries("/proc/self/fd").count,
            rendererThreads: entries("/proc/self/task").filter { name(ofThread: $0).hasPrefix("render-") }.count)
    }

    private static func name(ofThread thread: String) -> String {
        guard let file = try? Descriptor.open("/proc/self/task/\(thread)/comm", O_RDONLY),
            let bytes = try? file.readAll(limit: 100)
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func entries(_ path: String) -> [String] {
        let folder = opendir(path)!
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
