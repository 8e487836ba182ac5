import Formats
import Media
import VideoRenderer

/// The readers of still pictures that FFmpeg's own readers do not serve. FFmpeg's decoders are not instrumented.
enum StillTargets {
    static func photoshop(_ bytes: [UInt8]) throws(Broken) {
        guard isLogKept, let source = InMemory.source(bytes), let file = try? PhotoshopFile(source, limits) else {
            return
        }
        try check(try? file.picture())
    }

    static func icon(_ bytes: [UInt8]) throws(Broken) {
        guard isLogKept, let source = InMemory.source(bytes), let file = try? IconFile(source) else { return }
        try check(try? file.picture(limits))
    }

    private static func check(_ picture: StillPicture?) throws(Broken) {
        guard let picture else { return }
        try holds(
            UInt64(picture.size.pixelCount) <= limits.framePixelCount, "a picture over the limit: \(picture.size)")
        let small = PixelSize(width: 16, height: 16)
        guard let raster = try? picture.source.raster(small) else { return }
        try holds(raster.size == small, "a rendition of another size: \(raster.size)")
    }

    /// A limit of pixels so low that an input takes milliseconds.
    private static let limits: Limits = {
        var limits = Limits()
        limits.framePixelCount = 1 << 18
        return limits
    }()

    /// Whether a renderer captures FFmpeg's log, which would otherwise be printed.
    private static let isLogKept = (try? VideoRenderer(as: .video)) != nil
}

extension StillTargets {
    /// A document for each way of reading rows: plain, packed, large, with transparency, a palette, and each depth.
    static var photoshops: [[UInt8]] {
        let transparency = big(6, 4) + big(2, 4) + [0xFF, 0xFF]
        let largeTransparency = big(10, 8) + big(2, 8) + [0xFF, 0xFF]
        let palette = (0..<768).map { UInt8(truncatingIfNeeded: $0 * 5) }
        return [
            document(planeCount: 3, depth: 8, mode: 3), document(planeCount: 3, depth: 8, mode: 3, isPacked: true),
            document(planeCount: 4, depth: 8, mode: 3, layers: transparency),
            document(planeCount: 4, depth: 8, mode: 3, layers: largeTransparency, isLarge: true, isPacked: true),
            document(planeCount: 1, depth: 8, mode: 2, palette: palette), document(planeCount: 4, depth: 16, mode: 4),
            document(planeCount: 1, depth: 32, mode: 1), document(planeCount: 1, depth: 1, mode: 0, isPacked: true),
        ]
    }

    /// 40 × 30 pixels (Adobe Photoshop File Formats Specification, 2019).
    private static func document(
        planeCount: Int, depth: Int, mode: Int, palette: [UInt8] = [], layers: [UInt8] = [], isLarge: Bool = false,
        isPacked: Bool = false
    ) -> [UInt8] {
        let (width, height) = (40, 30)
        let header =
            Array("8BPS".utf8) + big(isLarge ? 2 : 1, 2) + big(0, 6) + big(planeCount, 2) + big(height, 4)
            + big(width, 4) + big(depth, 2) + big(mode, 2)
        let sections = big(palette.count, 4) + palette + big(0, 4) + (layers.isEmpty ? big(0, isLarge ? 8 : 4) : layers)
        let rowByteCount = (width * depth + 7) / 8
        let rows = (0..<planeCount * height).map { y in
            (0..<rowByteCount).map { UInt8(truncatingIfNeeded: $0 * 7 + y * 13) }
        }
        guard isPacked else { return header + sections + big(0, 2) + rows.joined() }
        // PackBits: a run of eight equal bytes, then the others as they stand.
        let packed = rows.map { row in
            let others = row.dropFirst(8)
            return others.isEmpty ? [UInt8(row.count - 1)] + row : [0xF9, row[0], UInt8(others.count - 1)] + others
        }
        let counts = packed.flatMap { big($0.count, isLarge ? 4 : 2) }
        return header + sections + big(1, 2) + counts + packed.joined()
    }

    /// An icon of bitmaps in three depths and of a PNG, and a cursor.
    static var icons: [[UInt8]] {
        let bitmaps = [1, 24, 32].map(bitmap)
        return [
            icon(bitmaps), icon([MadePicture(width: 48, height: 48).png(hasAlpha: true)] + bitmaps),
            icon([bitmap(depth: 8)], isCursor: true),
        ]
    }

    /// ICONDIR with an ICONDIRENTRY for each picture.
    private static func icon(_ pictures: [[UInt8]], isCursor: Bool = false) -> [UInt8] {
        var directory = [0, 0, isCursor ? 2 : 1, 0, UInt8(pictures.count), 0]
        var place = 6 + 16 * pictures.count
        for picture in pictures {
            directory += [32, 32, 0, 0, 1, 0, 24, 0] + little(picture.count) + little(place)
            place += picture.count
        }
        return directory + pictures.joined()
    }

    /// BITMAPINFOHEADER with twice the height, a palette, rows of 32 pixels, and a mask.
    private static func bitmap(depth: Int) -> [UInt8] {
        let side = 32
        let header = [40, side, side * 2, 1 | depth << 16, 0, 0, 0, 0, 0, 0].flatMap(little)
        let palette = depth > 8 ? [] : (0..<1 << depth).flatMap { little($0 * 0x05_0B07) }
        let pixels = (0..<side * side * depth / 8).map { UInt8(truncatingIfNeeded: depth == 32 ? $0 & 3 : $0) }
        let mask = (0..<side * 4).map { UInt8(truncatingIfNeeded: $0 * 3) }
        return header + palette + pixels + mask
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func little(_ value: Int) -> [UInt8] { big(value, 4).reversed() }
}
