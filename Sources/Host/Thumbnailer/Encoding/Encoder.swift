public import Media

/// Encodes a renderer's pixels as a file. Colours are sRGB, which all three formats imply, so no profile is written.
public enum Encoder {
    /// An encoded file, with its format and size.
    public struct Encoded: Sendable {
        /// The bytes of the file.
        public let bytes: [UInt8]
        /// The format chosen for the recipe's `automatic`.
        public let format: RenditionFormat
        /// The size in pixels, including padding.
        public let size: PixelSize
    }

    /// Pads, flattens and encodes a picture according to its recipe.
    ///
    /// - Throws: `unavailable` if an encoder fails.
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

    /// Encodes a picture as a file of a format.
    ///
    /// - Parameters:
    ///   - quality: 1...100, on the scale of libjpeg and libwebp; PNG ignores it.
    ///   - background: replaces transparency in JPEG.
    /// - Throws: `unavailable` if an encoder fails.
    public static func encode(
        _ picture: Bitmap, as format: RenditionFormat, quality: Int, background: Colour = .white
    ) throws(Failure) -> [UInt8] {
        switch format {
        case .jpeg:
            let flat = picture.isOpaque ? picture : picture.flattened(on: background)
            return try JPEGEncoder().encode(flat, quality: quality)
        case .webp: return try WebPEncoder.encode(picture, quality: quality)
        case .png:
            // An opaque alpha channel would cost a tenth of the bytes.
            let plain = picture.isOpaque ? picture.flattened(on: background) : picture
            return try PNGEncoder.encode(plain)
        }
    }
}
