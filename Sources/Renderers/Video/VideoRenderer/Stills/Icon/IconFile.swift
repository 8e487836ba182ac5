internal import CFFmpeg
package import Formats
package import Media

/// A Windows icon or cursor: one image in several sizes, each a PNG or a bitmap without BITMAPFILEHEADER.
///
/// Sizes and depths come from the pictures' own headers. The values in the directory are often wrong, and a cursor has
/// other fields in their place.
package struct IconFile {
    /// The entries with the largest picture first; among equally large pictures, the one with the most colours first.
    private let entries: [IconEntry]
    private let source: Source

    /// Reads the directory and the pictures' headers.
    ///
    /// - Throws: `corrupt` if the file has no picture.
    package init(_ source: Source) throws(Failure) {
        self.source = source
        let head = try source.bytes(at: 0, count: 6 + 16 * Self.entryLimit)
        let count = head.count < 6 ? 0 : min(Int(head.little16(at: 4)), (head.count - 6) / 16)
        var entries: [IconEntry] = []
        for place in (0..<count).map({ 6 + 16 * $0 }) {
            let byteCount = Int64(head.little32(at: place + 8))
            let start = Int64(head.little32(at: place + 12))
            guard start < source.byteCount else { continue }
            let range = start..<min(start + byteCount, source.byteCount)
            if let entry = try IconEntry(range, in: source) { entries.append(entry) }
        }
        guard !entries.isEmpty else { throw Failure(.corrupt, detail: "no picture in the icon's directory") }
        self.entries = entries.sorted { ($0.size.pixelCount, $0.depth) > ($1.size.pixelCount, $1.depth) }
    }

    /// More entries than any icon has; further entries are ignored.
    private static let entryLimit = 512
    /// The maximum number of pictures to decode until one is undamaged.
    private static let decodingLimit = 4

    /// Decodes the best undamaged picture.
    ///
    /// - Throws: the failure of the best picture.
    package func picture(_ limits: Limits) throws(Failure) -> StillPicture {
        var failure: Failure?
        for entry in entries.prefix(Self.decodingLimit) {
            do throws(Failure) {
                return try picture(entry, limits)
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? Failure(.corrupt, detail: "no picture")
    }

    private func picture(_ entry: IconEntry, _ limits: Limits) throws(Failure) -> StillPicture {
        try Decoder.check(entry.size, limits)
        let decoder = try Decoder(for: entry.isPNG ? AV_CODEC_ID_PNG : AV_CODEC_ID_BMP, limits: limits)
        let frame = try decoder.onlyFrame(of: entry.packet(from: source, limits))
        let whole = try Rasterizer(frame, storedSize: frame.size, limits: limits).raster(frame.size)
        let mask = whole.isOpaque ? try entry.mask(from: source) : nil
        let raster = mask.map { whole.with(alpha: $0) } ?? whole
        let words = "FFmpeg's \(decoder.name): the largest of \(entries.count) pictures"
        return StillPicture(
            source: raster, size: raster.size, colour: ColourDescription(hasAlpha: !raster.isOpaque, isGray: false),
            decoderNote: mask == nil ? words : "\(words), with its mask",
            colourNote: { frame.colourWords(storedSize: frame.size) })
    }
}

extension Raster {
    /// The same colours with other alpha values, one for each pixel.
    fileprivate func with(alpha: [UInt8]) -> Raster {
        guard alpha.count == size.pixelCount else { return self }
        var result = with(channels: 4)
        for pixel in alpha.indices { result.bytes[pixel * 4 + 3] = alpha[pixel] }
        return result
    }
}
