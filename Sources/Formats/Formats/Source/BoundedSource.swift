internal import Media

/// A source behind a budget: what a file says of itself never decides how much of it is read.
///
/// A spent budget looks like the end of the file, so that a reader that was led astray finds nothing more.
final class BoundedSource {
    private let source: Source
    private var bytesLeft: Int
    private var readsLeft: Int

    /// The first 64 KiB, or the whole file where it is shorter.
    let head: Bytes

    /// The first MiB, where text and libmagic look; read when first needed.
    private var longHead: Bytes?

    init(_ source: Source, byteLimit: Int = 24 << 20, readLimit: Int = 50_000) throws(Failure) {
        self.source = source
        bytesLeft = byteLimit
        readsLeft = readLimit
        head = Bytes(try source.bytes(at: 0, count: Int(min(source.byteCount, 64 << 10))))
    }

    var byteCount: Int64 { source.byteCount }

    /// Exactly `count` bytes at `offset`; `nil` where the file or the budget ends before.
    func bytes(at offset: Int64, count: Int) throws(Failure) -> Bytes? {
        guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else { return nil }
        if offset + Int64(count) <= Int64(head.count) { return head.part(at: Int(offset), count: count) }
        guard count <= bytesLeft, readsLeft > 0 else { return nil }
        bytesLeft -= count
        readsLeft -= 1
        let bytes = Bytes(try source.bytes(at: offset, count: count))
        return bytes.count == count ? bytes : nil
    }

    /// Up to `count` bytes at `offset`: fewer where the file ends.
    func available(at offset: Int64, count: Int) throws(Failure) -> Bytes? {
        guard offset >= 0, offset <= byteCount else { return nil }
        return try bytes(at: offset, count: Int(min(Int64(count), byteCount - offset)))
    }

    /// The first MiB, or the whole file where it is shorter.
    func opening() throws(Failure) -> Bytes {
        if let longHead { return longHead }
        let opening = try available(at: 0, count: 1 << 20) ?? head
        longHead = opening
        return opening
    }

    /// The last `count` bytes and where they begin.
    func tail(_ count: Int) throws(Failure) -> (bytes: Bytes, offset: Int64)? {
        let offset = max(0, byteCount - Int64(count))
        return try available(at: offset, count: count).map { ($0, offset) }
    }
}
