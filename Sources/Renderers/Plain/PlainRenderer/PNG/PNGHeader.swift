internal import Formats
internal import Media
internal import Rendering

/// The chunks of a PNG before its pixels (ISO/IEC 15948; clause numbers are those of the W3C's third edition).
struct PNGHeader {
    let size: PixelSize
    let coding: PNGCoding
    /// The palette, if pixels are indices.
    let palette: PNGPalette?
    /// The ICC profile, decompressed.
    let profile: [UInt8]?
    /// The colour space that other chunks state, if it takes precedence and is not sRGB.
    let calibrated: CalibratedColour?
    let orientation: Orientation
    /// The offset in the file of the first IDAT chunk.
    let dataOffset: Int64

    /// Whether pixels may be transparent.
    var hasAlpha: Bool { palette?.hasAlpha ?? coding.hasAlpha }

    /// - Throws: if the file is not plain: interlaced, animated, or with a colour that stands for transparency.
    init(_ source: Source) throws(Declined) {
        var chunks = PNGChunkReader(source)
        guard try chunks.signature() == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
            throw Declined("not a PNG")
        }
        let first = try chunks.next()
        guard first.type == "IHDR", first.byteCount == 13 else { throw Declined("no PNG header") }
        let body = try chunks.bytes(of: first, from: 0, count: 13)
        let (width, height) = (PNGChunkReader.integer(body[...]), PNGChunkReader.integer(body[4...]))
        // PNG defines only one kind of compression and of filtering; this accepts no interlacing.
        guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height), body[10...12] == [0, 0, 0]
        else { throw Declined("not a plain kind of PNG") }
        size = PixelSize(width: width, height: height)
        coding = try PNGCoding(depth: Int(body[8]), colourType: body[9])
        var description = PNGDescription(coding)
        while true {
            let chunk = try chunks.next()
            if chunk.type == "IDAT" {
                dataOffset = chunk.offset
                break
            }
            try description.take(chunk, of: chunks)
        }
        palette = description.palette
        profile = description.profile
        calibrated = description.calibrated
        orientation = description.orientation
        guard (coding.colourType == .palette) == (palette != nil) else { throw Declined("no palette") }
    }
}
