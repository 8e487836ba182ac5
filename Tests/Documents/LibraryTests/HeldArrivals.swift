import Linux
import Media
import Objects
import SourceFiles
import Thumbnailer

/// A store that does not say how much of a file has arrived until a test releases it.
final class HeldArrivals: ObjectStore {
    private let files: any ObjectStore
    /// Fulfilled when the first caller asks.
    let isHeld = Promise<Void>()
    /// Fulfilled by the test: from then on every caller is answered.
    let isReleased = Promise<Void>()

    init(_ files: any ObjectStore) { self.files = files }

    func incoming(_ id: ObjectID) throws(ObjectError) -> IncomingStatus {
        isHeld.fulfil(())
        _ = isReleased.wait(until: Time.monotonic + .seconds(60))
        return try files.incoming(id)
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

    func remove(_ id: ObjectID) throws(ObjectError) -> Bool { try files.remove(id) }

    func walk() throws(ObjectError) -> any ObjectWalk { try files.walk() }

    func takeSweepingTurn() throws(ObjectError) -> (any ObjectLock)? { try files.takeSweepingTurn() }

    func incoming(untouchedFor age: Duration) throws(ObjectError) -> [IncomingStatus] {
        try files.incoming(untouchedFor: age)
    }

    func removeIncoming(_ id: ObjectID, untouchedFor age: Duration) throws(ObjectError) -> Bool {
        try files.removeIncoming(id, untouchedFor: age)
    }

    func openForeign(_ path: ObjectPath) throws(ObjectError) -> any ObjectReader { try files.openForeign(path) }
}
