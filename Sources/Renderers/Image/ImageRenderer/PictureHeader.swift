internal import CVips
internal import Formats
internal import Media
internal import Rendering

/// What a file says of its picture before any pixel is decoded.
struct PictureHeader {
    /// The size of the pixels in the file, before it is turned.
    let storedSize: PixelSize
    let orientation: Orientation
    /// Whether the lowest row is the file's first, as in portable maps of floating point; libvips passes that over.
    let isFromBelow: Bool
    /// At least 1.
    let pageCount: Int
    let hasAlpha: Bool
    /// Whether the pixels come in passes over the whole picture: progressive JPEG, interlaced PNG.
    let isInterlaced: Bool
    let colorSpace: ColorSpace
    /// Where the file states its colours by code points. In HEIF a profile goes first, in PNG these do.
    let codedColour: CodedColour?
    /// Where a PNG states its colours by `gAMA` and `cHRM`, and nothing goes before these.
    let calibratedColour: CalibratedColour?

    /// - Parameter statedSize: the size, where the picture was opened smaller.
    init(of picture: VipsPicture, statedSize: PixelSize? = nil, in source: Source, format: ImageFormat) {
        storedSize = statedSize ?? picture.size
        let stated = format.appliesOrientation ? Int(vips_image_get_orientation(picture.pointer)) : 1
        isFromBelow = format.kind == .portableAnymap && picture.format == VIPS_FORMAT_FLOAT
        orientation = isFromBelow ? .flipped : Orientation(rawValue: stated) ?? .upright
        pageCount = max(1, picture.integer("n-pages") ?? 1)
        hasAlpha = picture.hasAlpha
        isInterlaced = (picture.integer("interlaced") ?? 0) != 0
        colorSpace = ColorSpace(of: picture, isWide: WideSamples(of: picture, in: format) != nil)
        let chunks = format.kind == .png ? PNGColour(of: source) : nil
        codedColour =
            if let chunks { chunks.codedColour } else {
                format.kind == .heif && !colorSpace.hasProfile ? CodedColour(inHEIF: source) : nil
            }
        calibratedColour = chunks?.calibrated(hasProfile: colorSpace.hasProfile)
    }

    /// The size as a person sees it.
    var shownSize: PixelSize { orientation.turned(storedSize) }

    private var spaceName: String {
        calibratedColour?.spaceName(isGray: colorSpace.name == "gray") ?? colorSpace.name
    }

    /// For a person who asks.
    var wayToScreen: String {
        if let codedColour {
            return "\(codedColour.spaceName)\(codedColour.hdrName.map { ", \($0)" } ?? "") by code points"
        }
        if let calibratedColour { return "\(spaceName), \(calibratedColour.words)" }
        guard colorSpace.hasProfile else { return "\(colorSpace.name), no profile: by what its bands mean" }
        let intent = colorSpace.hasRelativeIntent ? "relative to white, with black-point compensation" : "perceptual"
        return "\(colorSpace.name) by the embedded profile (\(intent))"
    }

    func facts(of mediaType: MediaType, byteCount: Int64, format: ImageFormat) -> Facts {
        var facts = Facts(mediaType: mediaType, byteCount: byteCount)
        facts.width = shownSize.width
        facts.height = shownSize.height
        facts.orientation = orientation == .upright || isFromBelow ? nil : orientation.rawValue
        facts.pageCount = format.hasPages && pageCount > 1 ? pageCount : nil
        facts.hasAlpha = hasAlpha
        facts.colorSpace = codedColour?.spaceName ?? spaceName
        facts.hdr = codedColour?.hdrName
        return facts
    }
}
