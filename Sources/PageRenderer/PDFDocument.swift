internal import CPoppler
internal import Glibc
internal import Linux
internal import Media
internal import Rendering

/// An open document; Poppler's handle is freed with it.
struct PDFDocument: ~Copyable {
    private let handle: OpaquePointer

    /// How many pages the page tree claims; at least 1.
    let pageCount: Int

    /// Opens a document that needs no password: not encrypted, or with a user password that is empty.
    ///
    /// Poppler reads parts of the file as it needs them, with `pread`. A file that was cut off before its trailer is read
    /// into memory and gets one made from what is left of it.
    init(_ source: Source) throws(Failure) {
        do throws(Failure) {
            self.init(handle: try Self.checked(try Self.open(source)))
        } catch {
            guard error.code == .corrupt, let whole = try Self.recovered(source) else { throw error }
            self.init(handle: try Self.checked(try Self.open(whole)))
        }
    }

    /// Opens a document that is in memory.
    init(_ bytes: [UInt8]) throws(Failure) {
        self.init(handle: try Self.checked(try Self.open(bytes)))
    }

    private init(handle: OpaquePointer) {
        self.handle = handle
        pageCount = Int(poppler_document_get_n_pages(handle))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Keeps the document open till the process ends.
    func keepOpen() { g_object_ref(UnsafeMutableRawPointer(handle)) }

    /// What the document calls itself, or `nil`.
    var title: String? {
        guard let text = poppler_document_get_title(handle) else { return nil }
        defer { g_free(text) }
        let title = String(cString: text)
        return title.allSatisfy(\.isWhitespace) ? nil : title
    }

    /// The page at an index from 0.
    func page(at index: Int) throws(Failure) -> PDFPage {
        guard index < pageCount else {
            let pages = pageCount == 1 ? "1 page" : "\(pageCount) pages"
            throw Failure(.usage, message: "The document has \(pages); page \(index + 1) was asked for.")
        }
        return try PDFPage(of: handle, at: index)
    }

    private static func open(_ source: Source) throws(Failure) -> OpaquePointer {
        // Poppler closes what it is given, so it gets a descriptor of its own.
        let duplicate = dup(source.descriptor.number)
        guard duplicate >= 0 else { throw Failure(.unavailable, detail: "\(SystemError.last("dup"))") }
        return try opened { poppler_document_new_from_fd(duplicate, nil, &$0) }
    }

    /// Larger files are not searched for what is left: they have to fit into the child's memory.
    private static let longestRecovered: Int64 = 64 << 20

    /// The bytes of a document with a trailer of our own; `nil` where the file has one, or too little is left of it.
    private static func recovered(_ source: Source) throws(Failure) -> [UInt8]? {
        guard source.byteCount <= longestRecovered else { return nil }
        var bytes = try source.bytes(at: 0, count: Int(source.byteCount))
        guard let trailer = RecoveredTrailer(of: bytes.span.bytes) else { return nil }
        bytes += trailer.bytes
        return bytes
    }

    private static func open(_ bytes: [UInt8]) throws(Failure) -> OpaquePointer {
        let copy = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(copy) }
        return try opened { poppler_document_new_from_bytes(copy, nil, &$0) }
    }

    private static func opened(
        by open: (inout UnsafeMutablePointer<GError>?) -> OpaquePointer?
    ) throws(Failure) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        if let handle = open(&error) { return handle }
        defer { g_clear_error(&error) }
        throw failure(from: error?.pointee)
    }

    private static func checked(_ handle: OpaquePointer) throws(Failure) -> OpaquePointer {
        if poppler_document_get_n_pages(handle) > 0 { return handle }
        g_object_unref(UnsafeMutableRawPointer(handle))
        throw Failure(.corrupt, detail: "the document has no pages; \(PopplerLog.lastWarning)")
    }

    private static func failure(from error: GError?) -> Failure {
        guard let error else { return Failure(.corrupt, detail: PopplerLog.lastWarning) }
        let isPopplers = error.domain == poppler_error_quark()
        if isPopplers && error.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue) { return Failure(.encrypted) }
        return Failure(.corrupt, detail: "\(String(cString: error.message)); \(PopplerLog.lastWarning)")
    }
}
