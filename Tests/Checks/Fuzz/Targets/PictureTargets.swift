import Media
import Thumbnailer

/// Sizes that a renderer reports, and placeholders.
enum PictureTargets {
    /// Width, height (32 bits each), the box's sides (16 bits each, 0 for an open one), then fit and flags.
    static func layout(_ bytes: [UInt8]) throws(Broken) {
        guard bytes.count >= 13 else { return }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        let source = PixelSize(width: number(0..<4) & 0x7FFF_FFFF, height: number(4..<8) & 0x7FFF_FFFF)
        let (width, height) = (number(8..<10), number(10..<12))
        guard source.width > 0, source.height > 0,
            let box = Box(width: width == 0 ? nil : width, height: height == 0 ? nil : height)
        else { return }
        let fit = Fit.allCases[Int(bytes[12] & 0x3F) % Fit.allCases.count]
        let layout = Layout(
            of: source, in: box, fit: fit, gravity: bytes[12] & 0x40 == 0 ? .centre : .top,
            enlarge: bytes[12] & 0x80 != 0)
        try check(layout, in: box)
    }

    private static func check(_ layout: Layout, in box: Box) throws(Broken) {
        let (scaled, cropped, canvas) = (layout.scaled, layout.cropped, layout.canvas)
        let text = "\(layout) in \(box)"
        try holds(min(cropped.width, cropped.height, scaled.width, scaled.height) >= 1, "nothing is left: \(text)")
        try holds(layout.cropX >= 0 && layout.cropX + cropped.width <= scaled.width, "a cut beyond the side: \(text)")
        try holds(layout.cropY >= 0 && layout.cropY + cropped.height <= scaled.height, "a cut below: \(text)")
        try holds(cropped.width <= box.bounds.width && cropped.height <= box.bounds.height, "over the box: \(text)")
        try holds(canvas.width <= box.bounds.width && canvas.height <= box.bounds.height, "a large canvas: \(text)")
        try holds(layout.originX >= 0 && layout.originX + cropped.width <= canvas.width, "beside the canvas: \(text)")
        try holds(layout.originY >= 0 && layout.originY + cropped.height <= canvas.height, "below the canvas: \(text)")
    }

    /// The bytes as a picture of up to 32 × 32 whose sides are the first two bytes.
    static func thumbhash(_ bytes: [UInt8]) throws(Broken) {
        guard bytes.count > 2 else { return }
        let (width, height) = (Int(bytes[0]) % 32 + 1, Int(bytes[1]) % 32 + 1)
        let channels = bytes[0] & 0x80 == 0 ? 3 : 4
        let pixels = (0..<width * height * channels).map { bytes[2 + $0 % (bytes.count - 2)] }
        let hash = ThumbHash.bytes(of: Bitmap(width: width, height: height, channels: channels, bytes: pixels))
        try holds((5...25).contains(hash.count), "a hash of \(hash.count) bytes")
    }
}

extension PictureTargets {
    static var layouts: [[UInt8]] {
        [
            [0, 0, 7, 128, 0, 0, 4, 56, 2, 128, 1, 104, 1], [0, 0, 0, 1, 127, 255, 255, 255, 0, 240, 0, 180, 0x81],
            [127, 255, 255, 255, 0, 0, 0, 1, 0, 0, 62, 128, 0x82], [0, 0, 0, 3, 0, 0, 0, 5, 0, 9, 0, 0, 0x40],
        ]
    }

    static var hashes: [[UInt8]] {
        let plain = (0..<32 * 20 * 3).map { UInt8($0 * 7 & 255) }
        let clear = (0..<12 * 12 * 4).map { UInt8($0 * 5 & 255) }
        return [[31, 19] + plain.prefix(64), [0x8B, 11] + clear.prefix(64)]
    }
}
