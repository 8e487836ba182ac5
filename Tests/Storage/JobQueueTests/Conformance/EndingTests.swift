import JobQueue
import Media
import TestDeadline
import Testing

@Suite("Every queue: how jobs end", .deadline)
struct EndingTests {
    @Test("A done job has its digest, and its attempt the timings", arguments: QueueDriver.allCases)
    func completion(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        let claimed = try #require(try bench.claim())
        try bench.queue.recordAttempt(claimed.token)
        bench.clock.advance(.seconds(2))
        let digest = Digest(bytes: [UInt8](repeating: 9, count: 32))
        let timings = [
            Attempt.Timing(step: "sniff", milliseconds: 2.5), Attempt.Timing(step: "render", milliseconds: 71),
        ]
        try bench.queue.complete(claimed.token, JobOutcome(digest: digest, timings: timings))
        let (job, attempts) = try bench.queue.show(id)
        #expect(job.state == .done && job.digest == digest && job.finished == bench.clock.now && job.lease == nil)
        #expect(attempts.count == 1 && attempts[0].end == .completed && attempts[0].timings == timings)
        #expect(attempts[0].ended == bench.clock.now)
    }

    @Test("A lasting failure makes a dead letter with its reason", arguments: QueueDriver.allCases)
    func deadLetter(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        let claimed = try #require(try bench.claim())
        try bench.queue.recordAttempt(claimed.token)
        let failure = Failure(.corrupt, detail: "xref \"missing\" – 1")
        #expect(try bench.queue.fail(claimed.token, failure, isRetryable: false, timings: []) == .dead)
        let (job, attempts) = try bench.queue.show(id)
        #expect(job.state == .dead && job.lastFailure == failure)
        #expect(attempts.map(\.failure) == [failure] && attempts.map(\.end) == [.failed])
    }

    /// The expected delays: at most 1, 2, 4 … up to 600 seconds, at least half of that.
    @Test(
        "Retryable failures come back after growing delays, and end after ten",
        arguments: QueueDriver.allCases, [UInt64.min, UInt64.max])
    func backoff(driver: QueueDriver, random: UInt64) throws {
        var policy = QueuePolicy()
        policy.longestBackoff = .seconds(100)
        let bench = try QueueBench(driver, policy: policy, random: random)
        let id = try bench.queue.enqueue(.of("/a")).id
        let longest: [Int64] = [1000, 2000, 4000, 8000, 16000, 32000, 64000, 100_000, 100_000]
        for milliseconds in longest {
            let claimed = try #require(try bench.claim())
            let state = try bench.queue.fail(claimed.token, Failure(.unavailable), isRetryable: true, timings: [])
            #expect(state == .available)
            let delay = (try bench.queue.show(id).job.notBefore - bench.clock.now)
            let expected: Duration = .milliseconds(random == 0 ? milliseconds / 2 : milliseconds)
            #expect(delay <= expected && delay >= expected - .milliseconds(1))
            #expect(try bench.claim() == nil)
            bench.clock.advance(delay)
        }
        let claimed = try #require(try bench.claim())
        #expect(try bench.queue.fail(claimed.token, Failure(.unavailable), isRetryable: true, timings: []) == .dead)
        #expect(try bench.queue.show(id).job.failureCount == 10)
    }

    @Test("A requeued dead letter has no counts, and keeps its attempts", arguments: QueueDriver.allCases)
    func requeue(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let id = try bench.queue.enqueue(.of("/a")).id
        for _ in 0..<6 { #expect(try bench.dieWorking() != nil) }
        #expect(try bench.queue.show(id).job.state == .dead)
        bench.clock.advance(.seconds(5))
        try bench.queue.requeue(id)
        let (job, attempts) = try bench.queue.show(id)
        #expect(job.state == .available && job.workerDeathCount == 0 && job.finished == nil && attempts.count == 6)
        let claimed = try #require(try bench.claim())
        #expect(try bench.queue.recordAttempt(claimed.token) == 7)
    }

    @Test("An unfinished job is not requeued, nor one with an unfinished equal", arguments: QueueDriver.allCases)
    func badRequeue(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let queue = bench.queue
        let id = try queue.enqueue(.of("/a")).id
        #expect(throws: QueueError.wrongState(id, .available)) { try queue.requeue(id) }
        try queue.cancel(id)
        let other = try queue.enqueue(.of("/a")).id
        #expect(throws: QueueError.duplicate(of: other)) { try queue.requeue(id) }
        #expect(throws: QueueError.noSuchJob(JobID(rawValue: 999))) { try queue.requeue(JobID(rawValue: 999)) }
        #expect(throws: QueueError.noSuchJob(JobID(rawValue: 999))) { try queue.show(JobID(rawValue: 999)) }
        #expect(try queue.show(id).job.state == .cancelled)
    }

    @Test("Cancelling takes the job from its worker", arguments: QueueDriver.allCases)
    func cancel(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let queue = bench.queue
        let id = try queue.enqueue(.of("/a")).id
        let claimed = try #require(try bench.claim())
        try queue.recordAttempt(claimed.token)
        try queue.cancel(id)
        #expect(throws: QueueError.leaseLost) { try queue.heartbeat(claimed.token, for: .seconds(30)) }
        #expect(throws: QueueError.wrongState(id, .cancelled)) { try queue.cancel(id) }
        let (job, attempts) = try queue.show(id)
        #expect(job.state == .cancelled && attempts.map(\.end) == [.cancelled])
        #expect(try bench.claim() == nil)
    }
}
