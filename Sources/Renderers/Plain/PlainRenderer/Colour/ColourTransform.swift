internal import CLCMS

/// An lcms2 transform from a profile to sRGB: relative colorimetric with black-point compensation, as browsers do.
final class ColourTransform {
    private let handle: cmsHTRANSFORM

    init(from bytes: [UInt8], isGray: Bool) throws(Declined) {
        guard let handle = Self.transform(from: bytes, isGray: isGray) else {
            throw Declined("a profile that lcms2 does not accept")
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

    /// `TYPE_RGB_8`: `PT_RGB`, three channels of one byte. Swift does not import lcms2.h's macro.
    private static let rgb: cmsUInt32Number = 4 << 16 | 3 << 3 | 1

    /// `PT_GRAY` with two extra bytes after each gray byte, which lcms2 skips.
    private static let gray: cmsUInt32Number = 3 << 16 | 2 << 7 | 1 << 3 | 1

    func converted(_ pixels: [UInt8], pixelCount: Int) -> [UInt8] {
        // Both sides have three bytes per pixel.
        [UInt8](unsafeUninitializedCapacity: pixelCount * 3) { target, written in
            cmsDoTransform(handle, pixels, target.baseAddress, cmsUInt32Number(pixelCount))
            written = pixelCount * 3
        }
    }
}
