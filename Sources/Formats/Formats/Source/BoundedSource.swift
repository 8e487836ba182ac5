package import Media

/// A source with a budget of bytes and reads, so that a hostile file does not decide how much is read.
///
/// Beyond the budget every read returns `nil`, as at the end of the file.
package final class BoundedSource {
    private let source: Source
    private var bytesLeft: Int
    private var readsLeft: Int

    /// The first 64 KiB, or the whole file if it is shorter.
    package let head: Bytes

    /// The first MiB, which the text readers and libmagic judge; read on first use.
    private var longHead: Bytes?

    /// Reads the first 64 KiB, which do not count against the budget.
    ///
    /// - Parameters:
    ///   - byteLimit: the most bytes to read.
    ///   - readLimit: the most reads.
    /// - Throws: `corrupt` if the file cannot be read.
    package init(_ source: Source, byteLimit: Int = 24 << 20, readLimit: Int = 50_000) throws(Failure) {
        self.source = source
        bytesLeft = byteLimit
        readsLeft = readLimit
        head = Bytes(try source.bytes(at: 0, count: Int(min(source.byteCount, 64 << 10))))
    }

    /// The length of the source.
    package var byteCount: Int64 { source.byteCount }

    /// Exactly `count` bytes at `offset`; `nil` if the file or the budget ends earlier.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    package func bytes(at offset: Int64, count: Int) throws(Failure) -> Bytes? {
        guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else { return nil }
        if offset + Int64(count) <= Int64(head.count) { return head.part(at: Int(offset), count: count) }
        guard count <= bytesLeft, readsLeft > 0 else { return nil }
        bytesLeft -= count
        readsLeft -= 1
        let bytes = Bytes(try source.bytes(at: offset, count: count))
        return bytes.count == count ? bytes : nil
    }

    /// Up to `count` bytes at `offset`; fewer at the end of the file.
    package func available(at offset: Int64, count: Int) throws(Failure) -> Bytes? {
        guard offset >= 0, offset <= byteCount else { return nil }
        return try bytes(at: offset, count: Int(min(Int64(count), byteCount - offset)))
    }

    /// The first MiB, or the whole file if it is shorter.
    func opening() throws(Failure) -> Bytes {
        if let longHead { return longHead }
        let opening = try available(at: 0, count: 1 << 20) ?? head
        longHead = opening
        return opening
    }

    /// The last `count` bytes and their offset.
    func tail(_ count: Int) throws(Failure) -> (bytes: Bytes, offset: Int64)? {
        let offset = max(0, byteCount - Int64(count))
        return try available(at: offset, count: count).map { ($0, offset) }
    }
}
