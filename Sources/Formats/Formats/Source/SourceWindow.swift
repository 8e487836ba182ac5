public import Linux

/// Fetches the bytes of a remote source into the file that it is read from.
public protocol SourceWindow: AnyObject, Sendable {
    /// Blocks until these bytes are in the file, except bytes beyond its end.
    ///
    /// - Throws: an error if they are not available.
    func require(_ range: Range<Int64>) throws(SystemError)
}
