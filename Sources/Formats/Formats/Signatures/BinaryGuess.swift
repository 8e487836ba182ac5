internal import Media

/// libmagic's answer for bytes that are no text, put into the names that this project uses.
enum BinaryGuess {
    /// What the file is, as far as libmagic may be believed.
    static func mediaType(_ guess: MediaType, of source: BoundedSource) -> MediaType {
        if let name = otherNames[guess.rawValue] { return MediaType(rawValue: name) }
        if unproven.contains(guess) || guess.rawValue.hasPrefix("application/vnd.openxmlformats") {
            return .octetStream
        }
        if guess.rawValue.hasPrefix("application/cdfv2") { return .oleStorage }
        if guess.rawValue == "image/x-tga" { return Targa.isPlausible(source) ? guess : .octetStream }
        // Text with bytes in it that text does not have.
        if guess.rawValue.hasPrefix("text/") || guess.rawValue.hasPrefix("message/") { return .octetStream }
        return guess
    }

    /// Other names of the same thing.
    private static let otherNames: [String: String] = [
        "image/x-ms-bmp": "image/bmp", "image/x-icon": "image/vnd.microsoft.icon",
        "image/x-portable-bitmap": "image/x-portable-anymap",
        "image/x-portable-greymap": "image/x-portable-anymap", "image/x-portable-graymap": "image/x-portable-anymap",
        "image/x-portable-pixmap": "image/x-portable-anymap", "audio/x-m4a": "audio/mp4", "audio/mp3": "audio/mpeg",
        "audio/x-hx-aac-adts": "audio/aac", "audio/x-hx-aac-adif": "audio/aac", "audio/x-flac": "audio/flac",
        "application/x-gzip": "application/gzip", "application/x-zip-compressed": "application/zip",
        "application/x-rar": "application/vnd.rar", "application/vnd.ms-office": "application/x-ole-storage",
    ]

    /// Types that this program's own readers tell for certain. They have looked, and found nothing of the kind.
    private static let unproven: Set<MediaType> = [
        .empty, .jpeg, .png, .webp, .gif, .tiff, .heic, .heif, .avif, .svg, .jpeg2000, .jpegXL, .bmp, .pdf, .mp4,
        .quickTime, .m4v, .threeGPP, .avi, .matroska, .webm, .word, .excel, .powerPoint, .wordOpenXML, .excelOpenXML,
    ]
}
