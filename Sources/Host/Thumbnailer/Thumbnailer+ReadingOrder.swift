internal import Linux
public import Media
public import RenderHost
internal import Wire

extension Thumbnailer {
    /// The page with its words in the order in which a person reads them, found in a child of its own: how long that takes depends on
    /// where the words stand, which a stranger decides.
    ///
    /// - Parameters:
    ///   - page: as `texts(of:from:atMost:)` gives it.
    ///   - cancellation: ends the work before its time.
    /// - Returns: a page whose words stand in chunks and columns, each chunk's last with the ending `line`, each column's with `paragraph`.
    /// - Throws: `timedOut`, `crashed` or `sandboxed` where the child was ended; `cancelled`; `unavailable` without memory or renderer.
    public func arranged(_ page: PageText, cancellation: Cancellation? = nil) throws(Failure) -> PageText {
        if page.words.isEmpty { return page }
        var task = RenderTask(
            mediaType: .pageWords, limits: limits, pageIndex: page.pageIndex, cancellation: cancellation,
            isOnly: isForOneSource)
        task.readsText = true
        guard case .page(var arranged) = try host.perform(task, on: try Self.file(of: page), by: .text).text else {
            throw Failure(.crashed, detail: "the reader answered without a page")
        }
        arranged.isRecognized = page.isRecognized
        return arranged
    }

    private static func file(of page: PageText) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let bytes = page.bytes
            let file = try MemoryFile.create(name: "words", byteCount: bytes.count)
            try file.write(bytes)
            return file
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }
}
