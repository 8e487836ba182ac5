internal import CPoppler
internal import CSourceStream
internal import Formats
internal import Glibc
internal import Linux
internal import Media

/// A document open in Poppler; its handle is freed with this value.
struct PDFDocument: ~Copyable {
    private let handle: OpaquePointer
    /// The document's own objects; `nil` if its cross-reference sections are damaged.
    private let parsed: ParsedDocument?
    /// The file with an addition; `nil` if Poppler reads the source unchanged.
    private let file: UpdatedFile?

    /// The number of pages according to the page tree's `/Count`; at least 1.
    let pageCount: Int

    /// The strips of the requested page, if it is a scan cut into strips.
    var strips: ImageStrips? { parsed?.findings.strips }

    /// Opens a document that needs no password: unencrypted, or with an empty user password.
    ///
    /// Poppler reads parts of the file on demand, with `pread`. It reads two kinds of files from memory: files with an
    /// incremental update that rewrites objects which Poppler does not understand, and files truncated before their
    /// trailer, with a recovered trailer. It reads all kinds of files through a stream if the source lies elsewhere.
    ///
    /// - Parameter parsed: the document's own objects, with the findings about the page that will be requested.
    init(_ source: Source, _ parsed: ParsedDocument?) throws(Failure) {
        if let parsed,
            let update = IncrementalUpdate(parsed.findings.changes, of: parsed.objects, after: source.byteCount),
            let (handle, file) = try Self.opened(source, appending: update.bytes)
        {
            self.init(handle, parsed, file)
            return
        }
        do throws(Failure) {
            self.init(try Self.checked(try Self.open(source)), parsed, nil)
        } catch {
            guard error.code == .corrupt, let (handle, file) = try Self.recovered(source) else { throw error }
            self.init(handle, nil, file)
        }
    }

    /// The same document with smaller images on the page; `nil` if no image can be smaller.
    ///
    /// - Parameters:
    ///   - scale: pixels per point of the drawing.
    ///   - drawn: the whole page in pixels; `nil` if it is drawn at several sizes.
    ///   - threadCount: the number of threads that may decode an image.
    func lighter(_ source: Source, scale: Double, drawn: PixelSize?, threadCount: Int) -> PDFDocument? {
        // Strips end at pixel edges only at full size.
        guard let parsed, strips == nil,
            let file = try? LighterDocument.file(
                of: source, parsed, scale: scale, drawn: drawn, threadCount: threadCount),
            let handle = try? Self.checked(try Self.open(file))
        else { return nil }
        return PDFDocument(handle, parsed, file)
    }

    /// A feature of the requested page that only Splash draws correctly.
    var cairoGap: CairoGap? { parsed?.findings.cairoGap }

    /// The requested page, by its index, for Splash to draw; `nil` if cairo draws all features correctly.
    func splashPage(at index: Int, _ source: Source) throws(Failure) -> SplashPage? {
        guard cairoGap != nil else { return nil }
        if let file { return SplashPage(of: file, at: index) }
        return SplashPage(of: try UpdatedFile(source, appending: []), at: index)
    }

    /// Opens the file without an update, and without reading its objects.
    init(asItIs source: Source) throws(Failure) {
        self.init(try Self.checked(try Self.open(source)), nil, nil)
    }

    /// Opens a document in memory.
    init(_ bytes: [UInt8]) throws(Failure) {
        self.init(try Self.checked(try Self.open(bytes)), nil, nil)
    }

    private init(_ handle: OpaquePointer, _ parsed: ParsedDocument?, _ file: UpdatedFile?) {
        self.handle = handle
        self.parsed = parsed
        self.file = file
        pageCount = Int(poppler_document_get_n_pages(handle))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Keeps the document open until the process ends.
    func keepOpen() { g_object_ref(UnsafeMutableRawPointer(handle)) }

    /// The title of the document information dictionary; `nil` if it is missing or blank.
    var title: String? {
        guard let text = poppler_document_get_title(handle) else { return nil }
        defer { g_free(text) }
        let title = String(cString: text)
        return title.allSatisfy(\.isWhitespace) ? nil : title
    }

    /// The page at an index.
    func page(at index: Int) throws(Failure) -> PDFPage {
        guard index < pageCount else {
            let pages = pageCount == 1 ? "1 page" : "\(pageCount) pages"
            throw Failure(.usage, message: "The document has \(pages); page \(index + 1) was requested.")
        }
        return try PDFPage(of: handle, at: index)
    }

    private static func open(_ source: Source) throws(Failure) -> OpaquePointer {
        guard source.isComplete else { return try open(try UpdatedFile(source, appending: [])) }
        // Poppler closes the descriptor that it receives.
        let duplicate = dup(source.descriptor.number)
        guard duplicate >= 0 else { throw Failure(.unavailable, detail: "\(SystemError.last("dup"))") }
        return try opened { poppler_document_new_from_fd(duplicate, nil, &$0) }
    }

    /// Larger files are not recovered: the file and its copy must fit into the child's memory.
    static let maximumRecoveredLength: Int64 = 64 << 20

    /// A damaged document with a recovered trailer; `nil` if too little of it is left.
    private static func recovered(_ source: Source) throws(Failure) -> (OpaquePointer, UpdatedFile)? {
        guard source.byteCount <= maximumRecoveredLength else { return nil }
        let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
        for trailer in RecoveredTrailer.candidates(for: bytes) {
            if let opened = try opened(source, appending: trailer.bytes) { return opened }
        }
        return nil
    }

    /// A document with an addition to its file; `nil` if Poppler cannot open it.
    private static func opened(
        _ source: Source, appending addition: [UInt8]
    ) throws(Failure) -> (OpaquePointer, UpdatedFile)? {
        do throws(Failure) {
            let file = try UpdatedFile(source, appending: addition)
            return (try checked(try open(file)), file)
        } catch {
            if error.code == .corrupt { return nil }
            throw error
        }
    }

    /// - Parameter file: Poppler's `GBytes` or stream retains it.
    private static func open(_ file: UpdatedFile) throws(Failure) -> OpaquePointer {
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
            Unmanaged<UpdatedFile>.fromOpaque($0!).release()
        }
        let retained = Unmanaged.passRetained(file).toOpaque()
        guard let mapped = file.bytes else {
            let stream = csource_stream_new(file.byteCount, retained, UpdatedFile.reader, release)
            defer { g_object_unref(stream) }
            return try opened { poppler_document_new_from_stream(stream, goffset(file.byteCount), nil, nil, &$0) }
        }
        let bytes = g_bytes_new_with_free_func(mapped.baseAddress, gsize(mapped.count), release, retained)
        defer { g_bytes_unref(bytes) }
        return try opened { poppler_document_new_from_bytes(bytes, nil, &$0) }
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
        let isFromPoppler = error.domain == poppler_error_quark()
        if isFromPoppler && error.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue) { return Failure(.encrypted) }
        return Failure(.corrupt, detail: "\(String(cString: error.message)); \(PopplerLog.lastWarning)")
    }
}
