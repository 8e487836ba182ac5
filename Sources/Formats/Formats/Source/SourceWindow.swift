public import Linux

/// Brings the bytes of a source that lies elsewhere into the file that it is read from.
public protocol SourceWindow: AnyObject, Sendable {
    /// Blocks until these bytes are in the file. Bytes beyond its end need not be.
    ///
    /// - Throws: where they cannot be had.
    func require(_ range: Range<Int64>) throws(SystemError)
}
