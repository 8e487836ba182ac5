internal import Formats
internal import Media
internal import Rendering

/// What a PNG says before its pixels (ISO/IEC 15948; the numbers are clauses of the W3C's third edition).
struct PNGHeader {
    let size: PixelSize
    let coding: PNGCoding
    /// Of pixels that are indices into it.
    let palette: PNGPalette?
    /// An ICC profile, decompressed.
    let profile: [UInt8]?
    /// What is said of colours in other ways, where it counts and is not sRGB.
    let calibrated: CalibratedColour?
    let orientation: Orientation
    /// Where the first chunk of pixels begins: its length.
    let dataOffset: Int64

    /// Whether pixels may be transparent.
    var hasAlpha: Bool { palette?.hasAlpha ?? coding.hasAlpha }

    /// - Throws: where the file is not plain: interlaced, animated, with a colour that stands for transparency.
    init(_ source: Source) throws(Declined) {
        var chunks = PNGChunks(source)
        guard try chunks.signature() == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
            throw Declined("no PNG")
        }
        let first = try chunks.next()
        guard first.type == "IHDR", first.byteCount == 13 else { throw Declined("no PNG header") }
        let body = try chunks.bytes(of: first, from: 0, count: 13)
        let (width, height) = (PNGChunks.integer(body[...]), PNGChunks.integer(body[4...]))
        // Compression and filters of the one kind that there is, no interlacing.
        guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height), body[10...12] == [0, 0, 0]
        else { throw Declined("no plain kind of PNG") }
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

/// What the chunks between the header and the pixels say of colours, and of which side is up.
private struct PNGDescription {
    private let coding: PNGCoding
    private(set) var palette: PNGPalette?
    private(set) var profile: [UInt8]?
    private(set) var orientation = Orientation.upright
    private var colour = PNGColour()
    private var seen: Set<String> = []

    init(_ coding: PNGCoding) { self.coding = coding }

    var calibrated: CalibratedColour? { colour.calibrated(hasProfile: profile != nil) }

    mutating func take(_ chunk: PNGChunks.Chunk, of chunks: PNGChunks) throws(Declined) {
        if colour.wants(chunk.type) { try colour.take(chunk.type, chunks.wholeBody(of: chunk, largest: 32)) }
        switch (chunk.type, coding.colourType) {
        case ("PLTE", .palette):
            try requireFirst(chunk.type)
            palette = try PNGPalette(chunks.wholeBody(of: chunk, largest: 3 << coding.depth))
        case ("PLTE", .rgb), ("PLTE", .rgba):
            // A suggestion for screens of few colours; but a damaged one is libpng's to judge.
            _ = try PNGPalette(chunks.wholeBody(of: chunk, largest: 768))
        case ("tRNS", .palette):
            try requireFirst(chunk.type)
            guard palette != nil else { throw Declined("transparency without a palette") }
            try palette!.setAlpha(chunks.wholeBody(of: chunk, largest: 256))
        case ("iCCP", _):
            try requireFirst(chunk.type)
            // libpng passes one over that stands behind the palette, or beside the word that colours are sRGB.
            guard palette == nil, !seen.contains("sRGB") else { throw Declined("a profile out of place") }
            profile = try PNGProfile.bytes(in: chunks.wholeBody(of: chunk, largest: PNGProfile.largest))
        case ("sRGB", _):
            guard profile == nil else { throw Declined("a profile out of place") }
            seen.insert(chunk.type)
        case ("eXIf", _):
            try requireFirst(chunk.type)
            let block = try chunks.wholeBody(of: chunk, largest: Self.largestEXIF)
            orientation = try EXIFOrientation.read(from: block[...]) ?? .upright
        case ("gAMA", _), ("cHRM", _), ("pHYs", _), ("tEXt", _), ("zTXt", _), ("iTXt", _), ("tIME", _), ("bKGD", _),
            ("sBIT", _), ("hIST", _), ("sPLT", _):
            break
        default: throw Declined("chunk \(chunk.type)")
        }
    }

    /// As in a JPEG's segment.
    private static let largestEXIF = 1 << 16

    private mutating func requireFirst(_ type: String) throws(Declined) {
        guard seen.insert(type).inserted else { throw Declined("two chunks \(type)") }
    }
}
