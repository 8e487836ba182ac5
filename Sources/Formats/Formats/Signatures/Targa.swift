/// Truevision TGA, which has no signature: the header's fields must be consistent, or version 2's footer present.
enum Targa {
    /// Whether a source may be a TGA file.
    static func isPlausible(_ source: BoundedSource) -> Bool {
        let head = source.head
        guard let tail = (try? source.tail(26))?.bytes, let mapType = head[1], let imageType = head[2],
            let width = head.little(UInt16.self, at: 12), let height = head.little(UInt16.self, at: 14),
            let depth = head[16], let descriptor = head[17]
        else { return false }
        let isSound =
            mapType <= 1 && [1, 2, 3, 9, 10, 11].contains(imageType) && width > 0 && height > 0
            && [8, 15, 16, 24, 32].contains(depth) && descriptor & 0xC0 == 0
        return isSound
            && (tail.has("TRUEVISION-XFILE.\0", at: 8) || fits(source.byteCount, imageType, width, height, depth))
    }

    /// Whether the file is long enough for its pixels, if they are uncompressed.
    private static func fits(_ byteCount: Int64, _ imageType: UInt8, _ width: UInt16, _ height: UInt16, _ depth: UInt8)
        -> Bool
    {
        imageType > 8 || byteCount >= 18 + Int64(width) * Int64(height) * Int64((depth + 7) / 8)
    }
}
