internal import CLinux

/// An anonymous file in memory whose size is sealed: nobody can truncate it under a mapping.
public enum MemoryFile {
    /// A sparse file of `byteCount` zero bytes, sealed against growing, shrinking and further seals.
    public static func create(name: String, byteCount: Int) throws(SystemError) -> Descriptor {
        let file = Descriptor(owning: try checking("memfd_create") { clinux_memfd_create(name) })
        try checking("ftruncate") { ftruncate(file.number, off_t(byteCount)) }
        try checking("fcntl(F_ADD_SEALS)") { clinux_seal_size(file.number) }
        return file
    }

    /// Whether `descriptor` is such a file: a memory file that cannot shrink.
    public static func isSealed(_ descriptor: Int32) -> Bool {
        clinux_is_sealed(descriptor) != 0
    }
}

/// A mapping of a whole memory file; unmapped when the last reference goes.
public final class Mapping: @unchecked Sendable {
    // Sound as Sendable: the address and length never change; what lies there is the users' to order (the host reads
    // only after the child that writes was reaped).
    public let bytes: UnsafeMutableRawBufferPointer

    /// Maps `byteCount` bytes of `file`, shared.
    public init(of file: Int32, byteCount: Int, writable: Bool) throws(SystemError) {
        precondition(byteCount > 0, "an empty file cannot be mapped")
        let address = mmap(nil, byteCount, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0)
        guard let address, Int(bitPattern: address) != -1 else { throw SystemError.last("mmap") }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
