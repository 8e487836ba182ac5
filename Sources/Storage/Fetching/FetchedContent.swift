public import Media

/// Content elsewhere, opened: all its ranges are of one version.
public protocol FetchedContent {
    /// The content's length.
    var byteCount: Int64 { get }

    /// What changes with the content; `nil` where the server names nothing.
    var version: String? { get }

    /// Bytes of the content.
    ///
    /// - Parameter range: within the content, and not empty.
    /// - Returns: where the bytes begin, at or before the range, and the bytes, which cover the range.
    /// - Throws: `sourceMissing` where the content is gone; `unavailable` where it has changed, or another try may succeed.
    func bytes(_ range: Range<Int64>) throws(Failure) -> (start: Int64, bytes: [UInt8])
}
