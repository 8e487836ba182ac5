internal import CVips
internal import Media
internal import Resampling

/// Makes pictures of eight bits smaller by our own resampler.
///
/// libvips' operations are slow without machine code written at run time, which the sandbox forbids. Rows are averaged over squares
/// while they are decoded, and what is left is resized by the same kernel.
enum OwnResizing {
    /// A part of the picture at exactly `size`, in memory; `nil` where it is not for us: of more bits, of inks, larger than it was, or
    /// of so many pixels that libvips had better stream them.
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

    /// How many rows are decoded at once. Every operation between the file and us has memory for so many.
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
            // As VIPS_REGION_ADDR has it, which is a macro: the region is at least the strip.
            let (valid, rowLength) = (region.pointee.valid, Int(region.pointee.bpl))
            let start = region.pointee.data - Int(valid.left) * bandCount
            for y in top..<top + height {
                let row = start + (y - Int(valid.top)) * rowLength
                averages.add(UnsafeBufferPointer(start: row, count: size.width * bandCount), at: y)
            }
        }
    }
}
