public import Linux
public import Media

/// Remote content that is fetched by ranges.
///
/// All ranges belong to one version of the content: if it has changed since it was opened, `fetch` fails. Calls come
/// from one thread at a time.
public protocol RangedContent: Sendable {
    /// The content's length.
    var byteCount: Int64 { get }

    /// Fetches bytes, and writes them to the same places in a file.
    ///
    /// - Parameters:
    ///   - range: within the content, and not empty.
    ///   - patience: how long the readers wait; then the fetch fails with `unavailable`.
    /// - Returns: the bytes that were written: all of the range, and possibly more on both sides.
    /// - Throws: `sourceMissing` if the content no longer exists; `unavailable` if it has changed or a retry may
    ///   succeed.
    func fetch(
        _ range: Range<Int64>, into file: Descriptor, within patience: Duration
    ) throws(Failure) -> Range<Int64>
}
