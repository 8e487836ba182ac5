public import Media

/// A renderer's pixels as a finished file. Colours are sRGB, which all three formats imply: no profile is written.
public enum Encoder {
    /// Encoded bytes, with what they are.
    public struct Encoded: Sendable {
        public let bytes: [UInt8]
        public let format: RenditionFormat
        public let size: PixelSize
    }

    /// Pads, flattens and encodes a picture as its recipe says.
    ///
    /// - Throws: `unavailable` where an encoder fails.
    public static func encode(_ picture: Bitmap, for recipe: Recipe) throws(Failure) -> Encoded {
        var bitmap = picture
        if recipe.fit == .contain {
            let canvas = PixelSize(
                width: max(recipe.box.width ?? 0, bitmap.width), height: max(recipe.box.height ?? 0, bitmap.height))
            bitmap = bitmap.padded(to: canvas, background: recipe.background)
        }
        let format = RenditionFormat(recipe.format, for: bitmap)
        let bytes = try encode(bitmap, as: format, quality: recipe.quality, background: recipe.background)
        return Encoded(bytes: bytes, format: format, size: bitmap.size)
    }

    /// A picture as a file of a format.
    ///
    /// - Parameters:
    ///   - quality: 1...100, as libjpeg and libwebp count; PNG does not look at it.
    ///   - background: what shows through where JPEG has no transparency.
    /// - Throws: `unavailable` where an encoder fails.
    public static func encode(
        _ picture: Bitmap, as format: RenditionFormat, quality: Int, background: Colour = .white
    ) throws(Failure) -> [UInt8] {
        switch format {
        case .jpeg:
            let flat = picture.isOpaque ? picture : picture.flattened(on: background)
            return try JPEGEncoder().encode(flat, quality: quality)
        case .webp: return try WebPEncoder.encode(picture, quality: quality)
        case .png:
            // An alpha channel that says nothing would cost a tenth of the bytes.
            let plain = picture.isOpaque ? picture.flattened(on: background) : picture
            return try PNGEncoder.encode(plain)
        }
    }
}
