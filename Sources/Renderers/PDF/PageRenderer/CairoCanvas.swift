internal import CPoppler
internal import Linux
internal import Media

/// A cairo image surface: initially transparent, with four bytes per pixel in the order blue, green, red, alpha,
/// premultiplied.
final class CairoCanvas {
    /// cairo's handle, which is freed with this object.
    let surface: OpaquePointer
    /// The number of bytes from one row to the next.
    let bytesPerRow: Int
    private let memory: Mapping

    /// The first row's pixels, `bytesPerRow` bytes before the second row's; valid while this object is alive.
    var pixels: UnsafeMutablePointer<UInt8> { memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) }

    /// `nil` if memory runs out.
    init?(size: PixelSize) {
        let (width, height) = (Int32(size.width), Int32(size.height))
        bytesPerRow = Int(cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, width))
        guard let memory = try? Mapping(anonymousByteCount: bytesPerRow * size.height) else { return nil }
        self.memory = memory
        let pixels = memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height, Int32(bytesPerRow))
    }

    deinit { cairo_surface_destroy(surface) }
}
