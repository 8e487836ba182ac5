internal import CNettle
public import Linux
public import Media

/// SHA-256 (FIPS 180-4), by nettle, which uses the processor's own instructions if it has them.
///
/// A value: feed it with `update`, then take `digest()` once.
public struct SHA256: Sendable {
    private var context = sha256_ctx()

    /// A hasher of an empty message.
    public init() { nettle_sha256_init(&context) }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // nettle accepts any length, but its memcpy of a null pointer with length 0 is undefined.
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        nettle_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
    }

    /// Appends bytes to the message.
    public mutating func update(_ bytes: some Collection<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }

    /// The digest of the whole message; the hasher then starts from scratch.
    public mutating func digest() -> Digest {
        let bytes = [UInt8](unsafeUninitializedCapacity: Digest.byteCount) { buffer, count in
            nettle_sha256_digest(&context, Digest.byteCount, buffer.baseAddress!)
            count = Digest.byteCount
        }
        return Digest(bytes: bytes)!
    }
}

extension SHA256 {
    /// The state between two 64-byte blocks, from which another process can continue: the eight words of the hash value
    /// in FIPS 180-4, most significant byte first.
    ///
    /// - Precondition: the message so far is a whole number of blocks.
    package var midpoint: [UInt8] {
        precondition(context.index == 0, "the midpoint of a hash lies between two blocks")
        return withUnsafeBytes(of: context.state) { words in
            words.bindMemory(to: UInt32.self).flatMap { word in
                (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) }
            }
        }
    }

    /// Continues a message from a midpoint.
    ///
    /// - Parameter byteCount: the length of the message so far.
    /// - Returns: `nil` if the values are invalid.
    package init?(midpoint: [UInt8], byteCount: Int64) {
        guard midpoint.count == Digest.byteCount, byteCount >= 0, byteCount.isMultiple(of: 64) else { return nil }
        self.init()
        withUnsafeMutableBytes(of: &context.state) { words in
            for index in 0..<8 {
                words.bindMemory(to: UInt32.self)[index] = midpoint[(4 * index)..<(4 * index + 4)].reduce(0) {
                    $0 << 8 | UInt32($1)
                }
            }
        }
        context.count = UInt64(byteCount / 64)
    }

    /// The digest of bytes in memory.
    public static func digest(of bytes: some Collection<UInt8>) -> Digest {
        var hasher = SHA256()
        hasher.update(bytes)
        return hasher.digest()
    }

    /// The bytes of one read: large enough to make the cost of calls negligible, small enough to stay in a core's
    /// cache.
    static let stepByteCount = 256 << 10

    /// The digest of a whole file, read with `pread`: the descriptor's position does not move.
    ///
    /// If the file changes meanwhile, the digest is of mixed content; the caller compares `fstat` before and after.
    /// - Parameter isCancelled: called before each step of 256 KiB.
    /// - Throws: `cancelled`, or `sourceMissing` if the file cannot be read.
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
