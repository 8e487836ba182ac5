import HTTPServing
import Linux
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("Threads for blocking calls", .deadline)
struct BlockingPoolTests {
    @Test("A pool is stuck once all its threads are busy and no call begins or ends", .timeLimit(.minutes(1)))
    func stuck() async throws {
        let pool = BlockingPool(threadCount: 2, queueLength: 10)
        let gates = (0..<3).map { _ in Promise<Void>() }
        defer { for gate in gates { gate.fulfil(()) } }
        let calls = gates.map { gate in Task { try await pool.run { gate.wait() } } }
        while pool.load != (2, 1) { try await Task.sleep(for: .milliseconds(1)) }
        #expect(!pool.isStuck(for: .seconds(60)))
        while !pool.isStuck(for: .milliseconds(50)) { try await Task.sleep(for: .milliseconds(1)) }
        gates[0].fulfil(())
        gates[1].fulfil(())
        for call in calls[..<2] { try await call.value }
        // A thread is free, as soon as it has noticed.
        while pool.isStuck(for: .zero) { try await Task.sleep(for: .milliseconds(1)) }
        gates[2].fulfil(())
        try await calls[2].value
    }

    private struct Fault: Error {}

    /// The calls that ran, in their order.
    private final class Runs: Sendable {
        private let list = Mutex<[Int]>([])
        func note(_ number: Int) { list.withLock { $0.append(number) } }
        var numbers: [Int] { list.withLock { $0 } }
    }

    @Test("Values and errors come back")
    func results() async throws {
        let pool = BlockingPool(threadCount: 2, queueLength: 0)
        #expect(try await pool.run { 7 } == 7)
        await #expect(throws: Fault.self) { try await pool.run { throw Fault() } }
        #expect(pool.load == (0, 0))
        await pool.stop()
        await #expect(throws: ServingError.stopping) { try await pool.run { 7 } }
    }

    /// Fills the pool's one thread until the promise is fulfilled.
    private func occupy(_ pool: BlockingPool, until promise: Promise<Bool>) async throws -> Task<Bool, any Error> {
        let hasBegun = Promise<Bool>()
        let task = Task {
            try await pool.run {
                hasBegun.fulfil(true)
                return try promise.value()
            }
        }
        while hasBegun.current == nil { try await Task.sleep(for: .milliseconds(1)) }
        return task
    }

    private func wait(_ pool: BlockingPool, for waiting: Int) async throws {
        while pool.load.waiting != waiting { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("Beyond the queue's length a call is refused at once, and the others run in their order")
    func overload() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 3)
        let release = Promise<Bool>()
        defer { release.fulfil(true) }
        let first = try await occupy(pool, until: release)
        let runs = Runs()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask { try await pool.run { runs.note(number) } }
                try await wait(pool, for: number + 1)
            }
            await #expect(throws: ServingError.overloaded) { try await pool.run {} }
            #expect(pool.load == (1, 3))
            release.fulfil(true)
            try await group.waitForAll()
        }
        #expect(try await first.value)
        #expect(runs.numbers == [0, 1, 2])
    }

    @Test("A cancelled call gives up its place, and never runs")
    func cancellation() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 1)
        let release = Promise<Bool>()
        defer { release.fulfil(true) }
        let first = try await occupy(pool, until: release)
        let runs = Runs()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run { runs.note(1) } }
            try await wait(pool, for: 1)
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        #expect(pool.load == (1, 0))
        release.fulfil(true)
        #expect(try await first.value)
        #expect(runs.numbers.isEmpty)
        // Cancelled before it is asked.
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await pool.run { 1 }
        }
        _ = await before.result
        #expect(pool.load.waiting == 0)
    }

    @Test("Many tasks on few threads all get their turn, cancelled or not")
    func many() async throws {
        let pool = BlockingPool(threadCount: 3, queueLength: 10_000)
        let runs = Runs()
        let cancelled = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let task = Task { try await pool.run { runs.note(number) } }
                    if number % 3 == 0 { task.cancel() }
                    if case .failure = await task.result { return true }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(runs.numbers.count == 2000 - cancelled)
        #expect(pool.load == (0, 0))
    }

    @Test("Stopping waits for what runs, and refuses what waits")
    func stop() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 5)
        let release = Promise<Bool>()
        defer { release.fulfil(true) }
        let first = try await occupy(pool, until: release)
        let second = Task { try await pool.run { 2 } }
        try await wait(pool, for: 1)
        let stop = Task { await pool.stop() }
        await #expect(throws: ServingError.stopping) { try await second.value }
        release.fulfil(true)
        await stop.value
        #expect(try await first.value)
    }
}
