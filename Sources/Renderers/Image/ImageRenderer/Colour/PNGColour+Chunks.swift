internal import Formats
internal import Media
internal import Rendering

extension PNGColour {
    /// Reads the chunks before the pixels (W3C PNG, third edition, 5.3). libvips passes on only profiles.
    init(of source: Source) {
        self.init()
        var offset: Int64 = 8
        for _ in 0..<Self.mostChunks {
            guard let head = try? source.bytes(at: offset, count: 8), head.count == 8 else { return }
            let byteCount = Self.integer(head[...])
            let type = String(decoding: head[4...], as: UTF8.self)
            guard type != "IDAT", byteCount <= Int32.max else { return }
            if wants(type), let body = Self.body(in: source, at: offset, byteCount: byteCount) { take(type, body) }
            // Length, type, and a checksum after the body.
            offset += Int64(byteCount) + 12
        }
    }

    /// The maximum number of chunks to examine; files have a few dozen before their pixels.
    private static let mostChunks = 1000

    /// The body of a colour chunk, the longest of which is `cHRM`; `nil` if it is damaged.
    private static func body(in source: Source, at offset: Int64, byteCount: Int) -> [UInt8]? {
        let largest = 32
        guard byteCount <= largest, let bytes = try? source.bytes(at: offset + 4, count: byteCount + 8),
            bytes.count == byteCount + 8, checksum(bytes.dropLast(4)) == integer(bytes.suffix(4))
        else { return nil }
        return Array(bytes[4..<byteCount + 4])
    }

    /// The CRC-32 (annex D) of a chunk's type and body, bit by bit.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        let sum = bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Int(~sum)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }

    /// The space of the code points; `nil` if the file states none, or sRGB.
    var codedColour: CodedColour? {
        codePoints.flatMap { CodedColour(primaries: $0.primaries, transfer: $0.transfer) }
    }
}
