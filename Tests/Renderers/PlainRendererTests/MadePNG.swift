import CSpng
import Glibc
import Media

/// A PNG that the test makes with libspng's encoder, and chunks put into it.
struct MadePNG {
    var width: Int
    var height: Int
    var depth = 8
    /// 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGBA.
    var colourType = 2
    var filter = SPNG_FILTER_CHOICE_ALL
    /// Red, green and blue of each; for colour type 3.
    var palette: [[UInt8]] = []
    /// Of the palette's first colours.
    var paletteAlpha: [UInt8] = []
    /// The samples of a pixel, each in `depth` bits.
    var samples: (_ x: Int, _ y: Int) -> [Int]

    var bytes: [UInt8] {
        let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue))
        defer { spng_ctx_free(context) }
        spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
        spng_set_option(context, SPNG_FILTER_CHOICE, Int32(filter.rawValue))
        var header = spng_ihdr()
        header.width = UInt32(width)
        header.height = UInt32(height)
        header.bit_depth = UInt8(depth)
        header.color_type = UInt8(colourType)
        precondition(spng_set_ihdr(context, &header) == 0)
        if !palette.isEmpty { setPalette(context) }
        // SPNG_FMT_PNG: in the host's order of bytes.
        let packed = rows
        precondition(
            spng_encode_image(
                context, packed, packed.count, Int32(SPNG_FMT_PNG.rawValue), Int32(SPNG_ENCODE_FINALIZE.rawValue)) == 0)
        var count = 0
        var status: Int32 = 0
        let buffer = spng_get_png_buffer(context, &count, &status)!
        defer { free(buffer) }
        return Array(UnsafeRawBufferPointer(start: buffer, count: count))
    }

    private func setPalette(_ context: OpaquePointer?) {
        var table = spng_plte()
        table.n_entries = UInt32(palette.count)
        withUnsafeMutableBytes(of: &table.entries) { entries in
            for (index, colour) in palette.enumerated() {
                for channel in 0..<3 { entries[index * 4 + channel] = colour[channel] }
            }
        }
        precondition(spng_set_plte(context, &table) == 0)
        guard !paletteAlpha.isEmpty else { return }
        var transparency = spng_trns()
        transparency.n_type3_entries = UInt32(paletteAlpha.count)
        withUnsafeMutableBytes(of: &transparency.type3_alpha) { $0.copyBytes(from: paletteAlpha) }
        precondition(spng_set_trns(context, &transparency) == 0)
    }

    /// Samples packed into rows of whole bytes.
    private var rows: [UInt8] {
        (0..<height).flatMap { y -> [UInt8] in
            let values = (0..<width).flatMap { samples($0, y) }
            if depth == 16 { return values.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
            if depth == 8 { return values.map { UInt8($0) } }
            var row = [UInt8](repeating: 0, count: (values.count * depth + 7) / 8)
            for (index, value) in values.enumerated() {
                let bit = index * depth
                row[bit / 8] |= UInt8(value << (8 - depth - bit % 8))
            }
            return row
        }
    }

    /// The pixels as libspng decodes them, in eight bits: red, green, blue and alpha.
    static func decoded(_ file: [UInt8]) -> [UInt8] {
        let context = spng_ctx_new(0)
        defer { spng_ctx_free(context) }
        return file.withUnsafeBytes { file in
            precondition(spng_set_png_buffer(context, file.baseAddress, file.count) == 0)
            var size = 0
            precondition(spng_decoded_image_size(context, Int32(SPNG_FMT_RGBA8.rawValue), &size) == 0)
            var pixels = [UInt8](repeating: 0, count: size)
            let flags = Int32(SPNG_DECODE_TRNS.rawValue)
            precondition(spng_decode_image(context, &pixels, size, Int32(SPNG_FMT_RGBA8.rawValue), flags) == 0)
            return pixels
        }
    }

    /// The file with a chunk behind its header.
    static func inserting(_ type: String, _ body: [UInt8], into file: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + body
        var chunk: [UInt8] = []
        chunk.appendBigEndian(UInt32(body.count))
        chunk += named
        chunk.appendBigEndian(checksum(named))
        return Array(file.prefix(33)) + chunk + file.dropFirst(33)
    }

    /// CRC-32 bit by bit (W3C PNG, annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
