internal import CVips
internal import Media
internal import Rendering

/// Shrinks 8-bit pictures with this project's resampler.
///
/// libvips' operations are slow without run-time machine code, which the sandbox forbids. This averages rows over
/// squares while libvips decodes them, and resizes the averages.
enum PlaneResizing {
    /// A part of the picture resized to `size`, in memory; `nil` if libvips must resize: more bits, inks, enlargement,
    /// or so many pixels that only libvips' streaming keeps them out of memory.
    static func resized(
        _ picture: VipsPicture, to size: PixelSize, keeping area: PixelArea
    ) throws(Failure) -> VipsPicture? {
        let (old, bandCount) = (picture.size, picture.bandCount)
        let colourCount = picture.hasAlpha ? bandCount - 1 : bandCount
        guard picture.format == VIPS_FORMAT_UCHAR, colourCount == 1 || colourCount == 3, old.width >= size.width,
            old.height >= size.height
        else { return nil }
        let squares = SquareAverages.Squares(of: old, for: size)
        guard squares.count.pixelCount * bandCount <= largestSampleCount else { return nil }
        let counts = Array(repeating: squares.count.pixelCount, count: bandCount)
        let averages = try PlaneMemory.filled(counts) { planes throws(Failure) in
            try read(picture, squares, into: planes)
        }
        let planes = Plane.resized(
            averages.map { squares.plane(of: $0) }, to: size, keeping: area, hasAlpha: picture.hasAlpha, threadCount: 1)
        return try picture.replaced(by: planes, size: area.size)
    }

    private static let largestSampleCount = 32 << 20

    /// The number of rows decoded at once. Every operation before this one buffers the same number.
    private static let stripHeight = 64
    private static let largestStrip = 4 << 20

    private static func read(
        _ picture: VipsPicture, _ squares: SquareAverages.Squares, into planes: [UnsafeMutableBufferPointer<UInt8>]
    ) throws(Failure) {
        let (size, bandCount) = (picture.size, picture.bandCount)
        var averages = SquareAverages(squares, hasAlpha: picture.hasAlpha, into: planes)
        guard let region = vips_region_new(picture.pointer) else { throw VipsError.failure(in: "decoding") }
        defer { g_object_unref(region) }
        let stripHeight = max(1, min(stripHeight, largestStrip / (size.width * bandCount)))
        for top in stride(from: 0, to: size.height, by: stripHeight) {
            let height = min(stripHeight, size.height - top)
            var strip = VipsRect(left: 0, top: Int32(top), width: Int32(size.width), height: Int32(height))
            guard vips_region_prepare(region, &strip) == 0 else { throw VipsError.failure(in: "decoding") }
            // As the macro `VIPS_REGION_ADDR` computes it: the region is at least the strip.
            let (valid, rowLength) = (region.pointee.valid, Int(region.pointee.bpl))
            let start = region.pointee.data - Int(valid.left) * bandCount
            for y in top..<top + height {
                let row = start + (y - Int(valid.top)) * rowLength
                averages.add(UnsafeBufferPointer(start: row, count: size.width * bandCount), at: y)
            }
        }
    }
}
