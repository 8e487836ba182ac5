internal import CPoppler
internal import Glibc
internal import Media

/// A part of a page, drawn: cairo's memory for it, freed with it.
struct PageSurface: ~Copyable {
    private let handle: OpaquePointer

    /// What part of the page it is, in pixels of the scaled page.
    let area: PixelArea
    /// The whole page at this scale.
    let scaled: PixelSize
    /// Bytes from one row to the next.
    let bytesPerRow: Int

    /// Draws a part of a page on white.
    init(of page: borrowing PDFPage, scaledTo scaled: PixelSize, cutTo area: PixelArea) throws(Failure) {
        self.init(handle: try Self.drawn(page, scaled, area), area: area, scaled: scaled)
    }

    private init(handle: OpaquePointer, area: PixelArea, scaled: PixelSize) {
        self.handle = handle
        self.area = area
        self.scaled = scaled
        bytesPerRow = Int(cairo_image_surface_get_stride(handle))
    }

    deinit { cairo_surface_destroy(handle) }

    /// Lends the pixels of a row: four bytes each in the order blue, green, red, nothing.
    func withRow<Result>(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(cairo_image_surface_get_data(handle) + row * bytesPerRow)
    }

    /// Draws once more, with reduced images, where an image did not fit into memory: Poppler leaves it out and says
    /// nothing.
    private static func drawn(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea
    ) throws(Failure) -> OpaquePointer {
        if let surface = try attempt(page, scaled, area, for: .screen) { return surface }
        if let surface = try attempt(page, scaled, area, for: .print) { return surface }
        throw outOfMemory
    }

    /// A drawing; `nil` where memory ran out meanwhile. cairo and the C library leave no other trace of that.
    private static func attempt(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea, for purpose: PDFPage.Purpose
    ) throws(Failure) -> OpaquePointer? {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(area.size.width), Int32(area.size.height))!
        let context = cairo_create(surface)!
        defer { cairo_destroy(context) }
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_translate(context, -Double(area.x), -Double(area.y))
        cairo_scale(context, Double(scaled.width) / page.size.width, Double(scaled.height) / page.size.height)
        errno = 0
        page.draw(on: context, for: purpose)
        let ranOut = errno == ENOMEM
        cairo_surface_flush(surface)
        let status = cairo_surface_status(surface)
        if status == CAIRO_STATUS_SUCCESS && !ranOut { return surface }
        cairo_surface_destroy(surface)
        if ranOut { return nil }
        throw status == CAIRO_STATUS_NO_MEMORY
            ? outOfMemory : Failure(.corrupt, detail: String(cString: cairo_status_to_string(status)))
    }

    private static var outOfMemory: Failure {
        Failure(.tooLarge, detail: "\(Failure.memoryDetail): the page does not fit into the memory that a file may use")
    }
}
