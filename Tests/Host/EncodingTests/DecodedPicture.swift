import CSpng
import CTurboJPEG
import CWebP
import Glibc

/// Files decoded by the libraries' other halves.
enum DecodedPicture {
    /// RGB.
    static func jpeg(_ file: [UInt8], width: Int, height: Int) -> [UInt8]? {
        guard let handle = tjInitDecompress() else { return nil }
        defer { tjDestroy(handle) }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        let result = tjDecompress2(
            handle, file, UInt(file.count), &pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), 0)
        return result == 0 ? pixels : nil
    }

    /// In the file's own channels.
    static func png(_ file: [UInt8]) -> [UInt8]? {
        guard let context = spng_ctx_new(0) else { return nil }
        defer { spng_ctx_free(context) }
        return file.withUnsafeBytes { bytes in
            var byteCount = 0
            let format = Int32(SPNG_FMT_PNG.rawValue)
            guard spng_set_png_buffer(context, bytes.baseAddress, bytes.count) == 0,
                spng_decoded_image_size(context, format, &byteCount) == 0
            else { return nil }
            var pixels = [UInt8](repeating: 0, count: byteCount)
            return spng_decode_image(context, &pixels, byteCount, format, 0) == 0 ? pixels : nil
        }
    }

    /// RGBA.
    static func webp(_ file: [UInt8]) -> (width: Int, height: Int, pixels: [UInt8])? {
        var width: Int32 = 0
        var height: Int32 = 0
        guard let pixels = WebPDecodeRGBA(file, file.count, &width, &height) else { return nil }
        defer { WebPFree(pixels) }
        return (
            Int(width), Int(height), Array(UnsafeBufferPointer(start: pixels, count: Int(width) * Int(height) * 4))
        )
    }

    /// The peak signal-to-noise ratio in decibels: how alike two pictures are.
    static func likeness(_ first: [UInt8], _ second: [UInt8]) -> Double {
        precondition(first.count == second.count, "pictures of one size are compared")
        let squares = zip(first, second).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
        return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(first.count) / Double(squares))
    }
}
