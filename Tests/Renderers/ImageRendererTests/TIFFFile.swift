/// A TIFF (revision 6.0) written by the test itself: little-endian, a strip a page, no compression.
struct TIFFFile {
    struct Page {
        var width: Int
        var height: Int
        var samples: Int = 1
        var depth: Int = 8
        /// 1 unsigned, 2 signed, 3 floating point.
        var sampleFormat = 1
        /// Whether the last sample is alpha that colours are not weighted with.
        var hasAlpha = false
        /// 1 gray (black is 0), 2 RGB, 5 CMYK.
        var photometric: Int = 1
        var orientation: Int?
        /// An ICC profile (tag 34675).
        var profile: [UInt8] = []
        var pixels: [UInt8]
    }

    var pages: [Page]

    var bytes: [UInt8] {
        var file: [UInt8] = [0x49, 0x49, 42, 0]
        var linkOffset = file.count
        file.appendLittleEndian(UInt32(0))
        for page in pages {
            let stripOffset = file.count
            file += page.pixels
            let depthOffset = file.count
            for _ in 0..<page.samples { file.appendLittleEndian(UInt16(page.depth)) }
            let formatOffset = file.count
            for _ in 0..<page.samples { file.appendLittleEndian(UInt16(page.sampleFormat)) }
            let profileOffset = file.count
            file += page.profile
            if file.count % 2 == 1 { file.append(0) }
            Self.set(UInt32(file.count), at: linkOffset, in: &file)
            let entries = Self.entries(
                of: page, strip: stripOffset, depths: depthOffset, formats: formatOffset, profile: profileOffset)
            file.appendLittleEndian(UInt16(entries.count))
            for (tag, type, count, value) in entries {
                file.appendLittleEndian(UInt16(tag))
                file.appendLittleEndian(UInt16(type))
                file.appendLittleEndian(UInt32(count))
                file.appendLittleEndian(UInt32(value))
            }
            linkOffset = file.count
            file.appendLittleEndian(UInt32(0))
        }
        return file
    }

    /// Tag, type (3 short, 4 long), count, and the value or its place, in the order of tags.
    private static func entries(
        of page: Page, strip: Int, depths: Int, formats: Int, profile: Int
    ) -> [(Int, Int, Int, Int)] {
        var entries = [
            (256, 4, 1, page.width), (257, 4, 1, page.height),
            (258, 3, page.samples, page.samples > 2 ? depths : page.depth), (259, 3, 1, 1),
            (262, 3, 1, page.photometric), (273, 4, 1, strip),
        ]
        if let orientation = page.orientation { entries.append((274, 3, 1, orientation)) }
        entries += [(277, 3, 1, page.samples), (278, 4, 1, page.height), (279, 4, 1, page.pixels.count)]
        if page.hasAlpha { entries.append((338, 3, 1, 2)) }
        if page.sampleFormat != 1 {
            entries.append((339, 3, page.samples, page.samples > 2 ? formats : page.sampleFormat))
        }
        return page.profile.isEmpty ? entries : entries + [(34675, 7, page.profile.count, profile)]
    }

    private static func set(_ value: UInt32, at offset: Int, in file: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { file.replaceSubrange(offset..<offset + 4, with: $0) }
    }
}
