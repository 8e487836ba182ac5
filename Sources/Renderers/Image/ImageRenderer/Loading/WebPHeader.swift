internal import Formats
internal import Media
internal import Rendering

/// The canvas size of a WebP file, from its first chunk (RFC 9649, section 2).
///
/// libvips' loader allocates memory for the whole canvas when it opens a file, so the limits are checked first.
struct WebPHeader {
    let size: PixelSize

    /// - Throws: `corrupt` if the file has no such chunk.
    init(_ source: Source) throws(Failure) {
        let bytes = try source.bytes(at: 0, count: 30)
        guard bytes.count == 30, let size = Self.size(bytes) else {
            throw Failure(.corrupt, detail: "no WebP header")
        }
        self.size = size
    }

    private static func size(_ bytes: [UInt8]) -> PixelSize? {
        func integer(_ offset: Int, _ count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X": return PixelSize(width: integer(24, 3) + 1, height: integer(27, 3) + 1)
        case "VP8L":
            let bits = integer(21, 4)
            return PixelSize(width: (bits & 0x3FFF) + 1, height: (bits >> 14 & 0x3FFF) + 1)
        case "VP8 ": return PixelSize(width: integer(26, 2) & 0x3FFF, height: integer(28, 2) & 0x3FFF)
        default: return nil
        }
    }
}
