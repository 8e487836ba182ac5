import Linux
import Media
import Objects
import SourceFiles
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

    func remove(_ id: ObjectID) throws(ObjectError) -> Bool {
        if operation == .removal { hold() }
        defer { isOver.fulfil(()) }
        return try files.remove(id)
    }

    func walk() throws(ObjectError) -> any ObjectWalk {
        if operation == .walk { hold() }
        return try files.walk()
    }

    var memory: TransferMemory { files.memory }

    func arrivalByteCount(of length: Int64?) -> Int { files.arrivalByteCount(of: length) }

    func begin(_ id: ObjectID, in room: MemoryBudget.Share?) throws(ObjectError) -> any IncomingObject {
        try files.begin(id, in: room)
    }

    func resume(
        _ id: ObjectID, making: Bool, in room: MemoryBudget.Share?
    ) throws(ObjectError) -> any IncomingObject {
        try files.resume(id, making: making, in: room)
    }

    func confirm(_ id: ObjectID) throws(ObjectError) -> Bool { try files.confirm(id) }

    func open(_ id: ObjectID) throws(ObjectError) -> any ObjectReader { try files.open(id) }

    func source(_ id: ObjectID, name: String) throws(ObjectError) -> SourceFiles::SourceFile {
        try files.source(id, name: name)
    }

    func copy(_ id: ObjectID, to copy: ObjectID) throws(ObjectError) { try files.copy(id, to: copy) }

    func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? { try files.takeSweepingTurn() }

    func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        try files.incoming(untouchedFor: age)
    }

    func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus { try files.incoming(id) }

    func removeIncoming(_ id: ObjectID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
        try files.removeIncoming(id, untouchedFor: age)
    }

    func openForeign(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader { try files.openForeign(path) }
}
