extension MediaType {
    /// The probable type of a file by its first bytes, which selects the first renderer to try. The renderer's child
    /// identifies the type itself before it decodes.
    ///
    /// - Parameter head: the first 192 bytes, or fewer if the file is shorter.
    public static func guess(fromHead head: [UInt8], fileName: String) -> MediaType? {
        if head.first == UInt8(ascii: "<") { return fileName.lowercased().hasSuffix(".svg") ? .svg : nil }
        if let beginning = beginnings.first(where: { head.dropFirst($0.offset).starts(with: $0.bytes) }) {
            return beginning.mediaType
        }
        // Text may begin with a G too, but every 188-byte packet does.
        return head.count > 188 && head[0] == 0x47 && head[188] == 0x47 ? MediaType(rawValue: "video/mp2t") : nil
    }

    /// Whether a renderer treats both alike: one type, or two names of one container.
    public func isRendered(like other: MediaType) -> Bool {
        let families: [[MediaType]] = [[.mp4, .quickTime, .m4v, .threeGPP], [.matroska, .webm], [.heic, .heif]]
        return self == other || families.contains { $0.contains(self) && $0.contains(other) }
    }

    /// The signatures at the beginning of files; the first match counts.
    private static let beginnings: [(offset: Int, bytes: [UInt8], mediaType: MediaType)] = [
        (0, [0xFF, 0xD8, 0xFF], .jpeg), (0, [0x89] + "PNG\r\n".utf8, .png), (0, Array("GIF8".utf8), .gif),
        (0, Array("II*\0".utf8), .tiff), (0, Array("MM\0*".utf8), .tiff), (0, [0xFF, 0x0A], .jpegXL),
        (8, Array("WEBP".utf8), .webp), (4, Array("jP  ".utf8), .jpeg2000), (4, Array("JXL ".utf8), .jpegXL),
        (4, Array("ftypavi".utf8), .avif), (4, Array("ftyphei".utf8), .heic), (4, Array("ftypmif".utf8), .heic),
        (0, Array("%PDF-".utf8), .pdf),
        (4, Array("ftypqt".utf8), .quickTime), (4, Array("ftypM4A".utf8), MediaType(rawValue: "audio/mp4")),
        (4, Array("ftyp".utf8), .mp4), (4, Array("moov".utf8), .quickTime), (4, Array("mdat".utf8), .quickTime),
        (4, Array("wide".utf8), .quickTime), (8, Array("AVI ".utf8), .avi), (0, [0x1A, 0x45, 0xDF, 0xA3], .matroska),
        (0, [0, 0, 1, 0xBA], MediaType(rawValue: "video/mpeg")),
        (0, Array("FLV".utf8), MediaType(rawValue: "video/x-flv")),
        (0, Array("ID3".utf8), MediaType(rawValue: "audio/mpeg")),
        (0, Array("BM".utf8), .bmp), (0, Array("8BPS".utf8), MediaType(rawValue: "image/vnd.adobe.photoshop")),
        (0, [0x76, 0x2F, 0x31, 0x01], MediaType(rawValue: "image/x-exr")),
        (0, [0, 0, 1, 0], MediaType(rawValue: "image/vnd.microsoft.icon")),
    ]
}
