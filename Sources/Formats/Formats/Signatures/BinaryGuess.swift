internal import Media

/// Translates libmagic's answer for binary files to this project's media types.
enum BinaryGuess {
    /// The media type for libmagic's answer; `application/octet-stream` if that answer is not trusted.
    static func mediaType(_ guess: MediaType, of source: BoundedSource) -> MediaType {
        if let name = otherNames[guess.rawValue] { return MediaType(rawValue: name) }
        if unproven.contains(guess) || guess.rawValue.hasPrefix("application/vnd.openxmlformats") {
            return .octetStream
        }
        if guess.rawValue.hasPrefix("application/cdfv2") { return .oleStorage }
        if guess.rawValue == "image/x-tga" { return Targa.isPlausible(source) ? guess : .octetStream }
        // The text readers have rejected these bytes.
        if guess.rawValue.hasPrefix("text/") || guess.rawValue.hasPrefix("message/") { return .octetStream }
        return guess
    }

    /// Registered names, by libmagic's names.
    private static let otherNames: [String: String] = [
        "image/x-ms-bmp": "image/bmp", "image/x-icon": "image/vnd.microsoft.icon",
        "image/x-portable-bitmap": "image/x-portable-anymap",
        "image/x-portable-greymap": "image/x-portable-anymap", "image/x-portable-graymap": "image/x-portable-anymap",
        "image/x-portable-pixmap": "image/x-portable-anymap", "audio/x-m4a": "audio/mp4", "audio/mp3": "audio/mpeg",
        "audio/x-hx-aac-adts": "audio/aac", "audio/x-hx-aac-adif": "audio/aac", "audio/x-flac": "audio/flac",
        "application/x-gzip": "application/gzip", "application/x-zip-compressed": "application/zip",
        "application/x-rar": "application/vnd.rar", "application/vnd.ms-office": "application/x-ole-storage",
    ]

    /// Types that this module's readers recognise reliably: they rejected the file, so libmagic is mistaken.
    private static let unproven: Set<MediaType> = [
        .empty, .jpeg, .png, .webp, .gif, .tiff, .heic, .heif, .avif, .svg, .jpeg2000, .jpegXL, .bmp, .pdf, .mp4,
        .quickTime, .m4v, .threeGPP, .avi, .matroska, .webm, .word, .excel, .powerPoint, .wordOpenXML, .excelOpenXML,
    ]
}
