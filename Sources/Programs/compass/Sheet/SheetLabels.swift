import Linux
import Media
import RenderHost

/// Draws the labels of a contact sheet as text in the system's fonts.
///
/// The host links no font library. The labels are one SVG drawing, which the renderer for drawings turns into pixels in
/// a confined child, as it does with any file.
struct SheetLabels {
    /// A line of text in the sheet.
    struct Label: Sendable {
        let text: String
        /// The label's area in the sheet; text beyond it is cut off.
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

    /// The labels on a transparent background.
    ///
    /// - Parameter size: the size of the drawing.
    /// - Throws: if the drawing cannot be rendered, or there is no font.
    func drawn(_ labels: [Label], size: PixelSize) throws(Failure) -> Bitmap {
        // Without fonts, letters are identical boxes or missing. Three letters below the labels show whether there are
        // any.
        let probes = ["i", "W", "i"].enumerated().map { index, letter in
            Label(
                text: letter,
                area: PixelArea(
                    x: index * Self.probeSide, y: size.height,
                    size: PixelSize(width: Self.probeSide, height: Self.probeSide)),
                colour: Colour(red: 0, green: 0, blue: 0))
        }
        let whole = PixelSize(width: size.width, height: size.height + Self.probeSide)
        let source = try Self.file(holding: Array(Self.svg(labels + probes, size: whole).utf8))
        let picture = RenderTask.Picture(
            box: Box(width: whole.width, height: whole.height)!, fit: .inside, gravity: .centre, enlarge: false)
        let task = RenderTask(mediaType: .svg, limits: limits, pictures: [picture])
        let bitmap = try host.perform(task, on: source, by: .svg).bitmaps[0]
        guard bitmap.size == whole, bitmap.hasAlpha, Self.hasLetters(probes, in: bitmap) else {
            throw Failure(
                .unsupported, message: "No font was found: install fonts-dejavu-core, for example.",
                detail: "the letters of a drawing look alike")
        }
        let labelArea = PixelArea(x: 0, y: 0, size: size)
        return Bitmap(width: size.width, height: size.height, channels: 4, bytes: Self.rows(of: labelArea, in: bitmap))
    }

    private static let probeSide = 20

    private static func hasLetters(_ probes: [Label], in bitmap: Bitmap) -> Bool {
        let letters = probes.map { rows(of: $0.area, in: bitmap) }
        return letters[0] == letters[2] && letters[0] != letters[1]
    }

    private static func rows(of area: PixelArea, in bitmap: Bitmap) -> [UInt8] {
        bitmap.withUnsafeBytes { bytes in
            (area.y..<area.y + area.size.height).flatMap { row in
                let start = row * bitmap.bytesPerRow + area.x * bitmap.channels
                return bytes[start..<start + area.size.width * bitmap.channels]
            }
        }
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

    /// Each label is its own viewport, which cuts off text that is wider than its estimate.
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
}
