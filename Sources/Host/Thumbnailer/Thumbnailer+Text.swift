public import Media
public import RenderHost

extension Thumbnailer {
    /// The text of a page of a PDF, from the cache or read now by the page's own child.
    ///
    /// Of several threads and processes that want the same text, one reads it. A scan without recognised text has no words.
    /// - Parameters:
    ///   - pageIndex: the page, from 0.
    ///   - knownDigest: the source's digest, where the caller has just computed it from the same open file, or is sure of it.
    ///   - isForced: whether it is read anew, whatever the cache has.
    ///   - cancellation: ends the work before its time.
    /// - Throws: `unsupported` where the source is no PDF, `usage` where it has no such page, else as a picture of the page
    ///   fails.
    public func text(
        of source: SourceFile, page pageIndex: Int, knownDigest: Digest? = nil, isForced: Bool = false,
        cancellation: Cancellation? = nil
    ) throws(Failure) -> PageText {
        precondition(pageIndex >= 0, "pages are counted from 0")
        // The page's number travels in 32 bits.
        guard pageIndex < Int32.max else { throw Failure(.usage, message: "No document has so many pages.") }
        var knownDigest = knownDigest
        let order = Order(recipes: [], isForced: isForced, cancellation: cancellation)
        let text = try startingOverOnChange(source) { source throws(Failure) in
            var run = ThumbnailRun(self, source, order, knownDigest: knownDigest, textPageIndex: pageIndex)
            knownDigest = nil
            return try run.result(of: Pipeline.text).flatMap { _ in run.text }
        }
        return try text.get()
    }
}
