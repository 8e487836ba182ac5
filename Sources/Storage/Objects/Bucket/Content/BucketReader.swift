internal import Linux
internal import S3
internal import Synchronization
internal import ThumbnailCache

/// The reader of a `BucketStore`. It requests whole blocks, verifies them, and prefetches during sequential reads,
/// within the memory that all readers share. A reader that gets no such memory reads block by block, and keeps nothing
/// between two reads.
///
/// All ranges name the tag of the opened object, so they never read another one. The first block is read on opening. So
/// a small object stays readable after its removal, unless that memory is used up. A large one then fails with
/// `missing`.
final class BucketReader: ObjectReader {
    let byteCount: Int64
    let modified: Int64
    let object: S3Object
    /// `nil` for a file that another program has stored.
    let sums: ContentSums?
    private let client: S3Client
    private let name: String
    private let memory: MemoryBudget
    private let window: Mutex<Window>

    /// The bytes that were read last, from a block's beginning.
    private struct Window: Sendable {
        var start: Int64 = 0
        var bytes: [UInt8] = []
        /// The memory of the bytes; without it, they are dropped once they have been read.
        var room: MemoryBudget.Share?
        /// The end of the bytes, even after they were dropped.
        var end: Int64 = 0

        func contains(_ place: Int64) -> Bool { place >= start && place - start < Int64(bytes.count) }
    }

    private static let block = Int64(BlockHasher.blockByteCount)
    /// The maximum number of blocks in one request.
    static let mostAhead: Int64 = 32

    /// Opens an object, and reads its first block.
    ///
    /// - Parameters:
    ///   - memory: the memory that all readers share.
    ///   - known: returns the object's sums.
    /// - Throws: `missing`.
    init(
        _ key: String, of client: S3Client, _ memory: MemoryBudget,
        sums known: (S3Object) throws(ObjectError) -> ContentSums?
    ) throws(ObjectError) {
        let first = try Self.first(key, client)
        object = first.object
        byteCount = first.object.byteCount
        modified = first.object.modified
        sums = try known(first.object)
        if let sums, sums.byteCount != byteCount {
            throw ObjectError(S3Fault.truncated("\(byteCount) bytes of \(sums.byteCount)"))
        }
        self.client = client
        self.memory = memory
        name = key
        window = Mutex(Window())
        // The first block is verified as any other. If it is damaged, it is requested again.
        let bytes = isSound(first.bytes, from: 0) ? first.bytes : try fetch(from: 0, blockCount: 1)
        let room = bytes.isEmpty ? nil : memory.takeNow(bytes.count)
        window.withLock { $0 = Window(bytes: room == nil ? [] : bytes, room: room, end: Int64(bytes.count)) }
    }

    private static func first(_ key: String, _ client: S3Client) throws(ObjectError) -> (
        bytes: [UInt8], object: S3Object
    ) {
        do throws(S3Fault) {
            return try client.read(key, 0..<block)
        } catch {
            // An empty object has no bytes in any range.
            guard error == .noRange else { throw ObjectError(error) }
        }
        let object = try asking { () throws(S3Fault) in try client.status(of: key) }
        guard object.byteCount == 0 else { throw .unavailable(detail: "the store sent no beginning of an object") }
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
                if !window.contains(place) { try turn(&window, to: place, part.count) }
                let from = Int(place - window.start)
                let count = min(part.count, window.bytes.count - from)
                part.copyBytes(from: window.bytes[from..<(from + count)])
                if window.room == nil { window.bytes = [] }
                return count
            }
        }
        return done
    }

    /// Continues where the last window ended; elsewhere, it reads only the wanted blocks.
    private func turn(_ window: inout Window, to place: Int64, _ wanted: Int) throws(ObjectError) {
        let start = place / Self.block * Self.block
        let isInOrder = start == window.end && start > 0
        let needed = isInOrder ? byteCount - start : place - start + Int64(wanted)
        let blockCount = min((needed + Self.block - 1) / Self.block, Self.mostAhead)
        // Released first, so that two windows are never in memory.
        window = Window()
        let room = memory.takeNow(atMost: Int(blockCount * Self.block), atLeast: Int(Self.block))
        let bytes = try fetch(from: start, blockCount: room.map { Int64($0.byteCount) / Self.block } ?? 1)
        window = Window(start: start, bytes: bytes, room: room, end: start + Int64(bytes.count))
    }

    /// The content's key in a cache: its digest, or its address and tag if another program has written the object.
    var key: SourceKey {
        if let sums { return .digest(sums.digest) }
        let address = "\(client.endpoint.address)/\(client.endpoint.bucket)/\(name)"
        return .local(StatKey(ofAddress: address, version: object.tag, byteCount: byteCount))
    }

    /// The verified blocks that a range touches.
    ///
    /// - Parameter patience: how long the caller waits; `nil` for the client's own patience.
    func blocks(
        touching range: Range<Int64>, within patience: Duration? = nil
    ) throws(ObjectError) -> (start: Int64, bytes: [UInt8]) {
        let start = range.lowerBound / Self.block * Self.block
        let opening = window.withLock { $0.start == 0 && range.upperBound <= $0.bytes.count ? $0.bytes : nil }
        if start == 0, let opening { return (0, opening) }
        let blockCount = (range.upperBound - start + Self.block - 1) / Self.block
        return (start, try fetch(from: start, blockCount: blockCount, within: patience))
    }

    /// Verified blocks; damaged ones are requested again.
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
