internal import Formats
internal import Glibc
internal import Linux
internal import Media

/// A file in memory with an addition behind its last byte, such as an incremental update.
///
/// The file is mapped, so that a file of any size costs only the memory of the pages that are read.
package final class UpdatedFile {
    private let reserved: UnsafeMutableRawBufferPointer

    /// The file and the addition; valid while this object is alive.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(reserved) }

    /// - Throws: `unavailable` where the file cannot be mapped, `corrupt` where it has become shorter.
    init(_ source: Source, appending addition: [UInt8]) throws(Failure) {
        let byteCount = Int(source.byteCount) + addition.count
        let address = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else { throw Self.failure("mmap") }
        reserved = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        try fill(from: source, addition)
    }

    deinit { munmap(reserved.baseAddress, reserved.count) }

    /// Maps the whole pages of the file, and reads its last part into anonymous memory, in front of the addition.
    private func fill(from source: Source, _ addition: [UInt8]) throws(Failure) {
        let pageLength = Int(getpagesize())
        let (start, end) = (reserved.baseAddress!, Int(source.byteCount))
        let mapped = end / pageLength * pageLength
        if mapped > 0 {
            let address = mmap(start, mapped, PROT_READ, MAP_PRIVATE | MAP_FIXED, source.descriptor.number, 0)
            guard address != MAP_FAILED else { throw Self.failure("mmap") }
        }
        guard mprotect(start + mapped, reserved.count - mapped, PROT_READ | PROT_WRITE) == 0 else {
            throw Self.failure("mprotect")
        }
        let rest = try source.bytes(at: Int64(mapped), count: end - mapped)
        guard rest.count == end - mapped else { throw Failure(.corrupt, detail: "the file became shorter") }
        UnsafeMutableRawBufferPointer(rebasing: reserved[mapped..<end]).copyBytes(from: rest)
        UnsafeMutableRawBufferPointer(rebasing: reserved[end...]).copyBytes(from: addition)
    }

    private static func failure(_ call: String) -> Failure {
        Failure(.unavailable, detail: "\(SystemError.last(call))")
    }
}
