public import Linux
public import Media
public import SourceFiles

/// The bytes of stored files, each under a random identity. A file is written aside, appears only when it is whole,
/// never changes, and is read by ranges.
///
/// Rows of the database know a file's owner and path; the store does not. An object counts only if a row names it; the
/// contents of the store decide nothing. A driver is safe for several threads and several processes. Its calls block. A
/// committed object survives a power failure, and a removed object does not reappear.
public protocol ObjectStore: Sendable {
    /// Begins a file aside. It cannot be opened before it is committed.
    ///
    /// - Parameters:
    ///   - id: a new identity, or the identity in a resumable upload's new row. Only a restored backup gives an object
    ///     its former identity.
    ///   - room: the memory for the file's bytes, from `room(for:)`. Without it, the caller must not wait for others
    ///     while it holds the file. Such a caller is an operator's program, or has all bytes at hand.
    /// - Throws: `noSpace`, `unavailable`.
    func begin(_ id: ObjectID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject

    /// Continues a file that was begun, even after the death of its process. The caller holds it exclusively until it
    /// closes, commits or discards it.
    ///
    /// - Parameters:
    ///   - making: whether to begin the file, under the same hold, if there is none.
    ///   - room: as for `begin`.
    /// - Throws: `missing` if there is none, or if it was committed or discarded; `busy` while another holder has it.
    func resume(_ id: ObjectID, making: Bool, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject

    /// The memory that this store shares with all transfers of the process.
    var memory: TransferMemory { get }

    /// The memory that a file needs while it arrives, in bytes; 0 for a driver that writes bytes as they arrive.
    ///
    /// - Parameter length: the file's length; `nil` if unknown.
    func arrivalByteCount(of length: Int64?) -> Int

    /// Opens an object for reading. If the object is removed meanwhile, its bytes stay readable. If the driver cannot
    /// do that, reads fail with `missing`.
    ///
    /// - Throws: `missing`.
    func open(_ id: ObjectID) throws(ObjectError) -> any ObjectReader

    /// Makes an object durable whose committer may have died during the commit.
    ///
    /// - Returns: `false` if there is no such object.
    /// - Throws: `busy` while its commit is in progress.
    func confirm(_ id: ObjectID) throws(ObjectError) -> Bool

    /// An object as a source for the engine: a local file that nobody else can change.
    ///
    /// - Parameter name: the file's name for people.
    /// - Throws: `missing`; `noSpace` if there is no room for a copy.
    func source(_ id: ObjectID, name: String) throws(ObjectError) -> SourceFile

    /// An address at which anybody can read an object from the store itself for a limited time; `nil` if the driver
    /// cannot or must not give one.
    ///
    /// It asks nothing of the store, so the object need not exist.
    func address(of id: ObjectID, _ terms: DirectAddressTerms) throws(ObjectError) -> String?

    /// Copies an object to a new one. Until it is whole, the copy is an incoming file with a holder.
    ///
    /// - Throws: `missing`.
    func copy(_ id: ObjectID, to copy: ObjectID) throws(ObjectError)

    /// Removes an object permanently. If there is none, its absence is made durable.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ id: ObjectID) throws(ObjectError) -> Bool

    /// A walk over all objects, in no order.
    func walk() throws(ObjectError) -> any ObjectWalk

    /// Takes the turn to sweep the whole store. One caller at a time has it, among all processes that share the store's
    /// locks.
    ///
    /// - Returns: the turn, which is held until it is released; `nil` while another caller has it.
    func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)?

    /// Files that were begun, and to which nothing was added for a time, including files with a holder.
    func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus]

    /// The size and time of a file that was begun, even while another holder has it.
    ///
    /// - Throws: `missing` if there is none, or if it was committed or discarded.
    func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus

    /// The same for several files at once, in any order; missing files are omitted.
    func incoming(among ids: [ObjectID]) throws(ObjectError) -> [IncomingStatus]

    /// Removes a file that was begun, if nothing was added to it for a time.
    ///
    /// - Returns: `false` if it is already gone, or if something was added after all.
    /// - Throws: `busy` while it has a holder.
    @discardableResult
    func removeIncoming(_ id: ObjectID, untouchedFor age: Duration) throws(ObjectError) -> Bool

    /// Removes what a crash may have left of files that no longer arrive, if it was not touched for a time.
    ///
    /// - Returns: the number of items removed.
    func removeStrays(untouchedFor age: Duration) throws(ObjectError) -> Int

    /// Opens a file of another program, at its path below `files/`. `documentd migrate --adopt` copies it.
    ///
    /// - Throws: `missing`.
    func openForeign(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader
}

/// The terms of a store's answer at a direct address.
public struct DirectAddressTerms: Hashable, Sendable {
    /// The lifetime of the address in seconds; the driver may shorten it.
    public var seconds: Int
    /// The `Content-Type` that the store sends to the client.
    public var type: String
    /// The `Content-Disposition` that it sends; `nil` for none.
    public var disposition: String?

    /// Terms, by default without a disposition.
    public init(seconds: Int, type: String, disposition: String? = nil) {
        self.seconds = seconds
        self.type = type
        self.disposition = disposition
    }
}

extension ObjectStore {
    /// Begins a file under a new identity, by default without reserved memory.
    public func begin(in room: MemoryBudget.Share? = nil) throws(ObjectError) -> any IncomingObject {
        try begin(.random(), in: room)
    }

    /// Continues an existing file, by default without reserved memory.
    public func resume(_ id: ObjectID, in room: MemoryBudget.Share? = nil) throws(ObjectError) -> any IncomingObject {
        try resume(id, making: false, in: room)
    }

    /// Waits, without blocking a thread, for the memory that a file needs while it arrives.
    ///
    /// - Parameter length: the file's length; `nil` if unknown.
    /// - Returns: `nil` for a file that needs none.
    /// - Throws: `MemoryBudget.Exhausted`; `CancellationError`.
    public func room(for length: Int64?) async throws -> MemoryBudget.Share? {
        let count = arrivalByteCount(of: length)
        return count > 0 ? try await memory.uploads.take(count) : nil
    }

    /// Asks for each file separately.
    public func incoming(among ids: [ObjectID]) throws(ObjectError) -> [IncomingStatus] {
        var found: [IncomingStatus] = []
        for id in ids {
            do throws(ObjectError) { found.append(try incoming(id)) } catch { if error != .missing { throw error } }
        }
        return found
    }

    /// None: an incoming file is a single item.
    public func removeStrays(untouchedFor age: Duration) throws(ObjectError) -> Int { 0 }

    /// None: files in a folder are read through the service.
    public func address(of id: ObjectID, _ terms: DirectAddressTerms) throws(ObjectError) -> String? { nil }
}

/// What a store knows about an object without reading it.
public struct ObjectStatus: Hashable, Sendable {
    /// The object's identity.
    public let id: ObjectID
    /// The length in bytes.
    public let byteCount: Int64
    /// When the store received it, in nanoseconds since 1970.
    public let modified: Int64
}
