public import Linux
public import Media
public import Thumbnailer

/// The files of the service, each under a path: written aside and then whole, read by ranges, never handed out by name.
///
/// A driver is safe for several threads and several processes. Its calls block. An object that was committed survives a power
/// failure, and one that was removed does not come back.
public protocol ObjectStore: Sendable {
    /// Begins a file aside. Nothing of it shows under any path before it is committed.
    ///
    /// - Throws: `noSpace`, `unavailable`.
    ///
    /// - Parameter room: the memory for the file's bytes, from `room(for:)`. Without it the caller must not wait for anybody while it
    ///   has the file: a program of the operator, or one with all bytes at hand.
    func begin(in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject

    /// Goes on with a file that was begun, also after the death of its process. The caller has it alone until it closes, commits or
    /// discards it.
    ///
    /// - Parameter room: as for `begin`.
    /// - Throws: `missing` where there is none, or it was committed or discarded; `busy` while somebody else has it.
    func resume(_ id: IncomingID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject

    /// The memory that this store shares with all transfers of the process.
    var memory: TransferMemory { get }

    /// The memory that a file takes while it arrives, in bytes; 0 for a driver that writes what arrives at once.
    ///
    /// - Parameter length: the file's length; `nil` for one that is not known.
    func arrivalByteCount(of length: Int64?) -> Int

    /// Opens an object for reading; its bytes stay readable even if the object is removed meanwhile, or where the driver cannot do
    /// that, its reading ends with `missing`. They never mix with those of another object.
    ///
    /// - Throws: `missing`.
    func open(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader

    /// An object as a source for the engine: a local file that nobody else can change.
    ///
    /// - Throws: `missing`; `noSpace` where a copy has no room.
    func source(_ path: ObjectPath) throws(ObjectError) -> SourceFile

    /// Size and time of an object.
    ///
    /// - Throws: `missing`.
    func status(of path: ObjectPath) throws(ObjectError) -> ObjectStatus

    /// An address at which anybody may read an object from the store itself for a time; `nil` where the driver gives none, or is not
    /// to.
    ///
    /// Nothing is asked: there need not be such an object.
    func address(of path: ObjectPath, _ terms: DirectAddressTerms) throws(ObjectError) -> String?

    /// Copies an object, which is hashed on the way.
    ///
    /// - Parameter replacing: whether an object at the new path is replaced.
    /// - Throws: `missing`; `taken` where the new path has an object that may not be replaced.
    func copy(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError) -> StoredObject

    /// Gives an object another path; at each moment it has one of them.
    ///
    /// - Parameter replacing: whether an object at the new path is replaced.
    /// - Throws: `missing`; `taken` where the new path has an object that may not be replaced.
    func move(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError)

    /// Removes an object for good, whatever names it: its owner has asked for that. If there is none, that is made sure of.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func removeReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool

    /// Removes an object for good that no row names; one that a row names stays. If there is none, that is made sure of.
    ///
    /// - Returns: whether there was one, and it was removed.
    @discardableResult
    func remove(_ path: ObjectPath) throws(ObjectError) -> Bool

    /// Removes an object for good that no row names, unless the caller changes their mind in the last moment: no other call of this
    /// kind removes the path's object, and no new one comes there while `isDue` is asked and the object goes.
    ///
    /// - Parameter isDue: asked right before; `false` leaves what is there.
    /// - Returns: whether there was one, and it was removed.
    /// - Throws: `busy` where somebody else is at the path.
    @discardableResult
    func remove(_ path: ObjectPath, if isDue: () -> Bool) throws(ObjectError) -> Bool

    /// A page of the objects in the order of their paths' bytes, which stays the same while others come and go.
    ///
    /// - Parameters:
    ///   - prefix: the text with which the paths begin; empty for all.
    ///   - after: the path after which the page begins: `next` of the page before.
    func list(
        prefix: String, after: ObjectPath?, limit: Int
    ) throws(ObjectError) -> StorePage<ObjectStatus, ObjectPath>

    /// A walk over all objects in the order of `list`, from the first one on.
    func walk() throws(ObjectError) -> any ObjectWalk

    /// Takes the turn at looking through the whole store, which one caller has at a time, among all processes that share the store's
    /// locks.
    ///
    /// - Returns: the turn, until it is released; `nil` while somebody else has it.
    func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)?

    /// Files that were begun, and to which nothing was added for a time, those that somebody has in work included.
    func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus]

    /// Size and time of a file that was begun, also while somebody else has it.
    ///
    /// - Throws: `missing` where there is none, or it was committed or discarded.
    func status(of id: IncomingID) throws(ObjectError) -> IncomingStatus

    /// Removes a file that was begun, where nothing was added to it for a time. What became an object that a row names stays, though the
    /// file's record be there again.
    ///
    /// - Returns: `false` where it is gone already, or something was added after all.
    /// - Throws: `busy` while somebody has it.
    @discardableResult
    func removeIncoming(_ id: IncomingID, untouchedFor age: Duration) throws(ObjectError) -> Bool
}

/// How a store answers at an address that it is given away under.
public struct DirectAddressTerms: Hashable, Sendable {
    /// For how long the address is to be good; the driver may shorten it.
    public var seconds: Int
    /// What the store tells the client as `Content-Type`.
    public var type: String
    /// What it tells as `Content-Disposition`; `nil` for nothing.
    public var disposition: String?

    /// Terms of these parts.
    public init(seconds: Int, type: String, disposition: String? = nil) {
        self.seconds = seconds
        self.type = type
        self.disposition = disposition
    }
}

extension ObjectStore {
    /// Begins a file for which no memory is reserved.
    public func begin() throws(ObjectError) -> any IncomingObject { try begin(in: nil) }

    /// Goes on with a file for which no memory is reserved.
    public func resume(_ id: IncomingID) throws(ObjectError) -> any IncomingObject { try resume(id, in: nil) }

    /// Waits for the memory that a file takes while it arrives, without a thread.
    ///
    /// - Parameter length: the file's length; `nil` for one that is not known.
    /// - Returns: `nil` for a file that takes none.
    /// - Throws: `MemoryBudget.Exhausted`; `CancellationError`.
    public func room(for length: Int64?) async throws -> MemoryBudget.Share? {
        let count = arrivalByteCount(of: length)
        return count > 0 ? try await memory.uploads.take(count) : nil
    }

    /// None: files in a folder are read by way of the service.
    public func address(of path: ObjectPath, _ terms: DirectAddressTerms) throws(ObjectError) -> String? { nil }

    /// Page by page of `list`, each behind the last path of the one before.
    public func walk() throws(ObjectError) -> any ObjectWalk { PagedWalk(self) }
}

/// An object as it was committed.
public struct StoredObject: Hashable, Sendable {
    /// Where it lies.
    public let path: ObjectPath
    /// The SHA-256 of its bytes.
    public let digest: Digest
    /// The length in bytes.
    public let byteCount: Int64
    /// When it was received, in nanoseconds since 1970: a copy has its own, and after a move it is as before or that of the move.
    public let modified: Int64

    /// An object as a driver describes it.
    public init(path: ObjectPath, digest: Digest, byteCount: Int64, modified: Int64) {
        self.path = path
        self.digest = digest
        self.byteCount = byteCount
        self.modified = modified
    }
}

/// What a store knows of an object without reading it.
public struct ObjectStatus: Hashable, Sendable {
    /// Where it lies.
    public let path: ObjectPath
    /// The length in bytes.
    public let byteCount: Int64
    /// When it was received, in nanoseconds since 1970: a copy has its own, and after a move it is as before or that of the move.
    public let modified: Int64

    /// An object as a driver describes it.
    public init(path: ObjectPath, byteCount: Int64, modified: Int64) {
        self.path = path
        self.byteCount = byteCount
        self.modified = modified
    }
}
