internal import Media
internal import Rendering

/// What a PNG says before its pixels (ISO/IEC 15948; the numbers are clauses of the W3C's third edition).
struct PNGHeader {
    let size: PixelSize
    /// 1 for gray, 3 for RGB.
    let channelCount: Int
    /// Where the first chunk of pixels begins: its length.
    let dataOffset: Int64

    /// - Throws: where the file is not plain: 8 bits, gray or RGB, not interlaced, not animated, without transparency,
    ///   profile or orientation.
    init(_ source: Source) throws(Declined) {
        var chunks = PNGChunks(source)
        guard try chunks.signature() == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
            throw Declined("no PNG")
        }
        let first = try chunks.next()
        guard first.type == "IHDR", first.byteCount == 13 else { throw Declined("no PNG header") }
        let body = try chunks.bytes(of: first, from: 0, count: 13)
        let (width, height) = (PNGChunks.integer(body[...]), PNGChunks.integer(body[4...]))
        guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height), body[8] == 8,
            body[9] == 0 || body[9] == 2, body[10] == 0, body[11] == 0, body[12] == 0
        else { throw Declined("no plain kind of PNG") }
        size = PixelSize(width: width, height: height)
        channelCount = body[9] == 0 ? 1 : 3
        while true {
            let chunk = try chunks.next()
            switch chunk.type {
            case "IDAT":
                dataOffset = chunk.offset
                return
            case "gAMA", "cHRM", "sRGB", "pHYs", "tEXt", "zTXt", "iTXt", "tIME", "bKGD", "sBIT", "hIST": continue
            default: throw Declined("chunk \(chunk.type)")
            }
        }
    }
}

/// Walks over a PNG's chunks (5.3).
struct PNGChunks {
    private let source: Source
    private var offset: Int64

    struct Chunk {
        let type: String
        /// Where its length is.
        let offset: Int64
        /// Of its body.
        let byteCount: Int
    }

    init(_ source: Source, at offset: Int64 = 8) {
        self.source = source
        self.offset = offset
    }

    func signature() throws(Declined) -> [UInt8] { try read(at: 0, count: 8) }

    mutating func next() throws(Declined) -> Chunk {
        let head = try read(at: offset, count: 8)
        let byteCount = Self.integer(head[...])
        guard byteCount <= Int32.max else { throw Declined("an impossible chunk") }
        // Length, type, and a checksum behind the body.
        defer { offset += Int64(byteCount) + 12 }
        return Chunk(type: String(decoding: head[4...], as: UTF8.self), offset: offset, byteCount: byteCount)
    }

    func bytes(of chunk: Chunk, from start: Int, count: Int) throws(Declined) -> [UInt8] {
        try read(at: chunk.offset + 8 + Int64(start), count: count)
    }

    private func read(at place: Int64, count: Int) throws(Declined) -> [UInt8] {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try source.bytes(at: place, count: count)
        } catch {
            throw Declined(error.detail)
        }
        guard bytes.count == count else { throw Declined("broken off") }
        return bytes
    }

    /// A big-endian number of 32 bits.
    static func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
}
