import HTTPServing
import HTTPTypes
import Hummingbird
import Linux
import NIOCore
import Synchronization
import TestDeadline
import Testing

@Suite("Parties take turns on the threads for blocking calls", .deadline)
struct WorkScopeTests {
    /// The calls that ran, in their order.
    private final class Runs: Sendable {
        private let list = Mutex<[String]>([])
        func note(_ name: String) { list.withLock { $0.append(name) } }
        var names: [String] { list.withLock { $0 } }
    }

    private func wait(_ pool: BlockingPool, for load: (Int, Int)) async throws {
        while pool.load != load { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("A party's many slow calls leave threads to the others, which do not wait behind them")
    func share() async throws {
        let pool = BlockingPool(threadCount: 8, queueLength: 1000)
        let release = Promise<Void>()
        defer { release.fulfil(()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { try await WorkScope(party: "a").run { try await pool.run { release.wait() } } }
            }
            // A quarter of the threads.
            try await wait(pool, for: (2, 18))
            let answers = try await WorkScope(party: "b").run { (try await pool.run { 1 }, try await pool.run { 2 }) }
            #expect(answers == (1, 2))
            #expect(try await pool.run { 3 } == 3, "what is nobody's")
            release.fulfil(())
            try await group.waitForAll()
        }
        try await wait(pool, for: (0, 0))
        await pool.stop()
    }

    @Test("Where all threads are busy, the parties' calls run in turns, and those of one in their order")
    func turns() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 1000)
        let (release, runs) = (Promise<Void>(), Runs())
        defer { release.fulfil(()) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run { release.wait() } }
            try await wait(pool, for: (1, 0))
            for (place, name) in ["a1", "a2", "a3", "b1", "c1", "b2"].enumerated() {
                group.addTask {
                    try await WorkScope(party: String(name.prefix(1))).run { try await pool.run { runs.note(name) } }
                }
                try await wait(pool, for: (1, place + 1))
            }
            release.fulfil(())
            try await group.waitForAll()
        }
        #expect(runs.names == ["a1", "b1", "c1", "a2", "b2", "a3"])
        await pool.stop()
    }

    @Test("A party's queue has a bound of its own, and a cancelled call leaves it")
    func bound() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 32)
        let release = Promise<Void>()
        defer { release.fulfil(()) }
        let scope = WorkScope(party: "a")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run { release.wait() } }
            try await wait(pool, for: (1, 0))
            let cancelled = Task { try await scope.run { try await pool.run {} } }
            try await wait(pool, for: (1, 1))
            for count in 2...4 {
                group.addTask { try await scope.run { try await pool.run {} } }
                try await wait(pool, for: (1, count))
            }
            await #expect(throws: ServingError.overloaded) { try await scope.run { try await pool.run {} } }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            try await wait(pool, for: (1, 3))
            group.addTask { try await WorkScope(party: "b").run { try await pool.run {} } }
            try await wait(pool, for: (1, 4))
            release.fulfil(())
            try await group.waitForAll()
        }
        await pool.stop()
    }

    @TaskLocal private static var word = "none"

    @Test("A call finds on its thread what its scope sets there")
    func around() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 1)
        let scope = WorkScope(party: "a") { call in Self.$word.withValue("set", operation: call) }
        #expect(try await scope.run { try await pool.run { Self.word } } == "set")
        #expect(try await pool.run { Self.word } == "none")
        await pool.stop()
    }

    @Test("What an answer reads while it is sent belongs to its request's scope")
    func answer() async throws {
        let pool = BlockingPool(threadCount: 1, queueLength: 1)
        let scope = WorkScope(party: "a") { call in Self.$word.withValue("set", operation: call) }
        let words = Runs()
        let response = await scope.respond {
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    words.note(try await pool.run { Self.word })
                    try await writer.finish(nil)
                })
        }
        try await response.body.write(Nowhere())
        #expect(words.names == ["set"])
        await pool.stop()
    }

    /// Where nobody reads.
    private struct Nowhere: ResponseBodyWriter {
        mutating func write(_ buffer: ByteBuffer) async throws {}
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}
