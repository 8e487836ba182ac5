public import Media
public import RenderHost
public import SourceFiles
internal import Wire

// `sniff(_:)` gives the media type of a source; its `textClass` says which of these can read it.
extension Thumbnailer {
    /// The text of a page of a PDF, from the cache or read now by the page's own child.
    ///
    /// If several threads and processes want the same text, one reads it. A page without words is drawn, and recognised
    /// in a child that sees only the drawing.
    /// - Parameters:
    ///   - pageIndex: the page, from 0.
    ///   - knownDigest: the source's digest, if the caller has just computed it from the same open file, or is sure of
    ///     it.
    ///   - isForced: whether it is read again from scratch, whatever the cache has.
    ///   - cancellation: ends the work early.
    /// - Throws: `unsupported` if the source is not a PDF, `usage` if it has no such page, otherwise the failures of a
    ///   picture of the page.
    public func text(
        of source: SourceFile, page pageIndex: Int, knownDigest: Digest? = nil, isForced: Bool = false,
        cancellation: Cancellation? = nil
    ) throws(Failure) -> PageText {
        try texts(
            of: source, from: pageIndex, atMost: 1, knownDigest: knownDigest, isForced: isForced,
            cancellation: cancellation)[0]
    }

    /// The texts of a page and the pages after it, as many as one child reads within a short time: at least the page's
    /// own.
    ///
    /// - Parameters:
    ///   - pageIndex: the page, from 0.
    ///   - count: the maximum number of pages, from 1; values above 128 count as 128.
    /// - Throws: as `text`, for the page itself.
    public func texts(
        of source: SourceFile, from pageIndex: Int, atMost count: Int, knownDigest: Digest? = nil,
        isForced: Bool = false,
        cancellation: Cancellation? = nil
    ) throws(Failure) -> [PageText] {
        precondition(pageIndex >= 0, "pages are counted from 0")
        // The page's number is transmitted in 32 bits.
        guard pageIndex < Int32.max else { throw Failure(.usage, message: "The page number is too large.") }
        let order = Order(recipes: [], isForced: isForced, cancellation: cancellation)
        let further = min(count, PageSeries.mostPages) - 1
        let (text, pages) = try text(of: source, .page(pageIndex), knownDigest, order, furtherPageCount: further)
        guard case .page(let first) = text else { preconditionFailure("a run for a page gives a page") }
        return [first] + pages
    }

    /// The text of a document without fixed lines, from the cache or read now by its own child: DOCX, DOC, RTF, ODT, or
    /// plain text (`MediaType.textClass` is `.text`).
    ///
    /// If several threads and processes want the same text, one reads it. Nothing that the document embeds, refers to
    /// or contains as a program is opened, followed or run.
    /// - Parameters:
    ///   - knownDigest: the source's digest, if the caller has just computed it from the same open file, or is sure of
    ///     it.
    ///   - isForced: whether it is read again from scratch, whatever the cache has.
    ///   - cancellation: ends the work early.
    /// - Throws: `unsupported` if the source is of another type, including PDF; `encrypted`, `corrupt`, `tooLarge`;
    ///   `timedOut`, `crashed` or `sandboxed` if its child was ended.
    public func paragraphs(
        of source: SourceFile, knownDigest: Digest? = nil, isForced: Bool = false, cancellation: Cancellation? = nil
    ) throws(Failure) -> DocumentText {
        let order = Order(recipes: [], isForced: isForced, cancellation: cancellation)
        guard case .document(let text) = try text(of: source, .document, knownDigest, order).text else {
            preconditionFailure("a run for a document gives a document")
        }
        return text
    }

    private func text(
        of source: SourceFile, _ part: TextPart, _ knownDigest: Digest?, _ order: Order, furtherPageCount: Int = 0
    ) throws(Failure) -> (text: SourceText, further: [PageText]) {
        var knownDigest = knownDigest
        let text = try startingOverOnChange(source) { source throws(Failure) in
            var run = ThumbnailRun(
                self, source, order, knownDigest: knownDigest, textPart: part, furtherPageCount: furtherPageCount)
            knownDigest = nil
            return try run.result(of: Pipeline.text).flatMap { _ in run.text.map { ($0, run.furtherPages) } }
        }
        return (try text.0.get(), text.1)
    }
}
