internal import CPoppler
internal import Formats
internal import Glibc
internal import Linux
internal import Media
internal import Rendering

/// An open document; Poppler's handle is freed with it.
struct PDFDocument: ~Copyable {
    private let handle: OpaquePointer
    /// What the file's own tables say, where they are sound.
    private let tables: PDFTables?
    /// The file, where it is read in memory.
    private let file: UpdatedFile?

    /// How many pages the page tree claims; at least 1.
    let pageCount: Int

    /// The strips that the page asked for is made of, if it is.
    var strips: PDFStrips? { tables?.findings.strips }

    /// Opens a document that needs no password: not encrypted, or with a user password that is empty.
    ///
    /// Poppler reads parts of the file as it needs them, with `pread`. Two kinds of files it reads in memory, with something
    /// added: those in which something is said that it needs in other words, and those that were cut off before their
    /// trailer, which get one made from what is left.
    ///
    /// - Parameter tables: what the file's own say of the page that will be asked for, where they are sound.
    init(_ source: Source, _ tables: PDFTables?) throws(Failure) {
        if let tables, let update = PDFUpdate(tables.findings.changes, of: tables.objects, after: source.byteCount),
            let (handle, file) = try Self.opened(source, adding: update.bytes)
        {
            self.init(handle, tables, file)
            return
        }
        do throws(Failure) {
            self.init(try Self.checked(try Self.open(source)), tables, nil)
        } catch {
            guard error.code == .corrupt, let (handle, file) = try Self.recovered(source) else { throw error }
            self.init(handle, nil, file)
        }
    }

    /// The same document with smaller pictures on the page; `nil` where it has none that could be smaller, or is not plain.
    ///
    /// - Parameters:
    ///   - scale: pixels a point that the page is drawn with.
    ///   - drawn: the whole page in pixels; `nil` where it is drawn more than once.
    ///   - threadCount: how many threads may work on them.
    func lighter(_ source: Source, scale: Double, drawn: PixelSize?, threadCount: Int) -> PDFDocument? {
        // Strips end at pixels' edges only in their own size.
        guard let tables, strips == nil,
            let file = try? LighterDocument.file(
                of: source, tables, scale: scale, drawn: drawn, threadCount: threadCount),
            let handle = try? Self.checked(try Self.open(file))
        else { return nil }
        return PDFDocument(handle, tables, file)
    }

    /// What only Splash shows of the page asked for.
    var cairoGap: CairoGap? { tables?.findings.cairoGap }

    /// The page asked for, by its index, for Splash to draw; `nil` where cairo can show all that is on it.
    func splashPage(at index: Int, _ source: Source) throws(Failure) -> SplashPage? {
        guard cairoGap != nil else { return nil }
        if let file { return SplashPage(of: file, at: index) }
        return SplashPage(of: try UpdatedFile(source, adding: []), at: index)
    }

    /// Opens a document as it is: nothing is added to the file, and none of our own readers looks at it.
    init(asItIs source: Source) throws(Failure) {
        self.init(try Self.checked(try Self.open(source)), nil, nil)
    }

    /// Opens a document that is in memory.
    init(_ bytes: [UInt8]) throws(Failure) {
        self.init(try Self.checked(try Self.open(bytes)), nil, nil)
    }

    private init(_ handle: OpaquePointer, _ tables: PDFTables?, _ file: UpdatedFile?) {
        self.handle = handle
        self.tables = tables
        self.file = file
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

    /// What is left of a damaged document; `nil` where that is too little.
    private static func recovered(_ source: Source) throws(Failure) -> (OpaquePointer, UpdatedFile)? {
        guard source.byteCount <= longestRecovered else { return nil }
        let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
        for trailer in RecoveredTrailer.candidates(for: bytes) {
            if let opened = try opened(source, adding: trailer.bytes) { return opened }
        }
        return nil
    }

    /// A document whose file something is added to; `nil` where Poppler does not like that better.
    private static func opened(
        _ source: Source, adding addition: [UInt8]
    ) throws(Failure) -> (OpaquePointer, UpdatedFile)? {
        do throws(Failure) {
            let file = try UpdatedFile(source, adding: addition)
            return (try checked(try open(file)), file)
        } catch {
            if error.code == .corrupt { return nil }
            throw error
        }
    }

    /// - Parameter file: stays as long as Poppler needs it.
    private static func open(_ file: UpdatedFile) throws(Failure) -> OpaquePointer {
        let bytes = g_bytes_new_with_free_func(
            file.bytes.baseAddress, gsize(file.bytes.count),
            { Unmanaged<UpdatedFile>.fromOpaque($0!).release() }, Unmanaged.passRetained(file).toOpaque())
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
        let isPopplers = error.domain == poppler_error_quark()
        if isPopplers && error.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue) { return Failure(.encrypted) }
        return Failure(.corrupt, detail: "\(String(cString: error.message)); \(PopplerLog.lastWarning)")
    }
}
