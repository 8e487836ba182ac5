import FaultInjection
import Linux
import Media
import Objects
import TestDeadline
import TestSupport
import Testing

/// Uploads once took the last block of the disk, and then nobody could delete anything: the database had no space for
/// it.
@Suite("The store in a folder keeps a part of its disk free", .deadline)
struct FreeRoomTests {
    private let folder = TemporaryFolder.make("room")

    private func store(all: Int64, free: Int64) throws -> FolderStore {
        try FolderStore(
            path: "\(folder)/store", making: true, calls: FaultyObjectFiles(room: (all: all, free: free)))
    }

    private func isFull(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            if case ObjectError.noSpace(let detail) = error { return detail.contains("No space left on device") }
            return false
        }
    }

    @Test(
        "2 % of a disk, 8 MiB at least and 256 MiB at most, and an eighth of a small one are not for files",
        arguments: [
            (16 << 20, 2 << 20), (200 << 20, 8 << 20), (1000 << 20, 20 << 20), (1 << 40, 256 << 20),
        ] as [(Int64, Int64)])
    func reserve(all: Int64, kept: Int64) throws {
        #expect(isFull { _ = try store(all: all, free: kept - 1).begin() })
        let file = try store(all: all, free: kept + 1000).begin()
        #expect(isFull { try [UInt8](repeating: 7, count: 1001).withUnsafeBytes { try file.append($0) } })
        #expect(file.byteCount == 0)
        try [UInt8](repeating: 7, count: 1000).withUnsafeBytes { try file.append($0) }
        #expect(file.byteCount == 1000)
        try file.commit()
    }

    @Test("A full disk takes no more of a file, whose bytes so far stay, and removals go on")
    func removing() throws {
        let roomy = try store(all: 100 << 20, free: 50 << 20)
        let kept = try roomy.begin()
        try [1, 2, 3].withUnsafeBytes { try kept.append($0) }
        try kept.commit()
        let part = try roomy.begin()
        try [1, 2, 3].withUnsafeBytes { try part.append($0) }
        try part.close()
        let full = try store(all: 100 << 20, free: 1 << 20)
        let resumed = try full.resume(part.id, making: false, in: nil)
        #expect(isFull { try [4].withUnsafeBytes { try resumed.append($0) } })
        #expect(resumed.byteCount == part.byteCount)
        try resumed.discard()
        #expect(try full.remove(kept.id))
    }
}
