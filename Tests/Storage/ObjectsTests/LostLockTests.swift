import Hashing
import Linux
import Objects
import StoreSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("The store in a bucket: a holder whose lock was lost", .serialized, .deadline)
struct LostLockTests {
    private let server = try! TestStore.shared.get()
    private let prefix = "lost-\(UInt64.random(in: 0...UInt64.max))"

    private static let bytes: [UInt8] = {
        var random = SplitMix(seed: 21)
        return (0..<(34 << 17)).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }()

    private static let lost = ObjectError.unavailable(detail: "the lock of a file that arrives was lost")

    private func send(_ range: Range<Int>, to file: any IncomingObject) throws {
        try file.append(Array(Self.bytes[range]))
    }

    @Test("A holder whose lock was lost changes nothing more of a file that another one went on with, and committed")
    func lostLock() throws {
        let locks = LosableLocks()
        let store = try BucketDatabase().store(server.client(), prefix: prefix, locks: locks)
        let file = try store.begin()
        try send(0..<(20 << 20), to: file)
        let digest = try file.seal()
        locks.lose()
        let next = try store.resume(file.id)
        try next.commit()
        #expect(throws: Self.lost) { try file.commit() }
        #expect(throws: Self.lost) { try file.discard() }
        #expect(try store.open(file.id).bytes() == Array(Self.bytes.prefix(20 << 20)))
        #expect(try SHA256.digest(of: store.open(file.id).bytes()) == digest)
    }

    @Test(
        "A holder whose lock was lost sends no part and writes no row",
        arguments: [1000, (8 << 20) + 1000, (16 << 20) + 1000])
    func lostLockBefore(count: Int) throws {
        let locks = LosableLocks()
        let store = try BucketDatabase().store(server.client(), prefix: prefix, locks: locks)
        var file: (any IncomingObject)? = try store.begin()
        let id = file!.id
        try send(0..<count, to: file!)
        try file!.sync()
        locks.lose()
        var next: (any IncomingObject)? = try store.resume(id)
        try send(count..<(count + 500), to: next!)
        try next!.sync()
        try send(count..<(count + 1), to: file!)
        #expect(throws: Self.lost) { try file!.sync() }
        #expect(throws: Self.lost) {
            try send((count + 1)..<(count + (17 << 20)), to: file!)
            try file!.sync()
        }
        #expect(throws: Self.lost) {
            try file!.seal()
            try file!.commit()
        }
        file = nil
        #expect(try store.incoming(id).byteCount == Int64(count + 500))
        try next!.close()
        next = try store.resume(id)
        try next!.commit()
        #expect(try store.open(id).bytes() == Array(Self.bytes.prefix(count + 500)))
    }

    @Test("A holder that does not know that its lock was lost changes no row of a file that another one has taken")
    func fenced() throws {
        let rows = try BucketDatabase()
        // Each store believes that it holds the file.
        let stores = (0..<2).map { _ in rows.store(server.client(), prefix: prefix, locks: LocalObjectLocks()) }
        let file = try stores[0].begin()
        try send(0..<1000, to: file)
        try file.sync()
        let next = try stores[1].resume(file.id)
        try send(1000..<1500, to: next)
        try next.sync()
        try send(1000..<1001, to: file)
        #expect(throws: ObjectError.busy) { try file.sync() }
        #expect(throws: ObjectError.busy) { try file.discard() }
        #expect(try stores[0].incoming(file.id).byteCount == 1500)
        try next.commit()
        #expect(try stores[0].open(file.id).bytes() == Array(Self.bytes.prefix(1500)))
        #expect(try rows.counts() == [:])
    }
}

/// Locks on a server that may become unreachable: then others can take them.
private final class LosableLocks: ObjectLocks {
    private struct State {
        var generation = 0
        var locks = LocalObjectLocks()
    }

    private let state = Mutex(State())

    /// Loses all locks, like a restart of the server.
    func lose() {
        state.withLock { state in
            state.generation += 1
            state.locks = LocalObjectLocks()
        }
    }

    func take(_ name: String, within patience: Duration) throws(ObjectError) -> (any ObjectLock)? {
        let (generation, locks) = state.withLock { ($0.generation, $0.locks) }
        return try locks.take(name, within: patience).map { Lock($0, generation, self) }
    }

    private final class Lock: ObjectLock {
        private let lock: any ObjectLock
        private let generation: Int
        private let locks: LosableLocks

        init(_ lock: any ObjectLock, _ generation: Int, _ locks: LosableLocks) {
            self.lock = lock
            self.generation = generation
            self.locks = locks
        }

        var isHeld: Bool { locks.state.withLock { $0.generation } == generation }
    }
}
