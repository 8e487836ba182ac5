internal import CLCMS
internal import Media

/// The colours that a file states, by an ICC profile in most, and the way from there to sRGB.
struct EmbeddedProfile {
    /// `srgb`, `gray`, `display-p3`, …, as a fact.
    let spaceName: String
    /// Absent where there is no profile, or one that is sRGB over again.
    private let transform: ColourTransform?
    private let source: String

    /// - Throws: where lcms2 does not take the profile, or it is of another kind than the components.
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

    /// Colours that are stated in another way, as a profile would state them: gray as three of the same, since of a gray
    /// profile's curve lcms2 keeps too few points for dark linear light.
    init(_ calibrated: CalibratedColour, isGray: Bool) throws(Declined) {
        spaceName = calibrated.spaceName(isGray: isGray)
        transform = try ColourTransform(from: calibrated.profile, isGray: false)
        source = calibrated.words
    }

    /// Whether colours are sRGB as they are.
    var isStandard: Bool { transform == nil }

    /// For a person who asks.
    var wayToScreen: String {
        transform == nil
            ? "taken as sRGB" : "\(source) (lcms2, relative to white, with black-point compensation)"
    }

    /// Pixels of three bytes as sRGB.
    func converted(_ pixels: [UInt8], pixelCount: Int) -> [UInt8] {
        transform?.converted(pixels, pixelCount: pixelCount) ?? pixels
    }
}

/// A transform of lcms2 from a profile to sRGB: relative to the medium's white with black-point compensation, as browsers do.
private final class ColourTransform {
    private let handle: cmsHTRANSFORM

    init(from bytes: [UInt8], isGray: Bool) throws(Declined) {
        guard let handle = Self.transform(from: bytes, isGray: isGray) else {
            throw Declined("a profile that lcms2 does not take")
        }
        self.handle = handle
    }

    deinit { cmsDeleteTransform(handle) }

    private static func transform(from bytes: [UInt8], isGray: Bool) -> cmsHTRANSFORM? {
        guard let profile = cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else { return nil }
        defer { cmsCloseProfile(profile) }
        guard let standard = cmsCreate_sRGBProfile() else { return nil }
        defer { cmsCloseProfile(standard) }
        return cmsCreateTransform(
            profile, isGray ? gray : rgb, standard, rgb, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
            cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION))
    }

    /// `TYPE_RGB_8` (lcms2.h, a macro that does not import): `PT_RGB`, three channels of one byte.
    private static let rgb: cmsUInt32Number = 4 << 16 | 3 << 3 | 1

    /// `PT_GRAY` with two bytes behind the gray one that are passed over.
    private static let gray: cmsUInt32Number = 3 << 16 | 2 << 7 | 1 << 3 | 1

    func converted(_ pixels: [UInt8], pixelCount: Int) -> [UInt8] {
        // Both sides have three bytes a pixel.
        [UInt8](unsafeUninitializedCapacity: pixelCount * 3) { target, written in
            cmsDoTransform(handle, pixels, target.baseAddress, cmsUInt32Number(pixelCount))
            written = pixelCount * 3
        }
    }
}
