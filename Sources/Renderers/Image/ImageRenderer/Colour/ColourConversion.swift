internal import CVips
internal import Media

/// Converts pictures to 8-bit sRGB: three bands, or four with alpha.
enum ColourConversion {
    /// - Parameter header: states colours if the file does so without a profile.
    static func converted(_ picture: VipsPicture, by header: PictureHeader) throws(Failure) -> VipsPicture {
        if let coded = header.codedColour { return try eightBit(plain(coded.converted(picture))) }
        var meaningful = try withMeaning(picture)
        if let calibrated = header.calibratedColour {
            meaningful = try withThreeChannels(meaningful).tagged(calibrated.profile)
        }
        if let profiled = profiled(meaningful) { return try eightBit(profiled) }
        return try eightBit(plain(meaningful))
    }

    /// Applies the embedded profile: relative colorimetric with black-point compensation, as browsers and Adobe's
    /// viewers do, or with the only table that the profile has. `nil` if the picture has no profile, or one that does
    /// not fit it, which viewers ignore.
    private static func profiled(_ picture: VipsPicture) -> VipsPicture? {
        let space = ColorSpace(of: picture)
        guard space.needsProfile else { return nil }
        let intent = space.hasRelativeIntent ? VIPS_INTENT_RELATIVE : VIPS_INTENT_PERCEPTUAL
        // libvips passes alpha through: 16-bit alpha needs 16-bit colours.
        let isDeep = picture.format == VIPS_FORMAT_USHORT && picture.hasAlpha
        let transform = VipsOperation("icc_transform", on: picture)
            .with("output-profile", .text("srgb")).with("embedded", .flag(true))
            .with("depth", .integer(isDeep ? 16 : 8)).with("intent", .integer(Int(intent.rawValue)))
            .with("black-point-compensation", .flag(true))
        do throws(Failure) {
            return isDeep ? try plain(transform.output()) : try transform.output()
        } catch {
            return nil
        }
    }

    /// Converts by the bands' interpretation; CMYK with the profile that libvips includes.
    private static func plain(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        try VipsOperation("colourspace", on: picture)
            .with("space", .integer(Int(VIPS_INTERPRETATION_sRGB.rawValue))).output()
    }

    /// Converts gray to RGB of the same depth; returns other pictures unchanged.
    private static func withThreeChannels(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        guard picture.bandCount < 3 else { return picture }
        let isDeep = picture.format == VIPS_FORMAT_USHORT
        let space = isDeep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
        return try VipsOperation("colourspace", on: picture).with("space", .integer(Int(space.rawValue))).output()
    }

    /// Interprets bands without a meaning (scientific TIFFs) as viewers do: the first three as RGB, fewer as gray.
    private static func withMeaning(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        guard picture.interpretation == VIPS_INTERPRETATION_MULTIBAND else { return picture }
        let isColour = picture.bandCount >= 3
        let isDeep = picture.format == VIPS_FORMAT_USHORT
        let space =
            switch (isColour, isDeep) {
            case (true, true): VIPS_INTERPRETATION_RGB16
            case (true, false): VIPS_INTERPRETATION_sRGB
            case (false, true): VIPS_INTERPRETATION_GREY16
            case (false, false): VIPS_INTERPRETATION_B_W
            }
        let bands = try VipsOperation("extract_band", on: picture).with("band", .integer(0))
            .with("n", .integer(isColour ? 3 : 1)).output()
        return try bands.meaning(space)
    }

    private static func eightBit(_ picture: VipsPicture) throws(Failure) -> VipsPicture {
        var picture = picture
        if picture.bandCount > 4 {
            picture = try VipsOperation("extract_band", on: picture).with("band", .integer(0)).with("n", .integer(4))
                .output()
        }
        if picture.format == VIPS_FORMAT_UCHAR { return picture }
        return try VipsOperation("cast", on: picture).with("format", .integer(Int(VIPS_FORMAT_UCHAR.rawValue))).output()
    }
}
