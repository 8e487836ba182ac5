internal import CLinux

/// An anonymous file in memory whose size is sealed: nobody can truncate it under a mapping.
public enum MemoryFile {
    /// A sparse file of `byteCount` zero bytes, sealed against growing and shrinking.
    public static func create(name: String, byteCount: Int) throws(SystemError) -> Descriptor {
        let file = Descriptor(owning: try checking("memfd_create") { clinux_memfd_create(name) })
        try checking("ftruncate") { ftruncate(file.number, off_t(byteCount)) }
        try checking("fcntl(F_ADD_SEALS)") { clinux_seal_size(file.number) }
        return file
    }

    /// An empty file in memory that can still grow; `seal` ends that.
    public static func unsized(name: String) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("memfd_create") { clinux_memfd_create(name) })
    }

    /// Seals a file permanently against writing; `false` while a process has it mapped for writing.
    public static func sealContent(of file: Descriptor) -> Bool { clinux_seal_content(file.number) == 0 }

    /// The first `byteCount` bytes of a file as they are now, in memory and sealed: nobody can change them any more,
    /// not even their maker. Fewer where the file ends before.
    ///
    /// - Parameter isCancelled: asked now and then; `nil` is returned where it says so.
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

    /// Whether neither a byte nor the size of the file can change.
    public static func isUnchangeable(_ file: Descriptor) -> Bool { clinux_is_all_sealed(file.number) != 0 }

    /// Whether `descriptor` is such a file: a memory file that cannot shrink.
    public static func isSealed(_ descriptor: Int32) -> Bool {
        clinux_is_sealed(descriptor) != 0
    }
}

/// Mapped memory, of a memory file or of this process alone; unmapped when the last reference is released.
public final class Mapping: @unchecked Sendable {
    // Sound as Sendable: the address and length never change; what lies there is the users' to order (the host reads
    // only when nobody can write any more).
    /// The mapped memory; valid while this object is alive.
    public let bytes: UnsafeMutableRawBufferPointer

    /// Maps `byteCount` bytes of `file`: shared for writing, and for reading privately, since before Linux 6.7 a file
    /// that is sealed against writing cannot be shared.
    public init(of file: Int32, byteCount: Int, writable: Bool) throws(SystemError) {
        precondition(byteCount > 0, "an empty file cannot be mapped")
        let address =
            writable
            ? mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            : mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, file, 0)
        guard let address, Int(bitPattern: address) != -1 else { throw SystemError.last("mmap") }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    /// Zeroed memory of this process alone, all of it there from the start: one call to the kernel instead of a fault a
    /// page.
    public init(anonymousByteCount byteCount: Int) throws(SystemError) {
        let address = mmap(
            nil, max(byteCount, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)
        guard let address, Int(bitPattern: address) != -1 else { throw SystemError.last("mmap") }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: max(byteCount, 1))
    }

    /// Brings in all pages of a part that is about to be written, in one call instead of a fault a page. A kernel that
    /// cannot (before 5.14) brings them one by one, later.
    public static func populate(_ part: UnsafeMutableRawBufferPointer) {
        if let address = part.baseAddress { _ = clinux_populate(address, part.count) }
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
