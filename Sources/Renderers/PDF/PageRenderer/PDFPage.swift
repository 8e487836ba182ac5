internal import CPoppler
internal import Media

/// A page of an open document, and its size as shown; Poppler's handle is freed with it.
struct PDFPage: ~Copyable {
    private let handle: OpaquePointer

    /// The crop box, turned by the page's rotation.
    let size: PageSize

    /// - Parameter document: keeps itself alive for as long as one of its pages is.
    init(of document: OpaquePointer, at index: Int) throws(Failure) {
        // Poppler 25.03 may mend a damaged table of objects on its way to a page, and finds it there when asked again.
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

    /// Draws the page in points from its left upper corner, annotations and form fields included.
    func draw(on context: OpaquePointer, for purpose: Purpose) {
        switch purpose {
        case .screen: poppler_page_render(handle, context)
        case .print: poppler_page_render_for_printing(handle, context)
        }
    }

    /// What Poppler draws for.
    enum Purpose {
        /// As viewers show a page. Every image is unpacked whole, four bytes a pixel.
        case screen
        /// Images are reduced to 8,192 pixels a side while they are unpacked; annotations that are not to be printed are
        /// missing.
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
