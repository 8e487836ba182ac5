internal import CPoppler
internal import Glibc
internal import Linux
internal import Media

/// A drawing of a part of a page, composited with white paper.
struct PageSurface: ~Copyable {
    private let canvas: CairoCanvas

    /// The part, in pixels of the scaled page.
    let area: PixelArea
    /// The whole page in pixels.
    let scaled: PixelSize

    /// Draws a part of a page.
    ///
    /// - Parameter splash: the same page for Splash, if cairo cannot draw its features.
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

    /// The number of bytes from one row to the next.
    var bytesPerRow: Int { canvas.bytesPerRow }

    /// Lends the pixels of a row: four bytes each in the order blue, green, red, unused.
    func withRow<Result>(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(canvas.pixels + row * canvas.bytesPerRow)
    }

    /// A drawing by Splash; `nil` if Splash cannot draw the part.
    private static func drawn(
        _ size: PageSize, _ splash: SplashPage, _ scaled: PixelSize, _ area: PixelArea
    ) throws(Failure) -> CairoCanvas? {
        guard let canvas = CairoCanvas(size: area.size) else { throw outOfMemory }
        let isDrawn = splash.draw(
            area, of: size, scaledTo: scaled, to: canvas.pixels, bytesPerRow: canvas.bytesPerRow)
        return isDrawn ? canvas : nil
    }

    /// A drawing by cairo. If an image does not fit into memory, Poppler omits it silently: then the page is drawn
    /// again with reduced images.
    private static func drawn(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea
    ) throws(Failure) -> CairoCanvas {
        if let canvas = try attempt(page, scaled, area, for: .screen) { return canvas }
        if let canvas = try attempt(page, scaled, area, for: .print) { return canvas }
        throw outOfMemory
    }

    /// A drawing; `nil` if memory ran out, of which `errno` is the only trace.
    private static func attempt(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea, for purpose: PDFPage.Purpose
    ) throws(Failure) -> CairoCanvas? {
        guard let canvas = CairoCanvas(size: area.size) else { throw outOfMemory }
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

    /// Composites the complete page with white paper. A page is an isolated group (ISO 32000-1, 11.4.7): its contents
    /// do not blend with the paper.
    private static func layPaper(under surface: OpaquePointer) {
        // A new context: a damaged page may leave its own context clipped, or inside an open group.
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
