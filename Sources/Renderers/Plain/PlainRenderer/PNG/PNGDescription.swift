internal import Formats
internal import Media

/// The chunks between the header and the pixels that state colours and orientation.
struct PNGDescription {
    private let coding: PNGCoding
    private(set) var palette: PNGPalette?
    private(set) var profile: [UInt8]?
    private(set) var orientation = Orientation.upright
    private var colour = PNGColour()
    private var seen: Set<String> = []

    init(_ coding: PNGCoding) { self.coding = coding }

    var calibrated: CalibratedColour? { colour.calibrated(hasProfile: profile != nil) }

    mutating func take(_ chunk: PNGChunk, of chunks: PNGChunkReader) throws(Declined) {
        if colour.wants(chunk.type) { try colour.take(chunk.type, chunks.wholeBody(of: chunk, largest: 32)) }
        switch (chunk.type, coding.colourType) {
        case ("PLTE", .palette):
            try requireFirst(chunk.type)
            palette = try PNGPalette(chunks.wholeBody(of: chunk, largest: 3 << coding.depth))
        case ("PLTE", .rgb), ("PLTE", .rgba):
            // A suggested palette (11.2.2) has no effect, but libpng decides about a damaged one.
            _ = try PNGPalette(chunks.wholeBody(of: chunk, largest: 768))
        case ("tRNS", .palette):
            try requireFirst(chunk.type)
            guard palette != nil else { throw Declined("transparency without a palette") }
            try palette!.setAlpha(chunks.wholeBody(of: chunk, largest: 256))
        case ("iCCP", _):
            try requireFirst(chunk.type)
            // libpng ignores a profile after the palette, or next to an sRGB chunk.
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

    /// The limit of an EXIF segment in a JPEG.
    private static let largestEXIF = 1 << 16

    private mutating func requireFirst(_ type: String) throws(Declined) {
        guard seen.insert(type).inserted else { throw Declined("two chunks \(type)") }
    }
}
