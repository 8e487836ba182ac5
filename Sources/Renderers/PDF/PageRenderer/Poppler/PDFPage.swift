internal import CPoppler
internal import Media

/// A page of an open document; Poppler's handle is freed with this value.
struct PDFPage: ~Copyable {
    private let handle: OpaquePointer

    /// The size of the crop box, after the page's rotation.
    let size: PageSize

    /// - Parameter document: Poppler's handle; each of its pages retains it.
    init(of document: OpaquePointer, at index: Int) throws(Failure) {
        // Poppler 25.03 may repair damaged cross-reference sections while it looks for a page: then the second call
        // finds the page.
        let number = Int32(index)
        let found: OpaquePointer? =
            poppler_document_get_page(document, number) ?? poppler_document_get_page(document, number)
        guard let handle = found else {
            throw Failure(.corrupt, detail: "page \(index + 1) cannot be read; \(PopplerLog.lastWarning)")
        }
        self.init(handle: handle, size: try Self.size(of: handle))
    }

    private init(handle: OpaquePointer, size: PageSize) {
        self.handle = handle
        self.size = size
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Draws the page with its annotations and form fields, in points from its upper left corner.
    func draw(on context: OpaquePointer, for purpose: Purpose) {
        switch purpose {
        case .screen: poppler_page_render(handle, context)
        case .print: poppler_page_render_for_printing(handle, context)
        }
    }

    /// The purpose for which Poppler draws a page.
    enum Purpose {
        /// The page as viewers show it. Poppler decodes every image at full size, at four bytes per pixel.
        case screen
        /// Poppler reduces images to 8,192 pixels per side while it decodes them, and omits annotations without the
        /// print flag.
        case print
    }

    private static func size(of handle: OpaquePointer) throws(Failure) -> PageSize {
        var width = 0.0
        var height = 0.0
        poppler_page_get_size(handle, &width, &height)
        if let size = PageSize(width: width, height: height) { return size }
        g_object_unref(UnsafeMutableRawPointer(handle))
        throw Failure(.corrupt, detail: "the page measures \(width) × \(height) points")
    }
}
