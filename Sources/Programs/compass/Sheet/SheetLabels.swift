import Linux
import Media
import RenderHost

/// Draws the labels of a contact sheet as text in the system's fonts.
///
/// The host links no font library. The labels are one SVG drawing, which the renderer for drawings turns into pixels in a
/// confined child, as it does any file's.
struct SheetLabels {
    /// A line of text in the sheet.
    struct Label: Sendable {
        let text: String
        /// The label's place in the sheet; text beyond it is cut off.
        let area: PixelArea
        let colour: Colour
    }

    /// The size of the letters, in pixels.
    static let fontSize = 12

    private let host: RenderHost
    private let limits: Limits

    init(host: RenderHost, limits: Limits) {
        self.host = host
        self.limits = limits
        host.prepare(.svg)
    }

    /// The labels over a transparent ground.
    ///
    /// - Parameter size: the size of the drawing.
    /// - Throws: where the drawing cannot be rendered, or shows nothing, as without fonts.
    func drawn(_ labels: [Label], size: PixelSize) throws(Failure) -> Bitmap {
        let source = try Self.file(holding: Array(Self.svg(labels, size: size).utf8))
        let picture = RenderTask.Picture(
            box: Box(width: size.width, height: size.height)!, fit: .inside, gravity: .centre, enlarge: false)
        let task = RenderTask(mediaType: .svg, limits: limits, pictures: [picture])
        let bitmap = try host.perform(task, on: source, by: .svg).bitmaps[0]
        guard bitmap.size == size, Self.hasInk(bitmap) else {
            throw Failure(.unsupported, detail: "no font for the labels: install fonts-dejavu-core")
        }
        return bitmap
    }

    private static func file(holding bytes: [UInt8]) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            return try memoryFile(holding: bytes)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    private static func memoryFile(holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = try MemoryFile.create(name: "labels", byteCount: bytes.count)
        let mapping = try Mapping(of: file.number, byteCount: bytes.count, writable: true)
        mapping.bytes.copyBytes(from: bytes)
        return file
    }

    /// Each label is a viewport of its own, which cuts off what no estimate of a text's width foresees.
    static func svg(_ labels: [Label], size: PixelSize) -> String {
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(size.width)" height="\(size.height)" \
            font-family="sans-serif" font-size="\(fontSize)" text-anchor="middle">
            """
        for label in labels {
            let (area, colour) = (label.area, label.colour)
            let text = LabelText.shortened(label.text, toWidth: Double(area.size.width) / Double(fontSize))
            svg += """
                <svg x="\(area.x)" y="\(area.y)" width="\(area.size.width)" height="\(area.size.height)">\
                <text x="\(area.size.width / 2)" y="\(area.size.height / 2 + fontSize / 3)" \
                fill="rgb(\(colour.red),\(colour.green),\(colour.blue))">\(LabelText.escaped(text))</text></svg>
                """
        }
        return svg + "</svg>"
    }

    private static func hasInk(_ bitmap: Bitmap) -> Bool {
        guard bitmap.hasAlpha else { return true }
        return bitmap.withUnsafeBytes { bytes in
            (0..<bitmap.height).contains { row in
                (0..<bitmap.width).contains { bytes[row * bitmap.bytesPerRow + $0 * 4 + 3] != 0 }
            }
        }
    }
}
