internal import Glibc
internal import Hashing
internal import Media
internal import S3

/// The bytes of one part while they arrive, and until they are sent. They are hashed on arrival.
///
/// The kernel supplies the memory page by page as it is written, and gets it back at the end. Heap memory would stay
/// with the process.
final class PartBuffer: @unchecked Sendable {
    // Safe as Sendable: one thread fills it, and another thread reads it only after that.
    private let memory: UnsafeMutableRawBufferPointer
    private var hasher = SHA256()
    private var md5 = MD5()
    private(set) var count = 0

    /// The size of a part in bytes; the last part of a file may be smaller.
    static let byteCount = Arrival.partByteCount

    /// `nil` if there is no memory.
    init?() {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let start = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, flags, -1, 0), start != MAP_FAILED else {
            return nil
        }
        memory = UnsafeMutableRawBufferPointer(start: start, count: Self.byteCount)
    }

    deinit { munmap(memory.baseAddress, memory.count) }

    var isFull: Bool { count == Self.byteCount }

    /// Takes as many bytes as there is room for.
    ///
    /// - Returns: the bytes that were taken.
    func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let taken = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.byteCount - count))
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: taken)
        hasher.update(taken)
        md5.update(taken)
        count += taken.count
        return taken
    }

    /// The bytes so far; valid as long as this object exists.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// The bytes with their sums, as they are sent; valid as long as this object exists.
    var body: S3Body {
        var (hasher, md5) = (hasher, md5)
        return S3Body(bytes, digest: hasher.digest(), md5: md5.digest())
    }
}
