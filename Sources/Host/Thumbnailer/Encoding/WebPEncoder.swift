internal import CWebP
internal import Media

/// Encodes lossy WebP with libwebp; alpha is kept losslessly.
///
/// Method 2 of 0...6. Measured at quality 80 on photographs of 640 × 360: 13–20 ms and 44 kB; the library's default, 4,
/// takes 30–43 ms for 3 % fewer bytes, 6 takes 72–126 ms for 6–8 % fewer.
enum WebPEncoder {
    /// - Parameter quality: 1...100.
    static func encode(_ bitmap: Bitmap, quality: Int) throws(Failure) -> [UInt8] {
        var config = WebPConfig()
        var picture = WebPPicture()
        guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
            throw EncodingFailure.make("libwebp", "its header and library have different versions")
        }
        config.quality = Float(quality)
        config.method = 2
        defer { WebPPictureFree(&picture) }
        try take(bitmap, into: &picture)
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
            // The picture writes through this pointer only during the call below.
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&config, &picture) != 0
        }
        guard isEncoded else { throw failure(of: picture) }
        return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }

    /// Copies the pixels as luminance and colour differences; the picture owns the copy.
    private static func take(_ bitmap: Bitmap, into picture: inout WebPPicture) throws(Failure) {
        picture.width = Int32(bitmap.width)
        picture.height = Int32(bitmap.height)
        let isTaken = bitmap.withUnsafeBytes { bytes in
            let pixels = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            return bitmap.hasAlpha
                ? WebPPictureImportRGBA(&picture, pixels, Int32(bitmap.bytesPerRow))
                : WebPPictureImportRGB(&picture, pixels, Int32(bitmap.bytesPerRow))
        }
        if isTaken == 0 { throw failure(of: picture) }
    }

    private static func failure(of picture: WebPPicture) -> Failure {
        EncodingFailure.make("libwebp", "error \(picture.error_code.rawValue)")
    }
}
