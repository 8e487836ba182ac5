public import Media

/// A renderer's pixels as a finished file.
public enum Encoder {
    /// Encoded bytes, with what they are.
    public struct Encoded: Sendable {
        public let bytes: [UInt8]
        public let format: RenditionFormat
        public let size: PixelSize
    }

    /// Pads, flattens and encodes a picture as its recipe says.
    ///
    /// `automatic` is JPEG, or PNG where the picture has transparency.
    /// - Throws: `unavailable` where an encoder fails.
    public static func encode(_ picture: Bitmap, for recipe: Recipe) throws(Failure) -> Encoded {
        var bitmap = picture
        if recipe.fit == .contain {
            let canvas = PixelSize(
                width: max(recipe.box.width ?? 0, bitmap.width), height: max(recipe.box.height ?? 0, bitmap.height))
            bitmap = bitmap.padded(to: canvas, background: recipe.background)
        }
        let format = format(of: bitmap, for: recipe)
        let bytes: [UInt8]
        switch format {
        case .jpeg:
            let flat = bitmap.isOpaque ? bitmap : bitmap.flattened(on: recipe.background)
            bytes = try JPEGEncoder().encode(flat, quality: recipe.quality)
        case .webp: bytes = try WebPEncoder.encode(bitmap, quality: recipe.quality)
        case .png: bytes = try PNGEncoder.encode(bitmap)
        }
        return Encoded(bytes: bytes, format: format, size: bitmap.size)
    }

    private static func format(of bitmap: Bitmap, for recipe: Recipe) -> RenditionFormat {
        switch recipe.format {
        case .automatic: bitmap.isOpaque ? .jpeg : .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .png: .png
        }
    }
}
