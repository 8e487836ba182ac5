extension RendererClass {
    /// The renderer that a file will probably want, by its first bytes: only to start that program early. Nothing is
    /// decided by it: the sniffer says what the file is.
    ///
    /// - Parameter head: the first 32 bytes, or fewer where the file is shorter.
    public static func guess(fromHead head: [UInt8], fileName: String) -> RendererClass? {
        if head.first == UInt8(ascii: "<") { return fileName.lowercased().hasSuffix(".svg") ? .svg : nil }
        return beginnings.first { head.dropFirst($0.offset).starts(with: $0.bytes) }?.rendererClass
    }

    /// How files begin; the first entry that fits counts.
    private static let beginnings: [(offset: Int, bytes: [UInt8], rendererClass: RendererClass)] = [
        (0, [0xFF, 0xD8], .image), (0, [0x89] + "PNG".utf8, .image), (0, Array("GIF8".utf8), .image),
        (0, Array("II".utf8), .image), (0, Array("MM".utf8), .image), (0, [0xFF, 0x0A], .image),
        (8, Array("WEBP".utf8), .image), (4, Array("jP  ".utf8), .image), (4, Array("JXL ".utf8), .image),
        (4, Array("ftypavi".utf8), .image), (4, Array("ftyphei".utf8), .image), (4, Array("ftypmif".utf8), .image),
        (0, Array("%PDF".utf8), .pdf),
        (4, Array("ftyp".utf8), .video), (4, Array("moov".utf8), .video), (4, Array("mdat".utf8), .video),
        (4, Array("wide".utf8), .video), (4, Array("free".utf8), .video), (0, Array("RIFF".utf8), .video),
        (0, [0x1A, 0x45, 0xDF, 0xA3], .video), (0, [0x47], .video), (0, [0, 0, 1, 0xBA], .video),
        (0, Array("OggS".utf8), .video), (0, Array("FLV".utf8), .video), (0, Array("ID3".utf8), .video),
        (0, Array("BM".utf8), .video),
    ]
}
