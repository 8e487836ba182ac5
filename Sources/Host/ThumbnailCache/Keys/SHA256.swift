internal import CNettle
public import Linux
public import Media

/// SHA-256 (FIPS 180-4), by nettle, which uses the processor's own instructions where it has them.
///
/// A value: feed it with `update`, then take `digest()` once.
public struct SHA256: Sendable {
    private var context = sha256_ctx()

    /// A hasher of an empty message.
    public init() { nettle_sha256_init(&context) }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // nettle refuses no length, but a null pointer with length 0 is undefined for its memcpy.
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        nettle_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of the whole message; the hasher starts anew after it.
    public mutating func digest() -> Digest {
        let bytes = [UInt8](unsafeUninitializedCapacity: Digest.byteCount) { buffer, count in
            nettle_sha256_digest(&context, Digest.byteCount, buffer.baseAddress!)
            count = Digest.byteCount
        }
        return Digest(bytes: bytes)!
    }
}

extension SHA256 {
    /// The digest of bytes in memory.
    public static func digest(of bytes: some Collection<UInt8>) -> Digest {
        var hasher = SHA256()
        hasher.update(bytes)
        return hasher.digest()
    }

    /// The bytes of one read: enough that the cost of the calls does not matter, few enough to stay in
    /// a core's cache.
    static let stepByteCount = 256 << 10

    /// The digest of a whole file, read by `pread`: the descriptor's position does not move.
    ///
    /// A file that changes meanwhile gives the digest of a mixture; the caller compares `fstat` before and after.
    /// - Parameter isCancelled: asked before each step of 256 KiB.
    /// - Throws: `cancelled`, or `sourceMissing` where the file cannot be read.
    public static func digest(
        of file: Descriptor, isCancelled: () -> Bool = { false }
    ) throws(Failure) -> Digest {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: stepByteCount, alignment: 64)
        defer { buffer.deallocate() }
        var hasher = SHA256()
        var offset: Int64 = 0
        while true {
            if isCancelled() { throw Failure(.cancelled) }
            let count = try read(file, into: buffer, at: offset)
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count < buffer.count { return hasher.digest() }
            offset += Int64(count)
        }
    }

    private static func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(Failure) -> Int {
        do throws(SystemError) {
            return try file.read(into: buffer, at: offset)
        } catch {
            throw Failure(.sourceMissing, message: "File cannot be read.", detail: "\(error)")
        }
    }
}
