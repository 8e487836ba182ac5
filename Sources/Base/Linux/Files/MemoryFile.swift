internal import CLinux

/// An anonymous file in memory with a sealed size: nobody can truncate it under a mapping.
public enum MemoryFile {
    /// A sparse file of `byteCount` zero bytes, sealed against growing and shrinking.
    public static func create(name: String, byteCount: Int) throws(SystemError) -> Descriptor {
        let file = Descriptor(owning: try checking("memfd_create") { clinux_memfd_create(name) })
        try checking("ftruncate") { ftruncate(file.number, off_t(byteCount)) }
        try checking("fcntl(F_ADD_SEALS)") { clinux_seal_size(file.number) }
        return file
    }

    /// An empty file in memory that can grow until `seal`.
    public static func unsized(name: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("memfd_create") { clinux_memfd_create(name) })
    }

    /// Seals a file permanently against writing; `false` while a process has it mapped for writing.
    public static func sealContent(of file: Descriptor) -> Bool { clinux_seal_content(file.number) == 0 }

    /// A sealed copy in memory of the first `byteCount` bytes of a file, or fewer if it is shorter: nobody can change
    /// it, not even its creator.
    ///
    /// - Parameter isCancelled: called now and then; if it is `true`, the result is `nil`.
    public static func sealedCopy(
        of file: Descriptor, byteCount: Int64, isCancelled: () -> Bool = { false }
    ) throws(SystemError) -> Descriptor? {
        let copy = Descriptor(owning: try checking("memfd_create") { clinux_memfd_create("source") })
        guard try copy.append(file, byteCount: byteCount, isCancelled: isCancelled) else { return nil }
        try seal(copy)
        return copy
    }

    /// Seals a file permanently against writing, growing, shrinking and further seals.
    public static func seal(_ file: Descriptor) throws(SystemError) {
        try checking("fcntl(F_ADD_SEALS)") { clinux_seal_all(file.number) }
    }

    /// Whether neither the bytes nor the size of the file can change.
    public static func isUnchangeable(_ file: Descriptor) -> Bool { clinux_is_all_sealed(file.number) != 0 }

    /// Whether `descriptor` is such a file: a memory file that cannot shrink.
    public static func isSealed(_ descriptor: Int32) -> Bool {
        clinux_is_sealed(descriptor) != 0
    }
}

/// Mapped memory, of a memory file or private to this process; unmapped when the last reference is released.
public final class Mapping: @unchecked Sendable {
    // Safe as Sendable: address and length never change; callers synchronise access to the bytes (the host reads only
    // once nobody can write).
    /// The mapped memory; valid while this object is alive.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Maps `byteCount` bytes of `file`: shared for writing, private for reading, since a write-sealed file cannot be
    /// mapped shared before Linux 6.7.
    public init(of file: Int32, byteCount: Int, writable: Bool) throws(SystemError) {
        precondition(byteCount > 0, "an empty file cannot be mapped")
        let address =
            writable
            ? mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            : mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file, 0)
        guard let address, Int(bitPattern: address) != -1 else { throw SystemError.last("mmap") }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    /// Zeroed memory private to this process, populated at once: one system call instead of a fault per page.
    public init(anonymousByteCount byteCount: Int) throws(SystemError) {
        let address = mmap(
            nil, max(byteCount, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)
        guard let address, Int(bitPattern: address) != -1 else { throw SystemError.last("mmap") }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: max(byteCount, 1))
    }

    /// Populates all pages of a part that is about to be written, in one call instead of a fault per page. Kernels
    /// before 5.14 cannot, and populate them one by one later.
    public static func populate(_ part: UnsafeMutableRawBufferPointer) {
        if let address = part.baseAddress { _ = clinux_populate(address, part.count) }
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
