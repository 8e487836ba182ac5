/// An object that is open for reading; several threads can read it concurrently.
public protocol ObjectReader: Sendable {
    /// The length in bytes.
    var byteCount: Int64 { get }

    /// When the store received the object, in nanoseconds since 1970.
    var modified: Int64 { get }

    /// Reads up to `buffer.count` bytes from an offset.
    ///
    /// - Returns: the number of bytes read; fewer than requested only at the object's end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ObjectError) -> Int
}
