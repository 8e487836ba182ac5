internal import CPopplerCore
internal import Formats
internal import Media

/// A document open in Poppler's core to read texts; its handle is freed with this value.
///
/// It loads nothing that only a drawing needs: no fonts of the machine, no images.
struct TextDocument: ~Copyable {
    private let handle: OpaquePointer
    /// The file that the handle reads.
    private let file: UpdatedFile

    /// The number of pages according to the page tree; at least 1.
    var pageCount: Int { Int(poppler_core_page_count(handle)) }

    /// Opens a document as for a drawing: with the incremental update that shows or hides the same content as other
    /// viewers, unchanged, or with a recovered trailer.
    ///
    /// - Parameter parsed: the document's own objects, with the findings about the page that will be requested.
    init(_ source: Source, _ parsed: ParsedDocument?) throws(Failure) {
        if let parsed,
            let update = IncrementalUpdate(parsed.findings.changes, of: parsed.objects, after: source.byteCount)
        {
            let file = try UpdatedFile(source, appending: update.bytes)
            if let handle = try? Self.open(file) {
                self.init(handle, file)
                return
            }
        }
        let file = try UpdatedFile(source, appending: [])
        do throws(Failure) {
            self.init(try Self.open(file), file)
        } catch {
            guard error.code == .corrupt, let (handle, file) = try Self.recovered(source) else { throw error }
            self.init(handle, file)
        }
    }

    private init(_ handle: OpaquePointer, _ file: UpdatedFile) {
        self.handle = handle
        self.file = file
    }

    deinit { poppler_core_close(handle) }

    /// The text of a page.
    func text(ofPageAt index: Int) throws(Failure) -> PageText {
        guard index < pageCount else {
            let pages = pageCount == 1 ? "1 page" : "\(pageCount) pages"
            throw Failure(.usage, message: "The document has \(pages); page \(index + 1) was requested.")
        }
        var collected = CollectedWords()
        var (width, height) = (0.0, 0.0)
        var isCut: Int32 = 0
        let result = withUnsafeMutablePointer(to: &collected) { collected in
            poppler_core_read_words(
                handle, Int32(index), Self.mostCharacters, &width, &height, &isCut, collected,
                { collected, word in
                    collected!.assumingMemoryBound(to: CollectedWords.self).pointee.add(word!.pointee)
                })
        }
        guard result == 0 else {
            throw Failure(.corrupt, detail: "page \(index + 1) cannot be read; \(Self.lastWarning)")
        }
        guard let size = PageSize(width: width, height: height) else {
            throw Failure(.corrupt, detail: "the page measures \(width) × \(height) points")
        }
        return PageText(
            pageIndex: index, pageCount: pageCount, width: size.width, height: size.height, words: collected.words,
            isCut: isCut != 0 || collected.isCut)
    }

    /// The maximum number of characters read from a page: half a million in regular lines take less than a second to
    /// sort.
    private static let mostCharacters: Int32 = 500_000

    private static var lastWarning: String { String(cString: poppler_core_warning()) }

    private static func open(_ file: UpdatedFile) throws(Failure) -> OpaquePointer {
        var isEncrypted: Int32 = 0
        var core = file.core
        if let handle = poppler_core_open(&core, &isEncrypted) {
            if poppler_core_page_count(handle) > 0 { return handle }
            poppler_core_close(handle)
            throw Failure(.corrupt, detail: "the document has no pages; \(lastWarning)")
        }
        if isEncrypted != 0 { throw Failure(.encrypted) }
        throw Failure(.corrupt, detail: lastWarning)
    }

    private static func recovered(_ source: Source) throws(Failure) -> (OpaquePointer, UpdatedFile)? {
        guard source.byteCount <= PDFDocument.maximumRecoveredLength else { return nil }
        let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
        for trailer in RecoveredTrailer.candidates(for: bytes) {
            let file = try UpdatedFile(source, appending: trailer.bytes)
            if let handle = try? open(file) { return (handle, file) }
        }
        return nil
    }
}
