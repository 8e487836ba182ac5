import Linux
import Media
import PlainRenderer
import Rendering
import Wire

/// The renderer of plain JPEGs and PNGs: its reading of headers, tables and rows, and its own resizing. libjpeg-turbo
/// and ISA-L are not instrumented.
package enum PlainTargets {
    /// Small pictures only; the deadline bounds the time of large ones.
    private static let largestPixelCount: UInt64 = 1 << 20

    static func jpeg(_ bytes: [UInt8]) throws(Broken) { try picture(bytes, .jpeg) }

    static func png(_ bytes: [UInt8]) throws(Broken) { try picture(bytes, .png) }

    /// The renderer's note on how it decoded a JPEG; `nil` if it did not.
    package static func decoder(ofJPEG bytes: [UInt8]) throws(Broken) -> String? {
        let notebook = Notebook(since: .zero)
        try picture(bytes, .jpeg, notebook)
        return notebook.notes.notes.first { $0.topic == .decoder }?.text
    }

    /// The last byte chooses between a small and a larger rendition: the reader of JPEGs has a path for each.
    private static func picture(
        _ bytes: [UInt8], _ mediaType: MediaType, _ notebook: Notebook? = nil
    ) throws(Broken) {
        guard let source = InMemory.source(bytes), let renderer = try? PlainRenderer(as: .plain) else { return }
        let box = bytes.last.map { $0 & 1 } == 1 ? Box(width: 48, height: 36)! : Box(width: 160, height: 120)!
        let target = RenderTarget(
            box: box, fit: .cover, gravity: .centre, enlarge: false, offset: 0, byteCount: box.bounds.pixelCount * 4)
        var limits = Limits()
        limits.streamedPixelCount = largestPixelCount
        limits.wholePixelCount = largestPixelCount
        let request = RenderRequest(taskID: 1, mediaType: mediaType, limits: limits, threadCount: 2, targets: [target])
        guard let memory = try? Mapping(anonymousByteCount: target.byteCount),
            case .rendered(_, let pixels) = try? renderer.render(
                RenderJob(request: request, source: source, memory: memory, notebook: notebook))
        else { return }
        try holds(pixels.count == 1, "\(pixels.count) renditions for one target")
        try holds(pixels[0].byteCount <= target.byteCount, "pixels beyond the box")
    }

    /// A zero after the picture chooses the larger rendition.
    static var jpegs: [[UInt8]] {
        let whole = [
            MadePicture(width: 24, height: 16).jpeg(), MadePicture(width: 24, height: 16).jpeg(isProgressive: true),
            MadePicture(width: 240, height: 180).jpeg(), MadePicture(width: 480, height: 360).jpeg(),
            MadePicture(width: 480, height: 360).jpeg(isProgressive: true),
        ]
        return whole + whole.map { $0 + [0] }
    }

    static var pngs: [[UInt8]] {
        [
            MadePicture(width: 24, height: 16).png(hasAlpha: false),
            MadePicture(width: 24, height: 16).png(hasAlpha: true),
            MadePicture(width: 288, height: 216).png(hasAlpha: false),
        ]
    }
}
