public import Linux
public import Media
public import SourceFiles

/// The bytes of stored files, each under a random identity: written aside and then whole, never changed, read by ranges.
///
/// The store knows neither whose a file is nor its path: rows of the database do. An object counts only if a row says so, and nothing that
/// lies in the store decides anything. A driver is safe for several threads and several processes. Its calls block. An object that was
/// committed survives a power failure, and one that was removed does not come back.
public protocol ObjectStore: Sendable {
    /// Begins a file aside. Nothing of it can be opened before it is committed.
    ///
    /// - Parameters:
    ///   - id: a new identity, or that of a resumable upload's new row; only a restored backup gives an object the identity that it had.
    ///   - room: the memory for the file's bytes, from `room(for:)`. Without it the caller must not wait for anybody while it
    ///     has the file: a program of the operator, or one with all bytes at hand.
    /// - Throws: `noSpace`, `unavailable`.
    func begin(_ id: ObjectID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject

    /// Goes on with a file that was begun, also after the death of its process. The caller has it alone until it closes, commits or
    /// discards it.
    ///
    /// - Parameters:
    ///   - making: whether it is begun where there is none, by the same hold.
    ///   - room: as for `begin`.
    /// - Throws: `missing` where there is none, or it was committed or discarded; `busy` while somebody else has it.
    func resume(_ id: ObjectID, making: Bool, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject

    /// The memory that this store shares with all transfers of the process.
    var memory: TransferMemory { get }

    /// The memory that a file takes while it arrives, in bytes; 0 for a driver that writes what arrives at once.
    ///
    /// - Parameter length: the file's length; `nil` for one that is not known.
    func arrivalByteCount(of length: Int64?) -> Int

    /// Opens an object for reading; its bytes stay readable even if the object is removed meanwhile, or where the driver cannot do
    /// that, its reading ends with `missing`.
    ///
    /// - Throws: `missing`.
    func open(_ id: ObjectID) throws(ObjectError) -> any ObjectReader

    /// Makes sure that an object that somebody has committed, and may have died on the way, is there for good.
    ///
    /// - Returns: `false` where there is none.
    /// - Throws: `busy` while its commit goes on.
    func confirm(_ id: ObjectID) throws(ObjectError) -> Bool

    /// An object as a source for the engine: a local file that nobody else can change.
    ///
    /// - Parameter name: the file's name for people.
    /// - Throws: `missing`; `noSpace` where a copy has no room.
    func source(_ id: ObjectID, name: String) throws(ObjectError) -> SourceFile

    /// An address at which anybody may read an object from the store itself for a time; `nil` where the driver gives none, or is not
    /// to.
    ///
    /// Nothing is asked: there need not be such an object.
    func address(of id: ObjectID, _ terms: DirectAddressTerms) throws(ObjectError) -> String?

    /// Copies an object to a new one. The copy is an incoming file, which somebody has in work, until it is whole.
    ///
    /// - Throws: `missing`.
    func copy(_ id: ObjectID, to copy: ObjectID) throws(ObjectError)

    /// Removes an object for good. If there is none, that is made sure of.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ id: ObjectID) throws(ObjectError) -> Bool

    /// A walk over all objects, in no order.
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
    func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus

    /// The same of several files at once, in any order, without those that are missing.
    func incoming(among ids: [ObjectID]) throws(ObjectError) -> [IncomingStatus]

    /// Removes a file that was begun, where nothing was added to it for a time.
    ///
    /// - Returns: `false` where it is gone already, or something was added after all.
    /// - Throws: `busy` while somebody has it.
    @discardableResult
    func removeIncoming(_ id: ObjectID, untouchedFor age: Duration) throws(ObjectError) -> Bool

    /// Removes what a crash may have left of files that do not arrive any more, and was not touched for a time.
    ///
    /// - Returns: the number of things.
    func removeStrays(untouchedFor age: Duration) throws(ObjectError) -> Int

    /// Opens a file of another program, which lies at its path below `files/`: `documentd migrate --adopt` copies it.
    ///
    /// - Throws: `missing`.
    func openForeign(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader
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
    /// Begins a file under a new identity, by default without reserved memory.
    public func begin(in room: MemoryBudget.Share? = nil) throws(ObjectError) -> any IncomingObject {
        try begin(.random(), in: room)
    }

    /// Goes on with a file that is there, by default without reserved memory.
    public func resume(_ id: ObjectID, in room: MemoryBudget.Share? = nil) throws(ObjectError) -> any IncomingObject {
        try resume(id, making: false, in: room)
    }

    /// Waits for the memory that a file takes while it arrives, without a thread.
    ///
    /// - Parameter length: the file's length; `nil` for one that is not known.
    /// - Returns: `nil` for a file that takes none.
    /// - Throws: `MemoryBudget.Exhausted`; `CancellationError`.
    public func room(for length: Int64?) async throws -> MemoryBudget.Share? {
        let count = arrivalByteCount(of: length)
        return count > 0 ? try await memory.uploads.take(count) : nil
    }

    /// Asks for each by itself.
    public func incoming(among ids: [ObjectID]) throws(ObjectError) -> [IncomingStatus] {
        var found: [IncomingStatus] = []
        for id in ids {
            do throws(ObjectError) { found.append(try incoming(id)) } catch { if error != .missing { throw error } }
        }
        return found
    }

    /// None: an incoming file is one thing.
    public func removeStrays(untouchedFor age: Duration) throws(ObjectError) -> Int { 0 }

    /// None: files in a folder are read by way of the service.
    public func address(of id: ObjectID, _ terms: DirectAddressTerms) throws(ObjectError) -> String? { nil }
}

/// What a store knows of an object without reading it.
public struct ObjectStatus: Hashable, Sendable {
    /// The identity under which it lies.
    public let id: ObjectID
    /// The length in bytes.
    public let byteCount: Int64
    /// When it was received, in nanoseconds since 1970.
    public let modified: Int64
}
