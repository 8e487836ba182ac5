public import Linux
public import Objects
public import S3
internal import Synchronization
public import Thumbnailer

/// The store in a bucket of an S3-compatible service ([docs/objects.md](docs/objects.md) has the layout).
///
/// Nothing leans on conditional writes: that one caller has a file or a path alone is settled by `ObjectLocks`, and between
/// programs that share none by the paths of the database, which are unique.
public final class BucketStore: ObjectStore {
    let client: S3Client
    let keys: BucketKeys
    let locks: any ObjectLocks
    let references: any ObjectReferences
    /// The memory that this store shares with all transfers of the process.
    public let memory: TransferMemory
    let order = Mutex<ListOrder?>(nil)
    let temporaryFolder: String
    private let givesAddresses: Bool

    /// The store below a prefix of a bucket. Nothing is asked yet: `check` does that.
    ///
    /// - Parameters:
    ///   - prefix: names with slashes between; may be empty.
    ///   - locks: those that all programs share which write to the bucket.
    ///   - references: the rows that name objects.
    ///   - memory: what all transfers of the process share.
    ///   - temporaryFolder: where copies of large objects lie, without a name, as long as they are read.
    ///   - givesAddresses: whether objects are read from the store itself by addresses that it is given away under.
    public init(
        _ client: S3Client, prefix: String, locks: any ObjectLocks, references: any ObjectReferences = .none,
        memory: TransferMemory = TransferMemory(), temporaryFolder: String = "/var/tmp", givesAddresses: Bool = false
    ) {
        self.client = client
        keys = BucketKeys(prefix: prefix)
        self.locks = locks
        self.references = references
        self.memory = memory
        self.temporaryFolder = temporaryFolder
        self.givesAddresses = givesAddresses
    }

    /// Asks the store for something, so that a wrong address, key, bucket or clock shows.
    public func check() throws(ObjectError) {
        try asking { () throws(S3Fault) in try client.check() }
    }

    // MARK: Incoming files

    /// A part: what is longer is sent part by part.
    public func arrivalByteCount(of length: Int64?) -> Int {
        Int(min(max(0, length ?? .max), Int64(ArrivalRecord.partByteCount)))
    }

    /// Sends nothing: the store learns of the file when it is synchronised, or has a whole part.
    public func begin(in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject {
        let id = IncomingID.random()
        return try BucketIncoming(id, try turn(at: id), nil, room, in: self)
    }

    /// Reads the record, which any process on any host can.
    public func resume(_ id: IncomingID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject {
        try lockedIncoming(id, room)
    }

    func lockedIncoming(_ id: IncomingID, _ room: MemoryBudget.Share? = nil) throws(ObjectError) -> BucketIncoming {
        let lock = try turn(at: id)
        let bytes = try asking { () throws(S3Fault) in
            try client.read(whole: keys.record(id), limit: ArrivalRecord.longest).bytes
        }
        guard let record = ArrivalRecord(bytes) else {
            throw ObjectError(S3Fault.corrupted("the record of the incoming file \(id)"))
        }
        return try BucketIncoming(id, lock, record, room, in: self)
    }

    private func turn(at id: IncomingID) throws(ObjectError) -> any ObjectLock {
        guard let lock = try locks.take(lockName(keys.record(id)), within: .zero) else { throw .busy }
        return lock
    }

    /// Waits until nobody else writes to a path.
    func turn(at path: ObjectPath) throws(ObjectError) -> any ObjectLock {
        guard let lock = try locks.take(lockName(try keys.file(path)), within: .seconds(60)) else { throw .busy }
        return lock
    }

    /// Takes the lock of the folder of all objects, which is no path's.
    public func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? {
        try locks.take(lockName(keys.files), within: .zero)
    }

    private func lockName(_ key: String) -> String { "\(client.endpoint.address)/\(client.endpoint.bucket)/\(key)" }

    // MARK: Objects

    /// Reads the first block at once.
    public func open(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader { try reader(path) }

    func reader(_ path: ObjectPath) throws(ObjectError) -> BucketReader {
        try BucketReader(try lookedUp(path), of: client, keys, memory.reading)
    }

    /// A copy in memory, or where the object is large in an unnamed file.
    public func source(_ path: ObjectPath) throws(ObjectError) -> SourceFile {
        try BucketContent.source(try reader(path), name: path.lastName, folder: temporaryFolder)
    }

    /// Asks for the object's header.
    public func status(of path: ObjectPath) throws(ObjectError) -> ObjectStatus {
        let key = try lookedUp(path)
        let object = try asking { () throws(S3Fault) in try client.status(of: key) }
        return ObjectStatus(path: path, byteCount: object.byteCount, modified: object.modified)
    }

    /// An access that ends does not live on at the store for longer, in seconds. The service signs a new one with each request.
    private static let longestAddress = 3600

    /// Signed for the store, with the fields of the answer.
    public func address(of path: ObjectPath, _ terms: DirectAddressTerms) throws(ObjectError) -> String? {
        guard givesAddresses else { return nil }
        var fields = ["content-type": terms.type, "cache-control": "private, no-store"]
        fields["content-disposition"] = terms.disposition
        let seconds = min(max(1, terms.seconds), Self.longestAddress)
        return client.presignedAddress(of: try lookedUp(path), seconds: seconds, answering: fields)
    }

    /// Nothing has a key that the store does not take.
    func lookedUp(_ path: ObjectPath) throws(ObjectError) -> String {
        do throws(ObjectError) { return try keys.file(path) } catch { throw .missing }
    }

    /// An object that may not be there.
    func existing(_ key: String) throws(ObjectError) -> S3Object? {
        do throws(S3Fault) {
            return try client.status(of: key)
        } catch {
            if error == .missing { return nil }
            throw ObjectError(error)
        }
    }

    // MARK: Sums

    /// Stores sums that do not fit into metadata.
    ///
    /// - Returns: the metadata of the object that has them.
    func storeSums(_ sums: ContentSums) throws(ObjectError) -> [String: String] {
        let id = IncomingID.random().rawValue
        if sums.isLarge { try asking { () throws(S3Fault) in try client.put(sums.bytes, as: keys.sums(id)) } }
        return sums.metadata(id: id)
    }

    func removeSums(of object: S3Object) throws(ObjectError) {
        guard let id = ContentSums.id(in: object.metadata) else { return }
        try asking { () throws(S3Fault) in try client.remove(keys.sums(id)) }
    }
}
