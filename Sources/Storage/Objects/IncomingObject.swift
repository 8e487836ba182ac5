public import Media
public import SourceFiles

/// A file that arrives in pieces: it becomes an object only when it is whole.
///
/// `close` ends the caller's hold on it; what arrived stays and can be resumed. An object that is released otherwise loses what no `sync`
/// has stored. Safe for several threads, one after another.
public protocol IncomingObject: AnyObject, Sendable {
    /// The identity of the object that it becomes, by which it is resumed.
    var id: ObjectID { get }

    /// The number of bytes that arrived. After `sync` they survive a power failure, and the death of this process; in a folder they
    /// survive the latter from the start.
    var byteCount: Int64 { get }

    /// Adds bytes at the end: all of them, or after an error none.
    ///
    /// - Precondition: the object is not sealed.
    /// - Throws: `noSpace`, after which the rest can be added later; `missing` where it was committed or discarded.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ObjectError)

    /// Brings to the disk what arrived, so that it can be resumed after a power failure.
    func sync() throws(ObjectError)

    /// The first bytes, fewer where fewer arrived.
    ///
    /// - Parameter byteCount: at most 64 KiB.
    func prefix(_ byteCount: Int) throws(ObjectError) -> [UInt8]

    /// What arrived so far, as a source for the engine. After `seal` nobody can change it, and it need not be copied.
    ///
    /// A driver over a network gives of a long file the first and the last 8 MiB with zeros between, which tell its type, and that
    /// only after `seal`; before, it throws `unavailable`.
    /// - Parameter name: the file's name for people.
    func source(name: String) throws(ObjectError) -> SourceFile

    /// Ends the arrival: brings all bytes to the disk, and takes no more.
    ///
    /// - Returns: the SHA-256 of all bytes. Those that arrived under another holder are read once more for it.
    @discardableResult
    func seal() throws(ObjectError) -> Digest

    /// Seals the file, and makes it the object of its identity; on return that is on the disk.
    ///
    /// After an error the file is still there and can be committed again, or discarded; where the error is `unavailable` it may
    /// be the object already.
    func commit() throws(ObjectError)

    /// Removes what arrived, also where it is the object already because the answer to its commit was lost. Nothing happens after a commit
    /// that has returned.
    func discard() throws(ObjectError)

    /// Ends the caller's hold, after a `sync`; the hold ends also if that fails. Nothing happens if the file was committed or discarded.
    func close() throws(ObjectError)
}

extension IncomingObject {
    /// Adds bytes at the end: all of them, or after an error none.
    public func append(_ bytes: [UInt8]) throws(ObjectError) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(ObjectError) in try append(buffer) }
        }
        try result.get()
    }
}

/// A file that was begun, and is neither committed nor discarded.
public struct IncomingStatus: Hashable, Sendable {
    /// The identity by which it is resumed.
    public let id: ObjectID
    /// The number of bytes that arrived.
    public let byteCount: Int64
    /// When the last ones arrived, in nanoseconds since 1970.
    public let modified: Int64
}
