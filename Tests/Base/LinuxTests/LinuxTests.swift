import CLinux
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("The kernel's calls as values", .deadline)
struct LinuxTests {
    @Test("A descriptor is closed when its last owner goes")
    func descriptorsClose() throws {
        var descriptor: Descriptor? = try Descriptor.open("/dev/null", O_RDONLY)
        let number = descriptor!.number
        #expect(fcntlWorks(number))
        descriptor = nil
        #expect(!fcntlWorks(number))
    }

    private func fcntlWorks(_ number: Int32) -> Bool { clinux_fcntl(number, F_GETFD, 0) >= 0 }

    @Test("A file may have any time; times are clamped, so that two always have a difference")
    func distantTimes() throws {
        func modified(_ second: Int) throws -> Int64 {
            let file = try MemoryFile.create(name: "time", byteCount: 1)
            try #require(
                futimens(file.number, [timespec(tv_sec: second, tv_nsec: 7), timespec(tv_sec: second, tv_nsec: 7)]) == 0
            )
            return try file.status().modified
        }
        #expect(try modified(1_700_000_000) == 1_700_000_000_000_000_007)
        #expect(try modified(-5) == -4_999_999_993)
        // 2400-01-01, as tools write it into archives; and the ends of the kernel's own range.
        let later = try [13_569_465_600, 1 << 40, Int(Int64.max)].map(modified)
        let earlier = try [-13_569_465_600, -(1 << 40), Int(Int64.min)].map(modified)
        for (late, early) in zip(later, earlier) {
            #expect(late > 4_600_000_000_000_000_000 && early < -4_600_000_000_000_000_000)
            #expect(!late.subtractingReportingOverflow(early).overflow)
        }
    }

    @Test("A message arrives whole with its descriptors; receiving from a closed end gives nil")
    func messages() throws {
        let (one, other) = try MessageSocket.pair()
        let file = try MemoryFile.create(name: "test", byteCount: 5)
        try one.send([1, 2, 3], descriptors: [file.number, file.number])
        let message = try #require(try other.receive(limit: 10))
        #expect(message.bytes == [1, 2, 3])
        #expect(message.descriptors.count == 2)
        #expect(try message.descriptors[0].status().inode == file.status().inode)
        shutdown(one.descriptor.number, Int32(SHUT_RDWR))
        #expect(try other.receive(limit: 10) == nil)
    }

    @Test("A message that does not fit is an error, and its descriptors do not leak")
    func oversized() throws {
        let (one, other) = try MessageSocket.pair()
        let file = try MemoryFile.create(name: "oversized-message", byteCount: 5)
        for _ in 0..<20 {
            try one.send(Array(repeating: 7, count: 100), descriptors: [file.number])
            #expect(throws: SystemError("recvmsg", number: EMSGSIZE)) { try other.receive(limit: 10) }
        }
        // Other tests open and close files meanwhile: what counts is how many lead to this one.
        // A listing that changes while it is read may miss some, so it is read again.
        #expect((0..<20).contains { _ in Self.descriptorCount(leadingTo: "oversized-message") == 1 })
        withExtendedLifetime(file) {}
    }

    private static func descriptorCount(leadingTo name: String) -> Int {
        (0..<1024).filter { number in
            var target = [UInt8](repeating: 0, count: 256)
            let count = target.withUnsafeMutableBytes {
                readlink("/proc/self/fd/\(number)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
            return count > 0 && String(decoding: target[..<count], as: UTF8.self).contains(name)
        }.count
    }

    @Test("Receiving without waiting throws EAGAIN where no message is there")
    func notWaiting() throws {
        let (_, other) = try MessageSocket.pair()
        let (kept, alone) = try MessageSocket.pair()
        #expect(throws: SystemError("recvmsg", number: EAGAIN)) { try alone.receive(limit: 10, waits: false) }
        #expect(try other.receive(limit: 10, waits: false) == nil)
        withExtendedLifetime(kept) {}
    }

    @Test("A memory file's size is sealed")
    func sealed() throws {
        let file = try MemoryFile.create(name: "test", byteCount: 4096)
        #expect(MemoryFile.isSealed(file.number))
        #expect(ftruncate(file.number, 0) == -1)
        #expect(ftruncate(file.number, 8192) == -1)
        let writer = try Mapping(of: file.number, byteCount: 4096, writable: true)
        writer.bytes[7] = 42
        let reader = try Mapping(of: file.number, byteCount: 4096, writable: false)
        #expect(reader.bytes[7] == 42)
        withExtendedLifetime((reader, writer)) {}
        #expect(!MemoryFile.isSealed(try Descriptor.open("/dev/null", O_RDONLY).number))
    }

    @Test("A memory file's content is sealed when nobody has it mapped for writing, and can still be read")
    func sealedContent() throws {
        let file = try MemoryFile.create(name: "test", byteCount: 4096)
        var writer: Mapping? = try Mapping(of: file.number, byteCount: 4096, writable: true)
        writer?.bytes[7] = 42
        #expect(!MemoryFile.sealContent(of: file), "somebody can still write")
        writer = nil
        #expect(MemoryFile.sealContent(of: file))
        #expect(throws: SystemError.self) { try Mapping(of: file.number, byteCount: 4096, writable: true) }
        #expect(throws: SystemError.self) { try file.write([1]) }
        let reader = try Mapping(of: file.number, byteCount: 4096, writable: false)
        #expect(reader.bytes[7] == 42)
        withExtendedLifetime(reader) {}
    }

    @Test("Reading stops at the end of the file and nowhere else")
    func reading() throws {
        let file = try MemoryFile.create(name: "test", byteCount: 100)
        #expect(try file.bytes(at: 90, count: 50).count == 10)
        #expect(try file.bytes(at: 200, count: 50).isEmpty)
    }

    @Test("A promise is set once, and wakes all waiting threads")
    func promises() throws {
        let promise = Promise<Int>()
        #expect(promise.wait(until: Time.monotonic + .milliseconds(5)) == nil)
        let thread = try WorkerThread(name: "keeper") { promise.fulfil(7) }
        #expect(try promise.value() == 7)
        thread.join()
        #expect(!promise.fulfil(8))
        #expect(promise.current == 7)
    }

    @Test("An error names the call and the reason")
    func errors() {
        let error = #expect(throws: SystemError.self) { try Descriptor.open("/no/such", O_RDONLY) }
        #expect(error?.description == "open: No such file or directory")
    }
}
