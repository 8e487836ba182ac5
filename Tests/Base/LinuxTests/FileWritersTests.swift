import CLinux
import Linux
import TestDeadline
import Testing

@Suite("The users who may write to a file", .deadline)
struct FileWritersTests {
    /// A file of this user's, made and closed, then opened for reading.
    private func file(mode: mode_t, owner: uid_t? = nil) throws -> (path: String, descriptor: Descriptor) {
        var path = Array("/tmp/compass-writers-XXXXXX".utf8CString)
        let made = Descriptor(owning: mkstemp(&path))
        try made.write(Array("text".utf8))
        fchmod(made.number, mode)
        if let owner { fchown(made.number, owner, owner) }
        let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        return (name, try .open(name, O_RDONLY))
    }

    private func writers(_ descriptor: Descriptor) throws -> Descriptor.Writers {
        descriptor.writers(try descriptor.status())
    }

    @Test(
        "By its mode, its owner alone or others",
        arguments: [(0o600, true), (0o644, true), (0o620, false), (0o602, false)])
    func modes(mode: mode_t, isUsers: Bool) throws {
        let (path, descriptor) = try file(mode: mode)
        defer { unlink(path) }
        #expect(try writers(descriptor) == (isUsers ? .user : .others))
    }

    @Test("A file of another user counts as writable by others, even where this user is root")
    func anothers() throws {
        guard geteuid() == 0 else {
            // Root's files, as an ordinary user sees them.
            #expect(try writers(.open("/etc/passwd", O_RDONLY)) == .others)
            return
        }
        let (path, descriptor) = try file(mode: 0o644, owner: 65534)
        defer { unlink(path) }
        #expect(try writers(descriptor) == .others)
    }

    @Test("A process that has the file open or mapped for writing is noticed until it closes the file")
    func openForWriting() throws {
        let (path, descriptor) = try file(mode: 0o600)
        defer { unlink(path) }
        var writer: Descriptor? = try .open(path, O_RDWR)
        #expect(try writers(descriptor) == .somebodyNow)
        var mapping: Mapping? = try Mapping(of: writer!.number, byteCount: 4, writable: true)
        writer = nil
        #expect(try writers(descriptor) == .somebodyNow)
        withExtendedLifetime(mapping) {}
        mapping = nil
        #expect(try writers(descriptor) == .user)
    }

    @Test("A sealed copy holds the bytes at the time of copying, and no process can write to it")
    func sealedCopy() throws {
        let (path, descriptor) = try file(mode: 0o666)
        defer { unlink(path) }
        let copy = try #require(try MemoryFile.sealedCopy(of: descriptor, byteCount: 4))
        #expect(try writers(copy) == .user)
        try Descriptor.open(path, O_WRONLY).write(Array("evil".utf8))
        #expect(try copy.bytes(at: 0, count: 9) == Array("text".utf8))
        #expect(pwrite(copy.number, "x", 1, 0) == -1 && ftruncate(copy.number, 0) == -1)
        #expect(throws: SystemError.self) { try Mapping(of: copy.number, byteCount: 4, writable: true) }
        #expect(try MemoryFile.sealedCopy(of: descriptor, byteCount: 4, isCancelled: { true }) == nil)
        #expect(try MemoryFile.sealedCopy(of: descriptor, byteCount: 2)?.status().byteCount == 2)
    }
}
