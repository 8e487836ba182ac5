import JobQueue
import Media
import TestDeadline
import Testing

@Suite("Every queue: leases, and the tokens that fence them", .deadline)
struct LeaseTests {
    @Test("A heartbeat moves the deadline, and the job stays with its worker", arguments: QueueDriver.allCases)
    func heartbeat(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(.of("/a"))
        let claimed = try #require(try bench.claim())
        bench.clock.advance(.seconds(29))
        #expect(try bench.queue.heartbeat(claimed.token, for: .seconds(30)) == bench.clock.now + .seconds(30))
        bench.clock.advance(.seconds(29))
        #expect(try bench.claim(by: "other") == nil)
        bench.clock.advance(.seconds(1))
        #expect(try bench.claim(by: "other") != nil)
    }

    @Test("A worker that lost the lease changes nothing by any operation", arguments: QueueDriver.allCases)
    func fencing(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        let old = try #require(try bench.claim(by: "first")).token
        try bench.queue.recordAttempt(old)
        bench.clock.advance(.seconds(30))
        let new = try #require(try bench.claim(by: "second"))
        try bench.queue.recordAttempt(new.token)
        let before = try bench.queue.show(id)
        let queue = bench.queue
        #expect(throws: QueueError.leaseLost) { try queue.heartbeat(old, for: .seconds(99)) }
        #expect(throws: QueueError.leaseLost) { try queue.recordAttempt(old) }
        #expect(throws: QueueError.leaseLost) { try queue.complete(old, JobOutcome()) }
        #expect(throws: QueueError.leaseLost) {
            try queue.fail(old, Failure(.corrupt), isRetryable: false, timings: [])
        }
        #expect(throws: QueueError.leaseLost) { try queue.release(old) }
        let after = try queue.show(id)
        #expect(after.job == before.job && after.attempts == before.attempts)
        try queue.complete(new.token, JobOutcome())
        #expect(throws: QueueError.leaseLost) { try queue.complete(new.token, JobOutcome()) }
        #expect(try queue.show(id).job.state == .done)
    }

    @Test("A job that comes back from its worker keeps its place in the order", arguments: QueueDriver.allCases)
    func place(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        for path in ["/a", "/b", "/c"] {
            try bench.queue.enqueue(.of(path))
            bench.clock.advance(.milliseconds(10))
        }
        #expect(try bench.dieWorking()?.job.source.location == "/a")
        let again = try #require(try bench.claim())
        #expect(again.job.source.location == "/a")
        try bench.queue.release(again.token)
        #expect(try bench.claim()?.job.source.location == "/a")
        #expect(try bench.claim(by: "other")?.job.source.location == "/b")
    }

    @Test("A dead worker's leases are reclaimed at once, and no other worker's", arguments: QueueDriver.allCases)
    func reclaiming(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let ids = try bench.queue.enqueue(["/a", "/b", "/c"].map { .of($0) }).map(\.id)
        let dead = try [bench.claim(by: "dead"), bench.claim(by: "dead")].map { try #require($0) }
        let living = try #require(try bench.claim(by: "living"))
        try bench.queue.recordAttempt(dead[0].token)
        #expect(try bench.queue.reclaim(from: "dead") == 2)
        #expect(try bench.queue.reclaim(from: "dead") == 0)
        let jobs = try ids.map { try bench.queue.show($0) }
        #expect(jobs.map(\.job.state) == [.available, .available, .leased])
        // The death counts against the job only if an attempt was recorded.
        #expect(jobs.map(\.job.workerDeathCount) == [1, 0, 0])
        #expect(jobs[0].attempts.map(\.end) == [.workerDied])
        let queue = bench.queue
        #expect(throws: QueueError.leaseLost) { try queue.complete(dead[1].token, JobOutcome()) }
        try queue.complete(living.token, JobOutcome())
    }

    @Test(
        "A lease that ran out before its attempt was recorded does not count against the job",
        arguments: QueueDriver.allCases)
    func unattempted(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        for _ in 0..<5 {
            #expect(try bench.claim() != nil)
            bench.clock.advance(.seconds(30))
            #expect(try bench.queue.reclaimExpired() == 1)
        }
        let (job, attempts) = try bench.queue.show(id)
        #expect(job.state == .available && job.workerDeathCount == 0 && attempts.isEmpty)
    }

    @Test(
        "An attempt is stored before the work, and recording it again adds none",
        arguments: QueueDriver.allCases)
    func attempts(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        let claimed = try #require(try bench.claim(by: "w"))
        let started = bench.clock.now
        #expect(try bench.queue.recordAttempt(claimed.token) == 1)
        bench.clock.advance(.seconds(1))
        #expect(try bench.queue.recordAttempt(claimed.token) == 1)
        let attempt = try #require(try bench.queue.show(id).attempts.first)
        #expect(attempt.started == started && attempt.ended == nil && attempt.end == nil)
    }

    @Test("A released job can be claimed at once, and nothing counts against it", arguments: QueueDriver.allCases)
    func release(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        for _ in 0..<4 {
            let claimed = try #require(try bench.claim())
            try bench.queue.recordAttempt(claimed.token)
            try bench.queue.release(claimed.token)
        }
        let (job, attempts) = try bench.queue.show(id)
        #expect(job.state == .available && job.workerDeathCount == 0 && job.failureCount == 0)
        #expect(attempts.map(\.end) == [.released, .released, .released, .released])
    }

    @Test("The next due moment includes the next deadline of a lease", arguments: QueueDriver.allCases)
    func nextDue(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        #expect(try bench.queue.nextDue() == nil)
        try bench.queue.enqueue(.of("/a"))
        #expect(try bench.queue.nextDue() == nil)
        let claimed = try #require(try bench.claim())
        #expect(try bench.queue.nextDue() == claimed.deadline)
    }
}
