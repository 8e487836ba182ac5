import CLinux
import Console
import Linux
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("The folder of a queue", .deadline)
struct QueueFolderTests {
    /// A folder in which every user may make folders, as in /var/tmp, with this user's folder `queue`.
    private func place() throws -> String {
        let path = TemporaryFolder.make("queue-folder")
        chmod(path, 0o1777)
        mkdir("\(path)/queue", 0o700)
        return path
    }

    private func remove(_ path: String) {
        unlink("\(path)/link")
        rmdir("\(path)/queue")
        rmdir(path)
    }

    @Test("The user's own folder is accepted, and one that does not exist yet")
    func own() throws {
        let path = try place()
        defer { remove(path) }
        try QueueFolder.check("\(path)/queue/queue.sqlite")
        try QueueFolder.check("\(path)/other/queue.sqlite")
    }

    @Test("A link, or another user's folder, is refused where every user may make one")
    func planted() throws {
        let path = try place()
        defer { remove(path) }
        symlink("queue", "\(path)/link")
        #expect(throws: Failure.self) { try QueueFolder.check("\(path)/link/queue.sqlite") }
        guard geteuid() == 0 else { return }
        try #require(chown("\(path)/queue", 65534, 65534) == 0)
        let failure = #expect(throws: Failure.self) { try QueueFolder.check("\(path)/queue/queue.sqlite") }
        #expect(failure?.message.contains("belongs to user 65534") == true)
        #expect(failure?.message.contains("--queue") == true)
    }
}
