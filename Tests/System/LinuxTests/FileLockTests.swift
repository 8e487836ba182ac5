import CLinux
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("Locks on files", .deadline)
struct FileLockTests {
    private func open(_ scratch: Scratch) throws -> Descriptor {
        try Descriptor.open("\(scratch.path)/lock", O_RDWR | O_CREAT)
    }

    @Test("An exclusive lock keeps all others out, shared ones only exclusive ones")
    func modes() throws {
        let scratch = try Scratch()
        do {
            let lock = try FileLock(open(scratch), .shared)
            defer { withExtendedLifetime(lock) {} }
            _ = try FileLock(open(scratch), .shared)
            let error = #expect(throws: SystemError.self) { try FileLock(open(scratch)) }
            #expect(error?.number == EWOULDBLOCK)
        }
        let lock = try FileLock(open(scratch))
        defer { withExtendedLifetime(lock) {} }
        #expect(throws: SystemError.self) { try FileLock(open(scratch), .shared) }
    }

    @Test("It ends with its holder, even while a child process that is being started has a copy of the descriptor")
    func copies() throws {
        let scratch = try Scratch()
        var lock: FileLock? = try FileLock(open(scratch))
        let copy = try lock?.file.duplicate()
        defer { withExtendedLifetime(copy) {} }
        #expect(throws: SystemError.self) { try FileLock(open(scratch)) }
        lock = nil
        _ = try FileLock(open(scratch))
    }
}
