internal import Linux
public import Media
public import RenderHost
internal import Wire

extension Thumbnailer {
    /// The page with its words in a person's reading order, determined in its own child. The time for that depends on
    /// where the words are, which an untrusted author decides.
    ///
    /// - Parameters:
    ///   - page: as returned by `texts(of:from:atMost:)`.
    ///   - cancellation: ends the work early.
    /// - Returns: a page with its words in chunks and columns; the last word of each chunk has the ending `line`, the
    ///   last of each column `paragraph`.
    /// - Throws: `timedOut`, `crashed` or `sandboxed` if the child was ended; `cancelled`; `unavailable` without memory
    ///   or renderer.
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
