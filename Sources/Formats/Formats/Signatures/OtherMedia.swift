internal import Media

/// Recognises further formats by signature that libmagic names differently or misses.
enum OtherMedia: ContentReader {
    static func finding(in source: BoundedSource) -> Finding? {
        signatures.first { source.head.has($0.bytes) }.map { Finding(MediaType(rawValue: $0.type)) }
    }

    private static let signatures: [(bytes: [UInt8], type: String)] = [
        (Array("FLV\u{1}".utf8), "video/x-flv"),
        // The ASF header object's GUID.
        ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9], "video/x-ms-asf"),
        // SMPTE 377-1: the header partition pack's key.
        ([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01, 0x02], "application/mxf"),
        (Array("fLaC".utf8), "audio/flac"),
        (Array("ID3\u{2}\0".utf8), "audio/mpeg"),
        (Array("ID3\u{3}\0".utf8), "audio/mpeg"),
        (Array("ID3\u{4}\0".utf8), "audio/mpeg"),
        ([0x1F, 0x8B, 0x08], "application/gzip"),
        (Array("{\\rtf".utf8), "text/rtf"),
        (Array("%!PS".utf8), "application/postscript"),
        ([0x04] + Array("%!PS".utf8), "application/postscript"),
    ]
}
