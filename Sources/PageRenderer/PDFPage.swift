internal import CPoppler
internal import Media

/// A page of an open document, and its size as shown; Poppler's handle is freed with it.
struct PDFPage: ~Copyable {
    private let handle: OpaquePointer

    /// The crop box, turned by the page's rotation.
    let size: PageSize

    /// - Parameter document: keeps itself alive for as long as one of its pages is.
    init(of document: OpaquePointer, at index: Int) throws(Failure) {
        guard let handle = poppler_document_get_page(document, Int32(index)) else {
            throw Failure(.corrupt, detail: "page \(index + 1) cannot be read; \(PopplerLog.lastWarning)")
        }
        self.init(handle: handle, size: try Self.size(of: handle))
    }

    private init(handle: OpaquePointer, size: PageSize) {
        self.handle = handle
        self.size = size
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Draws the page as a viewer shows it, annotations and form fields included, in points from its left upper corner.
    func draw(on context: OpaquePointer) { poppler_page_render(handle, context) }

    private static func size(of handle: OpaquePointer) throws(Failure) -> PageSize {
        var width = 0.0
        var height = 0.0
        poppler_page_get_size(handle, &width, &height)
        if let size = PageSize(width: width, height: height) { return size }
        g_object_unref(UnsafeMutableRawPointer(handle))
        throw Failure(.corrupt, detail: "the page measures \(width) × \(height) points")
    }
}
