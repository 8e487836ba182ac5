internal import CVips
internal import Media

/// Resizes pictures with libvips' operations.
enum VipsResizing {
    /// The picture resized to exactly `size`: with the three-lobed Lanczos kernel if smaller, with a cubic kernel if
    /// larger.
    ///
    /// Colours are weighted by alpha, so that the hidden colour of a transparent pixel does not show in its neighbours.
    static func resized(_ picture: VipsPicture, to size: PixelSize) throws(Failure) -> VipsPicture {
        if picture.size == size { return picture }
        guard picture.hasAlpha else { return try scaled(picture, to: size) }
        let format = picture.format
        let weighted = try VipsOperation("premultiply", on: picture).output()
        let small = try VipsOperation("unpremultiply", on: scaled(weighted, to: size)).output()
        if format == VIPS_FORMAT_FLOAT || format == VIPS_FORMAT_DOUBLE { return small }
        // A cast truncates: an opaque 254.9999 would become translucent.
        let whole = try VipsOperation("round", on: small).with(
            "round", .integer(Int(VIPS_OPERATION_ROUND_RINT.rawValue))
        )
        .output()
        return try VipsOperation("cast", on: whole).with("format", .integer(Int(format.rawValue))).output()
    }

    private static func scaled(_ picture: VipsPicture, to size: PixelSize) throws(Failure) -> VipsPicture {
        let across = Double(size.width) / Double(picture.size.width)
        let down = Double(size.height) / Double(picture.size.height)
        let resized = try VipsOperation("resize", on: picture)
            .with("scale", .number(across)).with("vscale", .number(down)).output()
        guard resized.size == size else {
            throw Failure(.corrupt, detail: "resized to \(resized.size) instead of \(size)")
        }
        return resized
    }

    /// A part of a picture.
    static func cut(_ picture: VipsPicture, to area: PixelArea) throws(Failure) -> VipsPicture {
        if area == PixelArea(x: 0, y: 0, size: picture.size) { return picture }
        return try VipsOperation("extract_area").with("input", .picture(picture))
            .with("left", .integer(area.x)).with("top", .integer(area.y))
            .with("width", .integer(area.size.width)).with("height", .integer(area.size.height)).output()
    }
}
