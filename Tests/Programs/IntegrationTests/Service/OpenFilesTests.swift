import Foundation
import JobQueue
import TestDeadline
import TestSupport
import Testing

/// Linux gives a user 128 inotify instances, which all programs of the user share.
@Suite("What a running program holds", .serialized, .deadline)
struct OpenFilesTests {
    /// How many inotify instances a process has.
    private static func instanceCount(of process: Int32) throws -> Int {
        let folder = "/proc/\(process)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == "anon_inode:inotify"
        }
    }

    @Test("documentd with its worker has one inotify instance")
    func documentd() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        // All slots have waited for jobs, and somebody has listened to events.
        _ = try documentd.settled(try documentd.upload("pages-24.pdf", as: "transcript"))
        #expect(try Self.instanceCount(of: documentd.processIdentifier) == 1)
    }

    @Test("thumbd has one inotify instance, whatever the number of its slots")
    func thumbd() throws {
        let thumbd = try ThumbdProgram(["--jobs", "6"])
        defer { thumbd.remove() }
        _ = try thumbd.port()
        _ = try thumbd.waitFor(try thumbd.enqueue(Checkout.sample("orientation-1.jpg")), toBe: .done)
        #expect(try Self.instanceCount(of: thumbd.process.processIdentifier) == 1)
    }
}
