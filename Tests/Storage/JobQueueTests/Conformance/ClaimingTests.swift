import JobQueue
import Media
import TestDeadline
import Testing

@Suite("Every queue: the order of claims", .deadline)
struct ClaimingTests {
    @Test(
        "Interactive jobs are claimed first, then uploads, then backfills, each with the oldest first",
        arguments: QueueDriver.allCases)
    func order(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        for (path, priority) in [
            ("/b1", Priority.backfill), ("/u1", .upload), ("/b2", .backfill), ("/i1", .interactive), ("/u2", .upload),
        ] {
            try bench.queue.enqueue(.of(path, priority: priority))
            bench.clock.advance(.milliseconds(10))
        }
        let claimed = try bench.queue.claim(upTo: 9, by: "w", for: .seconds(30))
        #expect(claimed.map(\.job.source.location) == ["/i1", "/u1", "/u2", "/b1", "/b2"])
        #expect(Set(claimed.map(\.token)).count == 5)
        #expect(claimed.allSatisfy { $0.deadline == bench.clock.now + .seconds(30) && $0.job.state == .leased })
        #expect(try bench.claim() == nil)
    }

    @Test("Under a flood of interactive jobs every eighth claim is still a backfill", arguments: QueueDriver.allCases)
    func fairness(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue((0..<5).map { .of("/old\($0)", priority: .backfill) })
        bench.clock.advance(.seconds(1))
        try bench.queue.enqueue((0..<100).map { .of("/new\($0)", priority: .interactive) })
        var turns: [Int] = []
        for turn in 1...40 where try bench.claim()?.job.priority == .backfill { turns.append(turn) }
        #expect(turns == [8, 16, 24, 32, 40])
    }

    @Test("A job that is begun has one open attempt, whoever records it", arguments: QueueDriver.allCases)
    func begins(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        for path in ["/a", "/b", "/c"] { try bench.queue.enqueue(.of(path)) }
        for number in 1...3 {
            let begun = try #require(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill))
            #expect(begun.attempt == nil || begun.attempt == 1)
            #expect(try bench.queue.recordAttempt(begun.token) == 1)
            let attempts = try bench.queue.show(begun.job.id).attempts
            #expect(attempts.map(\.number) == [1] && attempts[0].ended == nil && attempts[0].worker == "w")
            if number == 1 {
                try bench.queue.release(begun.token)
                let again = try #require(try bench.queue.begin(by: "v", for: .seconds(30), downTo: .backfill))
                #expect(again.job.id == begun.job.id)
                #expect(try bench.queue.recordAttempt(again.token) == 2)
                try bench.queue.complete(again.token, JobOutcome())
            }
        }
        #expect(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill) == nil)
    }

    @Test("A slot for urgent jobs claims no backfill, not even in a fair turn", arguments: QueueDriver.allCases)
    func lowest(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue((0..<20).map { .of("/b\($0)", priority: .backfill) })
        bench.clock.advance(.seconds(1))
        try bench.queue.enqueue((0..<9).map { .of("/u\($0)", priority: .upload) })
        let claimed = try bench.queue.claim(upTo: 20, by: "w", for: .seconds(30), downTo: .upload)
        #expect(claimed.count == 9 && claimed.allSatisfy { $0.job.priority == .upload })
        #expect(try bench.queue.claim(upTo: 1, by: "w", for: .seconds(30), downTo: .interactive).isEmpty)
        #expect(try bench.queue.claim(upTo: 1, by: "w", for: .seconds(30), downTo: .backfill).count == 1)
    }

    @Test("A waiter can be woken from another thread, even before it sleeps", arguments: QueueDriver.allCases)
    func waking(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let waiter = try bench.queue.makeWaiter()
        waiter.wake()
        #expect(try waiter.wait(atMost: .seconds(20)))
        #expect(try !waiter.wait(atMost: .milliseconds(20)))
    }

    @Test("A retry is not claimed before its time", arguments: QueueDriver.allCases)
    func notBefore(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(.of("/later", priority: .interactive))
        let first = try #require(try bench.claim())
        try bench.queue.fail(first.token, Failure(.unavailable), isRetryable: true, timings: [])
        let due = try bench.queue.show(first.job.id).job.notBefore
        #expect(due > bench.clock.now)
        #expect(try bench.queue.nextDue() == due)
        #expect(try bench.queue.status().oldestWaiting == nil)
        bench.clock.advance(due - bench.clock.now - .milliseconds(1))
        #expect(try bench.claim() == nil)
        bench.clock.advance(.milliseconds(1))
        #expect(try bench.queue.status().oldestWaiting == due)
        #expect(try bench.claim()?.job.source.location == "/later")
    }

    @Test("Jobs of a paused kind wait until it is resumed, while other kinds go on", arguments: QueueDriver.allCases)
    func pausing(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let video = try #require(JobKind(rawValue: "video"))
        try bench.queue.enqueue([.of("/v", priority: .interactive, kind: video), .of("/a", priority: .backfill)])
        try bench.queue.pause(video)
        try bench.queue.pause(video)
        #expect(try bench.queue.status().pausedKinds == [video])
        #expect(try bench.claim()?.job.source.location == "/a")
        #expect(try bench.claim() == nil)
        try bench.queue.resume(video)
        #expect(try bench.claim()?.job.source.location == "/v")
        #expect(try bench.queue.status().pausedKinds.isEmpty)
    }
}
