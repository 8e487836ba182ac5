internal import CVips
internal import Media

/// The colour space in which a picture is stored: its name in the facts, and what its conversion to sRGB needs.
struct ColorSpace {
    /// `srgb`, `display-p3`, `gray`, `cmyk`, …; taken from the profile's name if that is a widely used space.
    let name: String
    /// Whether an embedded profile must be applied: one exists, and it is not sRGB's.
    let needsProfile: Bool
    let hasProfile: Bool
    /// Whether the profile has a relative colorimetric table.
    let hasRelativeIntent: Bool

    /// - Parameter isWide: whether libvips treats samples of this kind as linear light and other programs do not.
    init(of picture: VipsPicture, isWide: Bool = false) {
        let interpretation = picture.interpretation
        let isLight = interpretation == VIPS_INTERPRETATION_scRGB && !isWide
        let plain = isLight ? "linear" : Self.name(of: interpretation, bandCount: picture.bandCount)
        guard let profile = picture.bytes("icc-profile-data").flatMap({ ICCProfile($0) }) else {
            name = plain
            needsProfile = false
            hasProfile = false
            hasRelativeIntent = false
            return
        }
        name = profile.spaceName ?? plain
        needsProfile = name != "srgb"
        hasProfile = true
        hasRelativeIntent = profile.hasRelativeIntent
    }

    private static func name(of interpretation: VipsInterpretation, bandCount: Int) -> String {
        switch interpretation {
        case VIPS_INTERPRETATION_B_W, VIPS_INTERPRETATION_GREY16: "gray"
        case VIPS_INTERPRETATION_CMYK: "cmyk"
        case VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABQ, VIPS_INTERPRETATION_LABS: "lab"
        case VIPS_INTERPRETATION_XYZ: "xyz"
        case VIPS_INTERPRETATION_MULTIBAND: bandCount < 3 ? "gray" : "srgb"
        default: "srgb"
        }
    }
}
