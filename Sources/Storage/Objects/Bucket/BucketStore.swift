public import Database
public import Linux
public import Media
public import S3
public import SourceFiles

/// The store in a bucket of an S3-compatible service ([docs/objects.md](docs/objects.md) has the layout).
///
/// Nothing depends on conditional writes: `ObjectLocks` give one caller an exclusive hold of an incoming file, and rows
/// of a database record its progress.
public final class BucketStore: ObjectStore {
    let client: S3Client
    let keys: BucketKeys
    let rows: BucketRows
    let locks: any ObjectLocks
    /// The memory that this store shares with all transfers of the process.
    public let memory: TransferMemory
    let temporaryFolder: String
    private let givesAddresses: Bool

    /// The store below a prefix of a bucket. It sends no request; `check` does that.
    ///
    /// - Parameters:
    ///   - prefix: names separated by slashes; may be empty.
    ///   - database: returns the database that all programs that write to the bucket share; `prepare` creates its
    ///     tables.
    ///   - locks: the locks that all programs that write to the bucket share.
    ///   - memory: the memory that all transfers of the process share.
    ///   - temporaryFolder: the folder for unnamed copies of large objects, which exist while they are read.
    ///   - givesAddresses: whether clients read objects from the store itself, at direct addresses.
    public init(
        _ client: S3Client, prefix: String, database: @escaping @Sendable () throws -> any SQLDatabase,
        locks: any ObjectLocks, memory: TransferMemory = TransferMemory(),
        temporaryFolder: String = "/var/tmp", givesAddresses: Bool = false
    ) {
        self.client = client
        keys = BucketKeys(prefix: prefix)
        rows = BucketRows(database)
        self.locks = locks
        self.memory = memory
        self.temporaryFolder = temporaryFolder
        self.givesAddresses = givesAddresses
    }

    /// Sends a request to the store, which reveals a wrong address, key, bucket or clock.
    public func check() throws(ObjectError) {
        try asking { () throws(S3Fault) in try client.check() }
    }

    /// Creates the tables if they are missing.
    public func prepare() throws(ObjectError) { try rows.install() }

    // MARK: Incoming files

    /// At most one part: longer files are sent part by part.
    public func arrivalByteCount(of length: Int64?) -> Int {
        Int(min(max(0, length ?? .max), Int64(Arrival.partByteCount)))
    }

    /// Sends nothing: the store learns of the file when it is synchronised, or when it has a whole part.
    public func begin(_ id: ObjectID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject {
        try BucketIncoming(try hold(id), room, in: self)
    }

    /// Takes the rows, which any process on any host can do.
    public func resume(
        _ id: ObjectID, making: Bool, in room: MemoryBudget.Share?
    ) throws(ObjectError) -> any IncomingObject {
        let hold = try hold(id)
        guard let arrival = try rows.take(id, for: hold.name) else {
            if making { return try BucketIncoming(hold, room, in: self) }
            throw .missing
        }
        let head = if let name = arrival.head { try piece(name, of: id) } else { [UInt8]() }
        let tail = if let name = arrival.tail { try piece(name, of: id) } else { [UInt8]() }
        return try BucketIncoming(hold, room, arrival, head: head, tail: tail, in: self)
    }

    func hold(_ id: ObjectID) throws(ObjectError) -> BucketIncoming.Hold {
        BucketIncoming.Hold(id, try turn(at: id))
    }

    private func turn(at id: ObjectID) throws(ObjectError) -> any ObjectLock {
        guard let lock = try locks.take(lockName("\(keys.incoming)\(id)"), within: .zero) else { throw .busy }
        return lock
    }

    /// Takes the lock of the folder of all objects.
    public func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? {
        try locks.take(lockName(keys.objects), within: .zero)
    }

    private func lockName(_ key: String) -> String { "\(client.endpoint.address)/\(client.endpoint.bucket)/\(key)" }

    // MARK: Objects

    /// Asks for the object under the lock that its committer holds. An object that a bucket has acknowledged is
    /// durable.
    public func confirm(_ id: ObjectID) throws(ObjectError) -> Bool {
        let lock = try turn(at: id)
        defer { withExtendedLifetime(lock) {} }
        do throws(S3Fault) {
            _ = try client.status(of: keys.object(id))
            return true
        } catch {
            if error == .missing { return false }
            throw ObjectError(error)
        }
    }

    /// Reads the first block immediately.
    public func open(_ id: ObjectID) throws(ObjectError) -> any ObjectReader { try reader(id) }

    private func reader(_ id: ObjectID) throws(ObjectError) -> BucketReader {
        try BucketReader(keys.object(id), of: client, memory.reading) { object throws(ObjectError) in
            guard let sums = try sums(of: object, id) else { throw .missing }
            return sums
        }
    }

    /// A copy in memory, or, if the object is large, in an unnamed file.
    public func source(_ id: ObjectID, name: String) throws(ObjectError) -> SourceFile {
        try BucketContent.source(try reader(id), name: name, folder: temporaryFolder)
    }

    /// Reads without sums, because none exist.
    public func openForeign(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader {
        try BucketReader(keys.foreign(path), of: client, memory.reading) { _ throws(ObjectError) in nil }
    }

    /// The maximum lifetime of an address in seconds. A revoked access ends at the store no later than this. The
    /// service signs a new address with each request.
    private static let longestAddress = 3600

    /// Signed for the store, with the header fields of the answer.
    public func address(of id: ObjectID, _ terms: DirectAddressTerms) throws(ObjectError) -> String? {
        guard givesAddresses else { return nil }
        var fields = ["content-type": terms.type, "cache-control": "private, no-store"]
        fields["content-disposition"] = terms.disposition
        let seconds = min(max(1, terms.seconds), Self.longestAddress)
        return client.presignedAddress(of: keys.object(id), seconds: seconds, answering: fields)
    }
}
