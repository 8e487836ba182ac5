internal import Linux
internal import Objects
internal import S3
internal import Synchronization
internal import ThumbnailCache

/// The reader of a `BucketStore`: asks for whole blocks, verifies them, and reads ahead where it is read in order.
///
/// All ranges are of the object that was opened: they name its tag. The first block is there from the start, so a small object is
/// read on although it is removed; a large one then ends with `missing`.
final class BucketReader: ObjectReader {
    let byteCount: Int64
    let modified: Int64
    let object: S3Object
    /// `nil` for an object that another program has written.
    let sums: ContentSums?
    private let client: S3Client
    private let name: String
    private let window: Mutex<Window>

    /// What was read last, from a block's beginning.
    private struct Window: Sendable {
        var start: Int64
        var bytes: [UInt8]

        var end: Int64 { start + Int64(bytes.count) }
    }

    private static let block = Int64(BlockHasher.blockByteCount)
    /// The most blocks that one request asks for.
    static let mostAhead: Int64 = 32

    /// Opens an object, and reads its first block.
    ///
    /// - Parameter known: the object's sums; where they are `nil`, they are looked for.
    /// - Throws: `missing`.
    init(
        _ key: String, of client: S3Client, _ keys: BucketKeys, _ known: ContentSums? = nil
    ) throws(ObjectError) {
        let first = try Self.first(key, client)
        object = first.object
        byteCount = first.object.byteCount
        modified = first.object.modified
        if let known {
            guard known.byteCount == byteCount else {
                throw ObjectError(S3Fault.truncated("\(byteCount) bytes of \(known.byteCount)"))
            }
            sums = known
        } else {
            sums = try BucketContent(client, keys).sums(of: first.object)
        }
        self.client = client
        name = key
        window = Mutex(Window(start: 0, bytes: []))
        // One block is verified as any other; where it is damaged, it is asked for again.
        let bytes = isSound(first.bytes, from: 0) ? first.bytes : try fetch(from: 0, blockCount: 1)
        window.withLock { $0.bytes = bytes }
    }

    private static func first(_ key: String, _ client: S3Client) throws(ObjectError) -> (
        bytes: [UInt8], object: S3Object
    ) {
        do throws(S3Fault) {
            return try client.read(key, 0..<block)
        } catch {
            // Nothing is in the range of an empty object.
            guard error == .noRange else { throw ObjectError(error) }
        }
        let object = try asking { () throws(S3Fault) in try client.status(of: key) }
        guard object.byteCount == 0 else { throw .unavailable(detail: "the store has no beginning of an object") }
        return ([], object)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ObjectError) -> Int {
        guard offset < byteCount, !buffer.isEmpty else { return 0 }
        let wanted = Int(min(Int64(buffer.count), byteCount - offset))
        var done = 0
        while done < wanted {
            let place = offset + Int64(done)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<wanted])
            done += try window.withLock { window throws(ObjectError) in
                if !(window.start..<window.end).contains(place) { try turn(&window, to: place, part.count) }
                let from = Int(place - window.start)
                let count = min(part.count, window.bytes.count - from)
                part.copyBytes(from: window.bytes[from..<(from + count)])
                return count
            }
        }
        return done
    }

    /// Reads on where the last window ended, and elsewhere no more than is wanted.
    private func turn(_ window: inout Window, to place: Int64, _ wanted: Int) throws(ObjectError) {
        let start = place / Self.block * Self.block
        let needed = (place - start + Int64(wanted) + Self.block - 1) / Self.block
        let count = start == window.end && start > 0 ? Self.mostAhead : min(needed, Self.mostAhead)
        // Released first, so that two windows are never in memory.
        window.bytes = []
        window.start = 0
        window.bytes = try fetch(from: start, blockCount: count)
        window.start = start
    }

    /// What a cache knows the content by: its digest, or where another program has written the object, its address and tag.
    var key: SourceKey {
        if let sums { return .digest(sums.digest) }
        let address = "\(client.endpoint.address)/\(client.endpoint.bucket)/\(name)"
        return .local(StatKey(ofAddress: address, version: object.tag, byteCount: byteCount))
    }

    /// The blocks that a range touches, verified.
    ///
    /// - Parameter patience: how long the caller waits; `nil` for the client's own patience.
    func blocks(
        touching range: Range<Int64>, within patience: Duration? = nil
    ) throws(ObjectError) -> (start: Int64, bytes: [UInt8]) {
        let start = range.lowerBound / Self.block * Self.block
        let opening = window.withLock { $0.start == 0 && range.upperBound <= $0.end ? $0.bytes : nil }
        if start == 0, let opening { return (0, opening) }
        let blockCount = (range.upperBound - start + Self.block - 1) / Self.block
        return (start, try fetch(from: start, blockCount: blockCount, within: patience))
    }

    /// Blocks, verified; damaged ones are asked for again.
    private func fetch(
        from start: Int64, blockCount: Int64, within patience: Duration? = nil
    ) throws(ObjectError) -> [UInt8] {
        let end = patience.map { Time.monotonic + $0 }
        let range = start..<min(start + blockCount * Self.block, byteCount)
        for _ in 0..<Self.mostTries {
            let rest = end.map { $0 - Time.monotonic }
            let bytes = try asking { () throws(S3Fault) in
                try client.read(name, range, tag: object.tag, within: rest).bytes
            }
            if Int64(bytes.count) == Int64(range.count), isSound(bytes, from: start) { return bytes }
        }
        throw ObjectError(S3Fault.corrupted("bytes \(range) of an object, \(Self.mostTries) times"))
    }

    private static let mostTries = 3

    private func isSound(_ bytes: [UInt8], from start: Int64) -> Bool { sums?.verify(bytes, from: start) ?? true }
}
