/// An object that is open for reading, by several threads at once.
public protocol ObjectReader: Sendable {
    /// The length in bytes.
    var byteCount: Int64 { get }

    /// When it was received, in nanoseconds since 1970.
    var modified: Int64 { get }

    /// Reads up to `buffer.count` bytes from an offset.
    ///
    /// - Returns: the number of bytes read; fewer than asked for only at the object's end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ObjectError) -> Int
}
