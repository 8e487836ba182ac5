internal import CISAL
internal import Formats
internal import Media
internal import Rendering

/// A PNG's chunk (5.3).
struct PNGChunk {
    let type: String
    /// The offset of the chunk's length in the file.
    let offset: Int64
    /// The length of the chunk's body.
    let byteCount: Int
}

/// Reads a PNG's chunks one after another (5.3).
struct PNGChunkReader {
    private let source: Source
    private var offset: Int64

    init(_ source: Source, at offset: Int64 = 8) {
        self.source = source
        self.offset = offset
    }

    func signature() throws(Declined) -> [UInt8] { try read(at: 0, count: 8) }

    mutating func next() throws(Declined) -> PNGChunk {
        let head = try read(at: offset, count: 8)
        let byteCount = Self.integer(head[...])
        guard byteCount <= Int32.max else { throw Declined("an impossible chunk") }
        // Length and type precede the body; a checksum follows it.
        defer { offset += Int64(byteCount) + 12 }
        return PNGChunk(type: String(decoding: head[4...], as: UTF8.self), offset: offset, byteCount: byteCount)
    }

    func bytes(of chunk: PNGChunk, from start: Int, count: Int) throws(Declined) -> [UInt8] {
        try read(at: chunk.offset + 8 + Int64(start), count: count)
    }

    private func read(at place: Int64, count: Int) throws(Declined) -> [UInt8] {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try source.bytes(at: place, count: count)
        } catch {
            throw Declined(error.detail)
        }
        guard bytes.count == count else { throw Declined("truncated") }
        return bytes
    }

    /// The whole body of a chunk, verified by its checksum.
    ///
    /// - Throws: if the body is longer than `largest`, or its checksum is wrong: libpng then ignores the chunk or
    ///   fails.
    func wholeBody(of chunk: PNGChunk, largest: Int) throws(Declined) -> [UInt8] {
        guard chunk.byteCount <= largest else { throw Declined("a large chunk \(chunk.type)") }
        let bytes = try read(at: chunk.offset + 4, count: chunk.byteCount + 8)
        // The checksum covers the type and the body (5.3).
        let sum = crc32_gzip_refl(0, bytes, UInt64(chunk.byteCount + 4))
        guard Int(sum) == Self.integer(bytes[(chunk.byteCount + 4)...]) else {
            throw Declined("a damaged chunk \(chunk.type)")
        }
        return Array(bytes[4..<chunk.byteCount + 4])
    }

    /// A big-endian 32-bit number.
    static func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
}
