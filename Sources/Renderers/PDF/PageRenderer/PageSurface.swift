internal import CPoppler
internal import Glibc
internal import Linux
internal import Media

/// A part of a page, composited with white paper.
struct PageSurface: ~Copyable {
    private let canvas: Canvas

    /// What part of the page it is, in pixels of the scaled page.
    let area: PixelArea
    /// The whole page at this scale.
    let scaled: PixelSize

    /// Draws a part of a page.
    ///
    /// - Parameter splash: the same page, where cairo cannot show all that is on it.
    init(
        of page: borrowing PDFPage, by splash: SplashPage? = nil, scaledTo scaled: PixelSize, cutTo area: PixelArea
    ) throws(Failure) {
        SystemFonts.finishLoading()
        self.area = area
        self.scaled = scaled
        if let splash, let canvas = try Self.drawn(page.size, splash, scaled, area) {
            self.canvas = canvas
        } else {
            canvas = try Self.drawn(page, scaled, area)
        }
    }

    /// Lends the pixels of a row: four bytes each in the order blue, green, red, nothing.
    func withRow<Result>(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(canvas.pixels + row * canvas.bytesPerRow)
    }

    /// A drawing by Splash; `nil` where it cannot.
    private static func drawn(
        _ size: PageSize, _ splash: SplashPage, _ scaled: PixelSize, _ area: PixelArea
    ) throws(Failure) -> Canvas? {
        guard let canvas = Canvas(size: area.size) else { throw outOfMemory }
        let isDrawn = splash.draw(
            area, of: size, scaledTo: scaled, to: canvas.pixels, bytesPerRow: canvas.bytesPerRow)
        return isDrawn ? canvas : nil
    }

    /// Draws once more, with reduced images, where an image did not fit into memory: Poppler leaves it out and says
    /// nothing.
    private static func drawn(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea
    ) throws(Failure) -> Canvas {
        if let canvas = try attempt(page, scaled, area, for: .screen) { return canvas }
        if let canvas = try attempt(page, scaled, area, for: .print) { return canvas }
        throw outOfMemory
    }

    /// A drawing; `nil` where memory ran out meanwhile. cairo and the C library leave no other trace of that.
    private static func attempt(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea, for purpose: PDFPage.Purpose
    ) throws(Failure) -> Canvas? {
        guard let canvas = Canvas(size: area.size) else { throw outOfMemory }
        let context = cairo_create(canvas.surface)!
        defer { cairo_destroy(context) }
        cairo_translate(context, -Double(area.x), -Double(area.y))
        cairo_scale(context, Double(scaled.width) / page.size.width, Double(scaled.height) / page.size.height)
        errno = 0
        page.draw(on: context, for: purpose)
        let ranOut = errno == ENOMEM
        layPaper(under: canvas.surface)
        cairo_surface_flush(canvas.surface)
        let status = cairo_surface_status(canvas.surface)
        if status == CAIRO_STATUS_SUCCESS { return ranOut ? nil : canvas }
        if ranOut { return nil }
        throw status == CAIRO_STATUS_NO_MEMORY
            ? outOfMemory : Failure(.corrupt, detail: String(cString: cairo_status_to_string(status)))
    }

    /// Composites the page with its paper when it is complete: a page is a group of its own, and what is drawn on it blends
    /// with nothing where nothing lies below (ISO 32000-1, 11.4.7).
    private static func layPaper(under surface: OpaquePointer) {
        // A context of its own: a damaged page may leave the other one clipped, or in a group that has no end.
        let context = cairo_create(surface)!
        defer { cairo_destroy(context) }
        cairo_set_operator(context, CAIRO_OPERATOR_DEST_OVER)
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
    }

    private static var outOfMemory: Failure {
        Failure(.tooLarge, detail: "\(Failure.memoryDetail): the page does not fit into the memory that a file may use")
    }
}

/// What cairo draws on: transparent at first, four bytes a pixel in the order blue, green, red, alpha, premultiplied.
private final class Canvas {
    let surface: OpaquePointer
    /// Bytes from one row to the next.
    let bytesPerRow: Int
    private let memory: Mapping

    var pixels: UnsafeMutablePointer<UInt8> { memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) }

    /// `nil` where there is not enough memory.
    init?(size: PixelSize) {
        let (width, height) = (Int32(size.width), Int32(size.height))
        bytesPerRow = Int(cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, width))
        guard let memory = try? Mapping(anonymousByteCount: bytesPerRow * size.height) else { return nil }
        self.memory = memory
        let pixels = memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_ARGB32, width, height, Int32(bytesPerRow))
    }

    deinit { cairo_surface_destroy(surface) }
}
