public import Linux
public import Media

/// Content that lies elsewhere and is fetched by ranges.
///
/// All ranges are of one version of the content: where it has changed since it was opened, `fetch` fails. Calls come from one
/// thread at a time.
public protocol RangedContent: Sendable {
    /// The content's length.
    var byteCount: Int64 { get }

    /// Fetches bytes, and writes them to the same places in a file.
    ///
    /// - Parameters:
    ///   - range: within the content, and not empty.
    ///   - patience: how long the readers wait: then the fetch fails as `unavailable`.
    /// - Returns: the bytes that were written: all of the range, and perhaps more on both sides.
    /// - Throws: `sourceMissing` where the content is gone, `unavailable` where it has changed or another try may succeed.
    func fetch(
        _ range: Range<Int64>, into file: Descriptor, within patience: Duration
    ) throws(Failure) -> Range<Int64>
}
