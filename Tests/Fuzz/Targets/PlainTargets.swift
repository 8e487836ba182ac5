import Encoding
import Linux
import Media
import PlainRenderer
import Rendering
import Wire

/// The renderer of plain JPEGs and PNGs: its reading of headers, tables and rows, and its own resizing. libjpeg-turbo and ISA-L are not
/// instrumented.
enum PlainTargets {
    /// Small pictures only: what a large one takes is the deadline's business.
    private static let largestPixelCount: UInt64 = 1 << 20

    static func jpeg(_ bytes: [UInt8]) throws(Broken) { try picture(bytes, .jpeg) }

    static func png(_ bytes: [UInt8]) throws(Broken) { try picture(bytes, .png) }

    private static func picture(_ bytes: [UInt8], _ mediaType: MediaType) throws(Broken) {
        guard let source = InMemory.source(bytes), let renderer = try? PlainRenderer(as: .image) else { return }
        let box = Box(width: 48, height: 36)!
        let target = RenderTarget(
            box: box, fit: .cover, gravity: .centre, enlarge: false, offset: 0, byteCount: box.bounds.pixelCount * 4)
        var limits = Limits()
        limits.streamedPixelCount = largestPixelCount
        limits.wholePixelCount = largestPixelCount
        let request = RenderRequest(jobID: 1, mediaType: mediaType, limits: limits, targets: [target])
        guard let memory = try? Mapping(anonymousByteCount: target.byteCount),
            case .rendered(_, let pixels) = try? renderer.render(
                RenderJob(request: request, source: source, memory: memory))
        else { return }
        try holds(pixels.count == 1, "\(pixels.count) renditions for one target")
        try holds(pixels[0].byteCount <= target.byteCount, "pixels beyond the box")
    }

    static var jpegs: [[UInt8]] { encoded(channels: 3, .jpeg) }

    static var pngs: [[UInt8]] { encoded(channels: 3, .png) + encoded(channels: 4, .png) }

    /// Made by our own encoder.
    private static func encoded(channels: Int, _ format: Recipe.Format) -> [[UInt8]] {
        let pixels = (0..<24 * 16 * channels).map { UInt8($0 * 11 & 255) }
        let bitmap = Bitmap(width: 24, height: 16, channels: channels, bytes: pixels)
        let recipe = Recipe(box: Box(width: 24, height: 16)!, fit: .inside, format: format)
        return [try? Encoder.encode(bitmap, for: recipe).bytes].compactMap { $0 }
    }
}
