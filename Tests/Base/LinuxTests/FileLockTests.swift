import CLinux
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("Locks on files", .deadline)
struct FileLockTests {
    private let path = TemporaryFolder.make("locks") + "/lock"

    private func open() throws -> Descriptor { try Descriptor.open(path, O_RDWR | O_CREAT) }

    @Test("An exclusive lock keeps all others out, shared ones only exclusive ones")
    func modes() throws {
        do {
            let lock = try FileLock(open(), .shared)
            defer { withExtendedLifetime(lock) {} }
            _ = try FileLock(open(), .shared)
            let error = #expect(throws: SystemError.self) { try FileLock(open()) }
            #expect(error?.number == EWOULDBLOCK)
        }
        let lock = try FileLock(open())
        defer { withExtendedLifetime(lock) {} }
        #expect(throws: SystemError.self) { try FileLock(open(), .shared) }
    }

    @Test("It ends with its holder, even while a child process that is being started has a copy of the descriptor")
    func copies() throws {
        let file = try open()
        var lock: FileLock? = try FileLock(file)
        let copy = try file.duplicate()
        defer { withExtendedLifetime((file, copy)) {} }
        #expect(throws: SystemError.self) { try FileLock(open()) }
        #expect(lock != nil)
        lock = nil
        _ = try FileLock(open())
    }
}
