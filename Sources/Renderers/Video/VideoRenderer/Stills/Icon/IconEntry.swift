internal import Formats
internal import Media

/// One picture of an icon, described by its own header: a PNG, or a bitmap without BITMAPFILEHEADER, whose height also
/// counts the rows of a mask after its pixels.
struct IconEntry {
    let size: PixelSize
    /// The bits of a pixel.
    let depth: Int
    let isPNG: Bool
    private let range: Range<Int64>
    /// The number of bytes before a bitmap's pixels.
    private let headerByteCount: Int
    private let isTopDown: Bool

    /// Reads a picture's header; `nil` if no picture begins there.
    ///
    /// - Parameter range: the range that the directory states.
    /// - Throws: `corrupt` if the file cannot be read.
    init?(_ range: Range<Int64>, in source: Source) throws(Failure) {
        let head = try source.bytes(at: range.lowerBound, count: min(40, range.count))
        if head.count >= 33, head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(png: head, range)
        } else if head.count == 40, Self.headerSizes.contains(head.little32(at: 0)) {
            // A bitmap's length follows from its header; the length in directories may be wrong.
            self.init(bitmap: head, range.lowerBound..<source.byteCount)
        } else {
            return nil
        }
    }

    /// The sizes of BITMAPINFOHEADER and its successors.
    private static let headerSizes: [UInt32] = [40, 52, 56, 64, 108, 124]
    private static let sides = 1...65_535

    private init?(png head: [UInt8], _ range: Range<Int64>) {
        let (width, height) = (Int(head.big32(at: 16)), Int(head.big32(at: 20)))
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        size = PixelSize(width: width, height: height)
        // The channels of each colour type (ISO/IEC 15948, 11.2.2).
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(head[25])] ?? 1
        depth = Int(head[24]) * channels
        isPNG = true
        isTopDown = true
        headerByteCount = 0
        self.range = range
    }

    private init?(bitmap head: [UInt8], _ range: Range<Int64>) {
        let width = Int(head.little32(at: 4))
        let height = Int32(bitPattern: head.little32(at: 8))
        depth = Int(head.little16(at: 14))
        guard Self.sides.contains(width), Self.sides.contains(Int(height.magnitude / 2)),
            [1, 4, 8, 16, 24, 32].contains(depth)
        else { return nil }
        size = PixelSize(width: width, height: Int(height.magnitude / 2))
        isTopDown = height < 0
        isPNG = false
        let stated = Int(head.little32(at: 32))
        let colours = depth > 8 ? 0 : (1...1 << depth).contains(stated) ? stated : 1 << depth
        // With BI_BITFIELDS, three masks follow the shortest header.
        let masks = head.little32(at: 0) == 40 && head.little32(at: 16) == 3 ? 12 : 0
        headerByteCount = Int(head.little32(at: 0)) + masks + colours * 4
        self.range = range
    }

    private func rowByteCount(depth: Int) -> Int { (size.width * depth + 31) / 32 * 4 }

    private var pixelByteCount: Int { rowByteCount(depth: depth) * size.height }
}

extension IconEntry {
    /// The picture as a PNG or BMP file, for FFmpeg's decoder.
    ///
    /// - Throws: `corrupt` if it is truncated, `tooLarge` over the limit on bytes read.
    func packet(from source: Source, _ limits: Limits) throws(Failure) -> Packet {
        if isPNG { return try Packet(of: source, range, limits: limits) }
        let end = range.lowerBound + Int64(headerByteCount + pixelByteCount)
        guard end <= range.upperBound else { throw Failure(.corrupt, detail: "the icon's bitmap is truncated") }
        // A BITMAPFILEHEADER precedes the header, whose height no longer counts the mask.
        var head = try source.bytes(at: range.lowerBound, count: 12)
        guard head.count == 12 else { throw Failure(.corrupt, detail: "the icon's bitmap is truncated") }
        let height = UInt32(bitPattern: Int32(isTopDown ? -size.height : size.height))
        head.replaceSubrange(8..<12, with: height.littleEndianBytes)
        let whole = UInt32(clamping: 14 + headerByteCount + pixelByteCount)
        let file =
            [0x42, 0x4D] + whole.littleEndianBytes + [0, 0, 0, 0]
            + UInt32(14 + headerByteCount).littleEndianBytes
        return try Packet(file + head, of: source, range.lowerBound + 12..<end, limits: limits)
    }

    /// The alpha of each pixel from the bitmap's mask; `nil` if there is none.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    func mask(from source: Source) throws(Failure) -> [UInt8]? {
        if isPNG { return nil }
        let rowBytes = rowByteCount(depth: 1)
        let place = range.lowerBound + Int64(headerByteCount + pixelByteCount)
        let bytes = try source.bytes(at: place, count: rowBytes * size.height)
        guard bytes.count == rowBytes * size.height else { return nil }
        var alpha = [UInt8](repeating: 255, count: size.pixelCount)
        for y in 0..<size.height {
            let row = (isTopDown ? y : size.height - 1 - y) * rowBytes
            for x in 0..<size.width where bytes[row + x / 8] & 0x80 >> (x % 8) != 0 { alpha[y * size.width + x] = 0 }
        }
        return alpha
    }
}
