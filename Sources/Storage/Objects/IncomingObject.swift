public import Media
public import SourceFiles

/// A file that arrives in pieces, and becomes an object only when it is whole.
///
/// `close` ends the caller's hold on it; the bytes that arrived stay, and can be resumed. An instance that is released
/// without it loses all bytes that no `sync` has stored. Safe for several threads, one after another.
public protocol IncomingObject: AnyObject, Sendable {
    /// The identity of the future object; it also resumes the file.
    var id: ObjectID { get }

    /// The number of bytes that arrived. After `sync`, they survive a power failure and the death of this process. In a
    /// folder, they survive the latter from the start.
    var byteCount: Int64 { get }

    /// Appends all of the bytes, or none after an error.
    ///
    /// - Precondition: the object is not sealed.
    /// - Throws: `noSpace`, after which the rest can be added later; `missing` if the file was committed or discarded.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError)

    /// Writes the bytes that arrived to the disk, so that the file can be resumed after a power failure.
    func sync() throws(ObjectError)

    /// The first bytes; fewer if fewer arrived.
    ///
    /// - Parameter byteCount: at most 64 KiB.
    func prefix(_ byteCount: Int) throws(ObjectError) -> [UInt8]

    /// The bytes so far, as a source for the engine. After `seal`, nobody can change them, and no copy is needed.
    ///
    /// For a long file, a network driver gives the first and the last 8 MiB with zeros between, which suffice to
    /// identify its type. It does so only after `seal`, and throws `unavailable` before.
    /// - Parameter name: the file's display name.
    func source(name: String) throws(ObjectError) -> SourceFile

    /// Ends the arrival: writes all bytes to the disk, and accepts no more.
    ///
    /// - Returns: the SHA-256 of all bytes. Bytes that arrived under another holder are read again for it.
    @discardableResult
    func seal() throws(ObjectError) -> Digest

    /// Seals the file, and makes it the object of its identity. The object is on the disk on return.
    ///
    /// After an error, the file still exists, and can be committed again or discarded. After `unavailable`, it may
    /// already be the object.
    func commit() throws(ObjectError)

    /// Removes the file, even if it is already the object because the answer to its commit was lost. Does nothing after
    /// a commit that has returned.
    func discard() throws(ObjectError)

    /// Runs `sync` and ends the caller's hold, even if `sync` fails. Does nothing if the file was committed or
    /// discarded.
    func close() throws(ObjectError)
}

extension IncomingObject {
    /// Appends all of the bytes, or none after an error.
    public func append(_ bytes: [UInt8]) throws(ObjectError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(ObjectError) in try append(buffer) }
        }
        try result.get()
    }
}

/// A file that was begun, and that is neither committed nor discarded.
public struct IncomingStatus: Hashable, Sendable {
    /// The identity that resumes it.
    public let id: ObjectID
    /// The number of bytes that arrived.
    public let byteCount: Int64
    /// When the last bytes arrived, in nanoseconds since 1970.
    public let modified: Int64
}
