internal import CFFmpeg
package import Formats
package import Media

/// A Windows icon or cursor: pictures of one thing in several sizes, each a PNG or a bitmap without its file's header.
///
/// The directory's own words on sizes and depths are not believed: a cursor's stand for something else, and others lie. What
/// counts is each picture's header.
package struct IconFile {
    /// The best first: the largest, and of these the one of the most colours.
    private let entries: [IconEntry]
    private let source: Source

    /// - Throws: `corrupt` where no picture lies in the file.
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

    /// More than any icon has; the rest is not looked at.
    private static let entryLimit = 512
    /// So many pictures are tried where the better ones are damaged.
    private static let attemptLimit = 4

    /// The best picture that is sound.
    ///
    /// - Throws: what the best one failed with.
    package func picture(_ limits: Limits) throws(Failure) -> StillPicture {
        var failure: Failure?
        for entry in entries.prefix(Self.attemptLimit) {
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
    /// The same colours with another transparency.
    ///
    /// - Parameter alpha: of each pixel.
    fileprivate func with(alpha: [UInt8]) -> Raster {
        guard alpha.count == size.pixelCount else { return self }
        var result = with(channels: 4)
        for pixel in alpha.indices { result.bytes[pixel * 4 + 3] = alpha[pixel] }
        return result
    }
}
