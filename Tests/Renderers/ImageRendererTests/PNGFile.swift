/// A PNG (ISO/IEC 15948) written by the test itself: no compression, no filter.
struct PNGFile {
    var width: Int
    var height: Int
    var depth: UInt8 = 8
    /// 0 gray, 2 RGB, 4 gray with alpha, 6 RGB with alpha.
    var colourType: UInt8
    var isInterlaced = false
    /// Chunks between the header and the pixels.
    var chunks: [(name: String, body: [UInt8])] = []

    /// The file with these rows: samples as the format stores them, without filter bytes.
    func bytes(rows: [[UInt8]]) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var header: [UInt8] = []
        header.appendBigEndian(UInt32(width))
        header.appendBigEndian(UInt32(height))
        header += [depth, colourType, 0, 0, isInterlaced ? 1 : 0]
        for (name, body) in [("IHDR", header)] + chunks + [
            ("IDAT", Self.stored(rows.flatMap { [0] + $0 })), ("IEND", []),
        ] {
            file.appendBigEndian(UInt32(body.count))
            let named = Array(name.utf8) + body
            file += named
            file.appendBigEndian(Self.crc(named))
        }
        return file
    }

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            stream.appendLittleEndian(UInt16(block.count))
            stream.appendLittleEndian(~UInt16(block.count))
            stream += block
        } while !rest.isEmpty
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        stream.appendBigEndian(high << 16 | low)
        return stream
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
