public import Media

/// Opened remote content; all its ranges are of one version.
public protocol FetchedContent {
    /// The content's length in bytes.
    var byteCount: Int64 { get }

    /// A value that changes with the content; `nil` if the server sends none.
    var version: String? { get }

    /// Bytes of the content.
    ///
    /// - Parameter range: within the content, and not empty.
    /// - Returns: the offset of the bytes, at or before the range, and the bytes, which cover the range.
    /// - Throws: `sourceMissing` if the content is gone; `unavailable` if it has changed, or if a retry may succeed.
    func bytes(_ range: Range<Int64>) throws(Failure) -> (start: Int64, bytes: [UInt8])
}
