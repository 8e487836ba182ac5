internal import Formats
internal import Media
internal import Rendering

/// A Photoshop document (Adobe Photoshop File Formats Specification, 2019): its flattened picture, which lies behind the layers,
/// plane after plane.
///
/// FFmpeg's decoder takes any fourth plane for transparency, where most are stored selections, refuses documents with more planes or
/// of more than 30,000 rows (PSB), and reads the layers too.
struct PhotoshopFile {
    private let source: Source
    private let header: PhotoshopHeader
    /// The colours of an indexed picture: 256 reds, as many greens, as many blues.
    private let palette: [UInt8]
    private let planes: PhotoshopPlanes
    /// Whether the plane behind the colours tells what of the picture can be seen.
    private let hasTransparency: Bool

    /// - Throws: `corrupt`, `tooLarge` over a limit, `unsupported` for colours and packings that are not read here.
    init(_ source: Source, _ limits: Limits) throws(Failure) {
        self.source = source
        header = try PhotoshopHeader(try source.bytes(at: 0, count: PhotoshopHeader.byteCount))
        try Decoder.check(header.size, limits)
        if UInt64(header.size.pixelCount) * 4 > limits.memoryByteCount / 2 {
            throw .outOfMemory("\(header.size.pixelCount) pixels")
        }
        var sections = PhotoshopSections(source, from: Int64(PhotoshopHeader.byteCount))
        let colours = try sections.next()
        palette =
            header.mode == .indexed ? try source.bytes(at: colours.lowerBound, count: min(768, colours.count)) : []
        guard header.mode != .indexed || palette.count == 768 else { throw .brokenOff }
        _ = try sections.next()
        let layers = try sections.next(hasLongCount: header.isLarge)
        planes = try PhotoshopPlanes(source, at: layers.upperBound, header)
        hasTransparency =
            header.planeCount > header.mode.planeCount && sections.tellTransparency(layers, isLarge: header.isLarge)
    }

    func picture() throws(Failure) -> StillPicture {
        var canvas = PhotoshopCanvas(header, palette: palette, hasAlpha: hasTransparency)
        var failure: Failure?
        for plane in 0..<header.mode.planeCount + (hasTransparency ? 1 : 0) {
            do throws(Failure) {
                try planes.read(plane) { y, row in canvas.lay(row, ofPlane: plane, at: y) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        let raster = canvas.raster()
        let header = header
        return StillPicture(
            source: raster, size: raster.size,
            colour: ColourDescription(hasAlpha: hasTransparency, isGray: header.mode.isGray),
            decoderNote: "Photoshop \(header.isLarge ? "large " : "")document: its flattened picture",
            colourNote: { "\(header.mode), \(header.depth) bits, as sRGB" })
    }
}

/// What a document's first bytes say of its picture.
struct PhotoshopHeader {
    static let byteCount = 26

    enum Mode: UInt16 {
        case bitmap = 0
        case gray = 1
        case indexed = 2
        case rgb = 3
        case cmyk = 4
        /// Shown by its brightness alone: how it is printed is not published.
        case duotone = 8

        /// How many planes its colours take.
        var planeCount: Int {
            switch self {
            case .bitmap, .gray, .indexed, .duotone: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }

        var isGray: Bool { [.bitmap, .gray, .duotone].contains(self) }
    }

    /// Whether sizes within it have 64 bits (PSB).
    let isLarge: Bool
    let planeCount: Int
    let size: PixelSize
    /// Bits of one plane's pixel: 1, 8, 16, or 32 for floating point.
    let depth: Int
    let mode: Mode

    init(_ bytes: [UInt8]) throws(Failure) {
        guard bytes.count == Self.byteCount, bytes.starts(with: "8BPS".utf8), [1, 2].contains(bytes.big16(at: 4)) else {
            throw Failure(.corrupt, detail: "no Photoshop header")
        }
        isLarge = bytes.big16(at: 4) == 2
        planeCount = Int(bytes.big16(at: 12))
        let (height, width) = (Int(bytes.big32(at: 14)), Int(bytes.big32(at: 18)))
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
            throw Failure(.corrupt, detail: "\(width) × \(height) pixels")
        }
        size = PixelSize(width: width, height: height)
        depth = Int(bytes.big16(at: 22))
        guard let mode = Mode(rawValue: bytes.big16(at: 24)) else {
            throw Failure(.unsupported, detail: "Photoshop's colour mode \(bytes.big16(at: 24))")
        }
        self.mode = mode
        guard (mode == .bitmap ? [1] : mode == .indexed ? [8] : [8, 16, 32]).contains(depth) else {
            throw Failure(.unsupported, detail: "Photoshop's \(mode) of \(depth) bits")
        }
        guard (mode.planeCount...56).contains(planeCount) else {
            throw Failure(.corrupt, detail: "\(planeCount) planes")
        }
    }

    /// Of a PSB.
    private static let longestSide = 300_000

    /// Of one plane.
    var rowByteCount: Int { (size.width * depth + 7) / 8 }
}

extension Failure {
    static var brokenOff: Failure { Failure(.corrupt, detail: "broken off") }
}
