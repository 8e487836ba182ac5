internal import Media

/// Recognises still pictures by their first bytes.
enum StillImage: ContentReader {
    static func finding(in source: BoundedSource) -> Finding? {
        bySignature(source.head) ?? byHeader(source)
    }

    /// Recognises signatures long enough to be proof alone.
    private static func bySignature(_ head: Bytes) -> Finding? {
        signatures.first { head.has($0.bytes) }.map { Finding($0.type) }
    }

    private static let signatures: [(bytes: [UInt8], type: MediaType)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (Array("GIF87a".utf8), .gif),
        (Array("GIF89a".utf8), .gif),
        (Array("II*\0\u{10}\0\0\0CR\u{2}".utf8), MediaType(rawValue: "image/x-canon-cr2")),
        (Array("II*\0".utf8), .tiff),
        (Array("MM\0*".utf8), .tiff),
        (Array("II+\0\u{8}\0\0\0".utf8), .tiff),
        (Array("MM\0+\0\u{8}\0\0".utf8), .tiff),
        ([0, 0, 0, 12] + Array("JXL \r\n".utf8) + [0x87, 0x0A], .jpegXL),
        ([0xFF, 0x4F, 0xFF, 0x51, 0x00], .jpeg2000Codestream),
        (Array("8BPS\0\u{1}".utf8), MediaType(rawValue: "image/vnd.adobe.photoshop")),
        (Array("8BPS\0\u{2}".utf8), MediaType(rawValue: "image/vnd.adobe.photoshop")),
        (Array("#?RADIANCE".utf8), .radianceHDR),
        (Array("#?RGBE".utf8), .radianceHDR),
        (Array("DDS |\0\0\0".utf8), MediaType(rawValue: "image/x-dds")),
        ([0x59, 0xA6, 0x6A, 0x95], MediaType(rawValue: "image/x-sun-raster")),
        ([0x76, 0x2F, 0x31, 0x01, 0x02], MediaType(rawValue: "image/x-exr")),
    ]

    /// Recognises short signatures if the fields after them are plausible.
    private static func byHeader(_ source: BoundedSource) -> Finding? {
        let head = source.head
        if let type = JPEG2000.mediaType(head) { return Finding(type) }
        if isBitmap(head) { return Finding(.bmp) }
        if isIcon(head, type: 1, byteCount: source.byteCount) { return Finding("image/vnd.microsoft.icon") }
        if isIcon(head, type: 2, byteCount: source.byteCount) { return Finding("image/x-win-bitmap") }
        if isPCX(head) { return Finding("image/x-pcx") }
        if isSGI(head) { return Finding("image/x-sgi") }
        if isJPEGXLCodestream(head) { return Finding(.jpegXL) }
        return PortableAnymap.isOne(head) ? Finding(.portableAnymap) : nil
    }

    /// BITMAPFILEHEADER, then an information header of a known size.
    private static func isBitmap(_ head: Bytes) -> Bool {
        guard head.has("BM"), let size = head.little(UInt32.self, at: 14) else { return false }
        return [12, 16, 40, 52, 56, 64, 108, 124].contains(size)
    }

    /// ICONDIR: reserved 0, type 1 for icons and 2 for cursors, then entries; the first lies within the file.
    private static func isIcon(_ head: Bytes, type: UInt8, byteCount: Int64) -> Bool {
        guard head.has([0, 0, type, 0]), let count = head.little(UInt16.self, at: 4), (1...512).contains(count),
            head[9] == 0, let size = head.little(UInt32.self, at: 14), let offset = head.little(UInt32.self, at: 18)
        else { return false }
        return size > 0 && Int64(offset) >= 6 + 16 * Int64(count) && Int64(offset) < byteCount
    }

    /// Manufacturer 10, a known version, run-length encoding, plausible window and depth.
    private static func isPCX(_ head: Bytes) -> Bool {
        guard head[0] == 10, let version = head[1], [0, 2, 3, 4, 5].contains(version), head[2] == 1,
            let depth = head[3], [1, 2, 4, 8].contains(depth), let planes = head[65], (1...4).contains(planes),
            let left = head.little(UInt16.self, at: 4), let right = head.little(UInt16.self, at: 8),
            let top = head.little(UInt16.self, at: 6), let bottom = head.little(UInt16.self, at: 10)
        else { return false }
        return left <= right && top <= bottom
    }

    /// The SGI image format's magic, storage, bytes per channel and number of dimensions.
    private static func isSGI(_ head: Bytes) -> Bool {
        guard head.has([0x01, 0xDA]), let storage = head[2], let depth = head[3],
            let dimensions = head.big(UInt16.self, at: 4)
        else { return false }
        return storage <= 1 && (1...2).contains(depth) && (1...3).contains(dimensions)
    }

    /// Two bytes that begin no text (ISO/IEC 18181-1).
    private static func isJPEGXLCodestream(_ head: Bytes) -> Bool {
        head.has([0xFF, 0x0A]) && head.count >= 12
    }
}
