internal import CPopplerCore
internal import Formats
internal import Glibc
internal import Linux
internal import Media

/// A file with an addition after its last byte, such as an incremental update.
///
/// The file is mapped, so that a file of any size costs only the memory of the pages that are read. A source that lies
/// elsewhere has no bytes until they are read, so it is read piece by piece.
package final class UpdatedFile {
    private let reserved: UnsafeMutableRawBufferPointer?
    private let source: Source
    private let addition: [UInt8]

    /// The file and the addition; valid while this object is alive. `nil` if the file is read piece by piece.
    package var bytes: UnsafeRawBufferPointer? { reserved.map { UnsafeRawBufferPointer($0) } }

    /// The length of the file and the addition.
    var byteCount: Int64 { source.byteCount + Int64(addition.count) }

    /// - Throws: `unavailable` if the file cannot be mapped, `corrupt` if it has become shorter.
    init(_ source: Source, appending addition: [UInt8]) throws(Failure) {
        self.source = source
        self.addition = addition
        guard source.isComplete else {
            reserved = nil
            return
        }
        let byteCount = Int(source.byteCount) + addition.count
        let address = mmap(nil, byteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else { throw Self.failure("mmap") }
        let reserved = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
        self.reserved = reserved
        try Self.fill(reserved, from: source, addition)
    }

    deinit { if let reserved { munmap(reserved.baseAddress, reserved.count) } }

    /// Fills a buffer from an offset; at the end of the file it reads fewer bytes than fit, or none.
    ///
    /// - Throws: if bytes of the source are not available.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        guard offset < source.byteCount else {
            let rest = addition[Int(offset - source.byteCount)...].prefix(buffer.count)
            buffer.copyBytes(from: rest)
            return rest.count
        }
        let count = min(buffer.count, Int(source.byteCount - offset))
        return try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    }

    /// Maps the whole pages of the file, and reads its last part into anonymous memory, before the addition.
    private static func fill(
        _ reserved: UnsafeMutableRawBufferPointer, from source: Source, _ addition: [UInt8]
    ) throws(Failure) {
        let pageLength = Int(getpagesize())
        let (start, end) = (reserved.baseAddress!, Int(source.byteCount))
        let mapped = end / pageLength * pageLength
        if mapped > 0 {
            let address = mmap(start, mapped, PROT_READ, MAP_PRIVATE | MAP_FIXED, source.descriptor.number, 0)
            guard address != MAP_FAILED else { throw failure("mmap") }
        }
        guard mprotect(start + mapped, reserved.count - mapped, PROT_READ | PROT_WRITE) == 0 else {
            throw failure("mprotect")
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

extension UpdatedFile {
    /// The file in the form that Poppler's core accepts: its bytes, or a function that reads them. It must not outlive
    /// this object.
    var core: poppler_core_file {
        poppler_core_file(
            bytes: bytes?.baseAddress?.assumingMemoryBound(to: CChar.self), byte_count: byteCount,
            context: Unmanaged.passUnretained(self).toOpaque(), read: Self.reader)
    }

    /// Reads for a library: returns the number of bytes, 0 at the end, -1 if they are not available.
    static let reader: @convention(c) (UnsafeMutableRawPointer?, Int64, UnsafeMutableRawPointer?, Int64) -> Int64 = {
        context, offset, buffer, count in
        let file = Unmanaged<UpdatedFile>.fromOpaque(context!).takeUnretainedValue()
        let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(count))
        return (try? file.read(into: target, at: offset)).map { Int64($0) } ?? -1
    }
}
