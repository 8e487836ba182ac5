internal import CPoppler
internal import Glibc
internal import Linux
internal import Media

/// A part of a page, drawn: a cairo surface and the memory under it.
struct PageSurface: ~Copyable {
    private let canvas: Canvas

    /// What part of the page it is, in pixels of the scaled page.
    let area: PixelArea
    /// The whole page at this scale.
    let scaled: PixelSize
    /// Draws a part of a page on white.
    init(of page: borrowing PDFPage, scaledTo scaled: PixelSize, cutTo area: PixelArea) throws(Failure) {
        canvas = try Self.drawn(page, scaled, area)
        self.area = area
        self.scaled = scaled
    }

    /// Lends the pixels of a row: four bytes each in the order blue, green, red, nothing.
    func withRow<Result>(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        body(canvas.pixels + row * canvas.bytesPerRow)
    }

    /// Draws once more, with reduced images, where an image did not fit into memory: Poppler leaves it out and says
    /// nothing.
    private static func drawn(
        _ page: borrowing PDFPage, _ scaled: PixelSize, _ area: PixelArea
    ) throws(Failure) -> Canvas {
        SystemFonts.finishLoading()
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
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_translate(context, -Double(area.x), -Double(area.y))
        cairo_scale(context, Double(scaled.width) / page.size.width, Double(scaled.height) / page.size.height)
        errno = 0
        page.draw(on: context, for: purpose)
        let ranOut = errno == ENOMEM
        cairo_surface_flush(canvas.surface)
        let status = cairo_surface_status(canvas.surface)
        if status == CAIRO_STATUS_SUCCESS { return ranOut ? nil : canvas }
        if ranOut { return nil }
        throw status == CAIRO_STATUS_NO_MEMORY
            ? outOfMemory : Failure(.corrupt, detail: String(cString: cairo_status_to_string(status)))
    }

    private static var outOfMemory: Failure {
        Failure(.tooLarge, detail: "\(Failure.memoryDetail): the page does not fit into the memory that a file may use")
    }
}

/// What cairo draws on.
private final class Canvas {
    let surface: OpaquePointer
    /// Bytes from one row to the next.
    let bytesPerRow: Int
    private let memory: Mapping

    var pixels: UnsafePointer<UInt8> {
        UnsafePointer(memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self))
    }

    /// `nil` where there is not enough memory.
    init?(size: PixelSize) {
        let (width, height) = (Int32(size.width), Int32(size.height))
        bytesPerRow = Int(cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, width))
        guard let memory = try? Mapping(anonymousByteCount: bytesPerRow * size.height) else { return nil }
        self.memory = memory
        let pixels = memory.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        surface = cairo_image_surface_create_for_data(pixels, CAIRO_FORMAT_RGB24, width, height, Int32(bytesPerRow))
    }

    deinit { cairo_surface_destroy(surface) }
}
