internal import Media

/// The colour space that a file states, usually with an ICC profile, and its conversion to sRGB.
struct EmbeddedProfile {
    /// The space's name in the facts: `srgb`, `gray`, `display-p3`, ….
    let spaceName: String
    /// `nil` if the colours are already sRGB.
    private let transform: ColourTransform?
    private let source: String

    /// - Throws: if lcms2 refuses the profile, or its colour model is not the components' model.
    init(_ bytes: [UInt8]?, componentCount: Int) throws(Declined) {
        let plain = componentCount == 1 ? "gray" : "srgb"
        guard let bytes else {
            spaceName = plain
            transform = nil
            source = ""
            return
        }
        guard let profile = ICCProfile(bytes), profile.deviceSpace == (componentCount == 1 ? "GRAY" : "RGB ") else {
            throw Declined("a profile that does not fit")
        }
        spaceName = profile.spaceName ?? plain
        transform = spaceName == "srgb" ? nil : try ColourTransform(from: bytes, isGray: componentCount == 1)
        source = "by the embedded profile"
    }

    /// A colour space that the file states without a profile. Gray is converted as R = G = B, since lcms2 is too coarse
    /// in dark tones for gray profiles.
    init(_ calibrated: CalibratedColour, isGray: Bool) throws(Declined) {
        spaceName = calibrated.spaceName(isGray: isGray)
        transform = try ColourTransform(from: calibrated.profile, isGray: false)
        source = calibrated.words
    }

    /// Whether the colours are already sRGB.
    var isStandard: Bool { transform == nil }

    /// The conversion's description, for `--explain`.
    var wayToScreen: String {
        transform == nil
            ? "taken as sRGB" : "\(source) (lcms2, relative to white, with black-point compensation)"
    }

    /// Converts pixels of three bytes to sRGB.
    func converted(_ pixels: [UInt8], pixelCount: Int) -> [UInt8] {
        transform?.converted(pixels, pixelCount: pixelCount) ?? pixels
    }
}
