internal import CVips
internal import Formats
internal import Media
internal import Rendering

/// A picture's description in its file, read before any pixel is decoded.
struct PictureHeader {
    /// The size in the file, before the orientation is applied.
    let storedSize: PixelSize
    let orientation: Orientation
    /// Whether the first row in the file is the lowest, as in floating-point portable maps; libvips ignores that.
    let isFromBelow: Bool
    /// At least 1.
    let pageCount: Int
    let hasAlpha: Bool
    /// Whether the file stores the pixels in passes over the whole picture: progressive JPEG, interlaced PNG.
    let isInterlaced: Bool
    let colorSpace: ColorSpace
    /// Colours stated by code points. In HEIF a profile takes precedence over them; in PNG they take precedence over a
    /// profile.
    let codedColour: CodedColour?
    /// Colours that a PNG states in `gAMA` and `cHRM`, if nothing takes precedence over these.
    let calibratedColour: CalibratedColour?

    /// - Parameter statedSize: the size in the file, if the picture was opened smaller.
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

    /// The size with the orientation applied.
    var shownSize: PixelSize { orientation.turned(storedSize) }

    private var spaceName: String {
        calibratedColour?.spaceName(isGray: colorSpace.name == "gray") ?? colorSpace.name
    }

    /// The description for `--explain`.
    var wayToScreen: String {
        if let codedColour {
            return "\(codedColour.spaceName)\(codedColour.hdrName.map { ", \($0)" } ?? "") by code points"
        }
        if let calibratedColour { return "\(spaceName), \(calibratedColour.words)" }
        guard colorSpace.hasProfile else { return "\(colorSpace.name), no profile: by the meaning of its bands" }
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
