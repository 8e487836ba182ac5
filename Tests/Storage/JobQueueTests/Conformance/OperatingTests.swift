import JobQueue
import Media
import TestDeadline
import Testing

@Suite("Every queue: status, lists, pruning and waiting", .deadline)
struct OperatingTests {
    /// Enqueues and completes a job for each path, one second apart.
    private func complete(_ paths: [String], on bench: QueueBench) throws {
        for path in paths {
            try bench.queue.enqueue(.of(path))
            let claimed = try #require(try bench.claim())
            try bench.queue.recordAttempt(claimed.token)
            try bench.queue.complete(claimed.token, JobOutcome())
            bench.clock.advance(.seconds(1))
        }
    }

    @Test("Counts follow every transition between states", arguments: QueueDriver.allCases)
    func counts(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let video = try #require(JobKind(rawValue: "video"))
        try complete(["/1", "/2", "/3", "/4", "/5"], on: bench)
        try bench.queue.enqueue((0..<4).map { .of("/w\($0)") })
        try bench.queue.enqueue(.of("/v", kind: video))
        let claimed = try bench.queue.claim(upTo: 3, by: "w", for: .seconds(30))
        _ = try bench.queue.fail(claimed[0].token, Failure(.corrupt), isRetryable: false, timings: [])
        try bench.queue.cancel(claimed[1].job.id)
        let status = try bench.queue.status()
        let words = status.counts.map { "\($0.kind) \($0.state) \($0.jobCount)" }
        #expect(
            words == [
                "renditions available 1", "renditions leased 1", "renditions done 5", "renditions dead 1",
                "renditions cancelled 1", "video available 1",
            ])
        #expect(status.donePerMinute == 1)
        #expect(status.oldestWaiting == bench.clock.now)
        #expect(status.jobCount(.available) == 2 && status.jobCount(.available, of: video) == 1)
        bench.clock.advance(.seconds(301))
        #expect(try bench.queue.status().donePerMinute == 0)
    }

    @Test("Lists show the newest job first, by state and kind, page after page", arguments: QueueDriver.allCases)
    func lists(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try complete(["/1", "/2"], on: bench)
        try bench.queue.enqueue([.of("/3"), .of("/4", kind: JobKind(rawValue: "video")!), .of("/5")])
        func paths(_ filter: JobFilter) throws -> [String] { try bench.queue.list(filter).map(\.source.location) }
        #expect(try paths(JobFilter()) == ["/5", "/4", "/3", "/2", "/1"])
        #expect(try paths(JobFilter(state: .done)) == ["/2", "/1"])
        #expect(try paths(JobFilter(state: .available, kind: .renditions)) == ["/5", "/3"])
        let page = try bench.queue.list(JobFilter(limit: 2))
        #expect(page.map(\.source.location) == ["/5", "/4"])
        #expect(try paths(JobFilter(before: page[1].id, limit: 2)) == ["/3", "/2"])
    }

    @Test("Pruning deletes done jobs alone, by age and by count, the oldest first", arguments: QueueDriver.allCases)
    func prune(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try complete(["/1", "/2", "/3", "/4", "/5", "/6"], on: bench)
        let dead = try bench.queue.enqueue(.of("/dead")).id
        _ = try bench.queue.fail(
            try #require(try bench.claim()).token, Failure(.corrupt), isRetryable: false, timings: [])
        // Done 6, 5, 4, 3, 2 and 1 seconds ago.
        #expect(try bench.queue.prune(olderThan: .seconds(4), keepingAtMost: 100) == 2)
        #expect(try bench.queue.list(JobFilter(state: .done)).map(\.source.location) == ["/6", "/5", "/4", "/3"])
        #expect(try bench.queue.prune(olderThan: .seconds(4), keepingAtMost: 1) == 3)
        #expect(try bench.queue.list(JobFilter(state: .done)).map(\.source.location) == ["/6"])
        #expect(try bench.queue.prune(olderThan: .zero, keepingAtMost: 0) == 1)
        #expect(try bench.queue.show(dead).job.state == .dead)
        #expect(try bench.queue.status().jobCount(.done) == 0)
    }

    @Test(
        "A content is poisoned after two crashes, until the build changes",
        arguments: QueueDriver.allCases)
    func poison(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let queue = bench.queue
        let digest = try #require(Digest(bytes: [UInt8](repeating: 3, count: 32)))
        #expect(try !queue.recordCrash(of: digest, build: "a"))
        #expect(try !queue.isPoisoned(digest, build: "a") && queue.poisoned(limit: 9).isEmpty)
        #expect(try queue.recordCrash(of: digest, build: "a"))
        #expect(try queue.isPoisoned(digest, build: "a"))
        #expect(try !queue.isPoisoned(digest, build: "b"))
        let entry = try #require(try queue.poisoned(limit: 9).first)
        #expect(entry.digest == digest && entry.build == "a" && entry.crashCount == 2)
        #expect(entry.lastCrash == bench.clock.now)
        #expect(try !queue.recordCrash(of: digest, build: "b"))
        #expect(try queue.poisoned(limit: 9).isEmpty)
    }

    @Test(
        "A waiter wakes for jobs that were added since it was made, and only for those", arguments: QueueDriver.allCases
    )
    func waiting(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let waiter = try bench.queue.makeWaiter()
        #expect(try !waiter.wait(atMost: .milliseconds(20)))
        try bench.queue.enqueue(.of("/a"))
        #expect(try waiter.wait(atMost: .seconds(10)))
        #expect(try !waiter.wait(atMost: .milliseconds(20)))
        let claimed = try #require(try bench.claim())
        try bench.queue.fail(claimed.token, Failure(.unavailable), isRetryable: true, timings: [])
        // The wait ends when the job becomes due.
        #expect(try waiter.wait(atMost: .seconds(10)))
    }
}
