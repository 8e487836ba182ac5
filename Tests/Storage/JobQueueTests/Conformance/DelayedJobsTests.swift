import Database
import JobQueue
import Media
import Synchronization
import TestDeadline
import Testing

@Suite("Every queue: many jobs that wait to be tried again", .deadline)
struct DelayedJobsTests {
    /// Runs `body` in one transaction.
    ///
    /// - Returns: how much it read: steps of SQLite's virtual machine in units of twenty, of which each row takes a
    ///   few, or PostgreSQL's rows.
    @discardableResult
    private func reading(_ bench: QueueBench, _ body: () throws -> Void) throws -> Int {
        switch bench.database.dialect {
        case .sqlite:
            let steps = Mutex(0)
            let limit = SQLLimit(.seconds(600)) {
                steps.withLock { $0 += 1 }
                return true
            }
            try bench.database.transaction(within: limit, body)
            return steps.withLock { $0 }
        case .postgreSQL:
            return try bench.database.write { session in
                // The tables are so small that a sequential scan is often cheaper.
                try session.execute("SET LOCAL enable_seqscan = off")
                func rows() throws -> Int64 {
                    try session.integer(
                        """
                        SELECT CAST(sum(idx_tup_fetch) AS bigint) FROM pg_stat_xact_user_tables
                        WHERE relname = 'queue_job'
                        """) ?? 0
                }
                let before = try rows()
                try body()
                return Int(try rows() - before)
            }
        }
    }

    /// A queue in which jobs of one party have failed once.
    private func bench(_ driver: QueueDriver, delayed count: Int) throws -> QueueBench {
        let bench = try QueueBench(driver)
        try reading(bench) {
            try bench.queue.enqueue((0..<count).map { .of("/a\($0)", party: "a") })
            for claimed in try bench.queue.claim(upTo: count, by: "w", for: .seconds(30)) {
                try bench.queue.fail(claimed.token, Failure(.unavailable), isRetryable: true, timings: [])
            }
        }
        return bench
    }

    /// What each operation reads in a queue with `count` delayed jobs.
    private func costs(_ driver: QueueDriver, delayed count: Int) throws -> [Int] {
        let bench = try bench(driver, delayed: count)
        return [
            try reading(bench) {
                let claimed = try bench.claim()
                #expect(claimed == nil)
            },
            try reading(bench) { _ = try bench.queue.nextDue() },
            try reading(bench) { try bench.queue.enqueue([.of("/b0", party: "a")]) },
            try reading(bench) { try bench.queue.enqueue([.of("/b1", party: "a"), .of("/c", party: "c")]) },
            // The party's next job moves up.
            try reading(bench) {
                let claimed = try bench.claim()
                #expect(claimed?.job.source.location == "/b0")
            },
            try reading(bench) { _ = try bench.queue.status() },
        ]
    }

    @Test("Claims and new jobs read none of them", arguments: QueueDriver.allCases)
    func cost(driver: QueueDriver) throws {
        let few = try costs(driver, delayed: 5)
        let many = try costs(driver, delayed: 1000)
        for (index, (few, many)) in zip(few, many).enumerated() {
            #expect(many < few + 50, "operation \(index): \(few) and \(many)")
        }
    }

    @Test("A retry waits for its own backoff, and a new job of its party for none", arguments: QueueDriver.allCases)
    func apart(driver: QueueDriver) throws {
        let bench = try bench(driver, delayed: 20)
        let new = try bench.queue.enqueue([.of("/new", party: "a")])[0].id
        #expect(try bench.queue.show(new).job.turn == bench.clock.now)
        #expect(try bench.claim()?.job.id == new)
        bench.clock.advance(.seconds(1))
        let claimed = try bench.queue.claim(upTo: 99, by: "w", for: .seconds(30))
        #expect(claimed.count == 20 && claimed.allSatisfy { $0.job.turn == $0.job.notBefore })
    }

    @Test("An equal request makes a retry more urgent, and leaves it its backoff", arguments: QueueDriver.allCases)
    func joined(driver: QueueDriver) throws {
        let bench = try bench(driver, delayed: 1)
        let before = try #require(try bench.queue.list(JobFilter()).first)
        try bench.queue.enqueue([.of("/a0", party: "b")])
        #expect(try bench.queue.show(before.id).job == before)
        // Behind two others of its party, the request's own turn is minutes away.
        try bench.queue.enqueue(["/b0", "/b1", "/a0"].map { .of($0, priority: .interactive, party: "b") })
        let after = try bench.queue.show(before.id).job
        #expect(after.priority == .interactive && after.party == "b")
        #expect(after.turn == before.turn && after.notBefore == before.notBefore)
    }
}
