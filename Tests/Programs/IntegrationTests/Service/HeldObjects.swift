import Linux
import Media
import Objects
import TestSupport
import Thumbnailer

/// A store of files whose removals or walks wait until a test lets them go on.
final class HeldObjects: ObjectStore {
    /// What waits.
    enum Operation: String, CaseIterable, Sendable {
        case removal
        case walk
    }

    private let files: any ObjectStore
    private let operation: Operation
    /// Fulfilled once something waits.
    let isHeld = Promise<Void>()
    /// Fulfilled by the test: from then on nothing waits.
    let isReleased = Promise<Void>()
    /// Fulfilled once a removal that waited is over.
    let isOver = Promise<Void>()

    init(_ files: any ObjectStore, holding operation: Operation) {
        self.files = files
        self.operation = operation
    }

    private func hold() {
        isHeld.fulfil(())
        _ = try? isReleased.value()
    }

    func remove(_ path: ObjectPath, if isDue: () -> Bool) throws(ObjectError) -> Bool {
        if operation == .removal { hold() }
        defer { isOver.fulfil(()) }
        return try files.remove(path, if: isDue)
    }

    func walk() throws(ObjectError) -> any ObjectWalk {
        if operation == .walk { hold() }
        return try files.walk()
    }

    var memory: TransferMemory { files.memory }

    func arrivalByteCount(of length: Int64?) -> Int { files.arrivalByteCount(of: length) }

    func begin(in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject { try files.begin(in: room) }

    func resume(_ id: IncomingID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject {
        try files.resume(id, in: room)
    }

    func open(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader { try files.open(path) }

    func source(_ path: ObjectPath) throws(ObjectError) -> Thumbnailer::SourceFile { try files.source(path) }

    func status(of path: ObjectPath) throws(ObjectError) -> ObjectStatus { try files.status(of: path) }

    func copy(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError) -> StoredObject {
        try files.copy(path, to: newPath, replacing: replacing)
    }

    func move(_ path: ObjectPath, to newPath: ObjectPath, replacing: Bool) throws(ObjectError) {
        try files.move(path, to: newPath, replacing: replacing)
    }

    func remove(_ path: ObjectPath) throws(ObjectError) -> Bool { try files.remove(path) }

    func removeReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool { try files.removeReferenced(path) }

    func list(
        prefix: String, after: ObjectPath?, limit: Int
    ) throws(ObjectError) -> StorePage<ObjectStatus, ObjectPath> {
        try files.list(prefix: prefix, after: after, limit: limit)
    }

    func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? { try files.takeSweepingTurn() }

    func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        try files.incoming(untouchedFor: age)
    }

    func status(of id: IncomingID) throws(ObjectError) -> IncomingStatus { try files.status(of: id) }

    func removeIncoming(_ id: IncomingID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
        try files.removeIncoming(id, untouchedFor: age)
    }
}
