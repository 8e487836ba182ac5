import Database
import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Every queue: turns between parties", .deadline)
struct PartyTests {
    /// Jobs of a party, with paths like `/a7`.
    private func jobs(
        _ count: Int, of party: String, from first: Int = 0, _ priority: Priority = .upload
    ) -> [JobRequest] {
        (first..<first + count).map { .of("/\(party)\($0)", priority: priority, party: party) }
    }

    /// The paths of the next jobs, each claimed separately.
    private func claims(_ count: Int, _ bench: QueueBench) throws -> [String] {
        try (0..<count).compactMap { _ in try bench.claim()?.job.source.location }
    }

    @Test("Behind a thousand jobs of one party, another's is among the next two", arguments: QueueDriver.allCases)
    func flood(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(1000, of: "a"))
        #expect(try claims(3, bench) == ["/a0", "/a1", "/a2"], "where nobody else waits")
        for number in 0..<3 {
            bench.clock.advance(.seconds(1))
            try bench.queue.enqueue(jobs(1, of: "b", from: number))
            #expect(try claims(2, bench).contains("/b\(number)"))
        }
    }

    @Test("The jobs of parties that a worker passes over wait, and others come", arguments: QueueDriver.allCases)
    func passedOver(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        func begin(passing parties: Set<String>) throws -> String? {
            try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill, passing: parties)?.job.source.location
        }
        try bench.queue.enqueue(jobs(3, of: "a") + jobs(1, of: "it's"))
        #expect(try begin(passing: ["a"]) == "/it's0")
        #expect(try begin(passing: ["a", "it's"]) == nil)
        try bench.queue.enqueue([.of("/nobody's")])
        #expect(try begin(passing: ["a"]) == "/nobody's")
        #expect(try begin(passing: ["it's"]) == "/a0")
        #expect(try begin(passing: []) == "/a1")
    }

    @Test("A party with running jobs lets another's new job pass", arguments: QueueDriver.allCases)
    func courtesy(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(40, of: "a"))
        _ = try claims(2, bench)
        bench.clock.advance(.seconds(5))
        try bench.queue.enqueue(jobs(1, of: "b"))
        try bench.queue.enqueue(jobs(1, of: "a", from: 40))
        #expect(try claims(1, bench) == ["/b0"])
        _ = try claims(39, bench)
        try bench.queue.enqueue(jobs(1, of: "a", from: 41))
        try bench.queue.enqueue(jobs(1, of: "c"))
        #expect(try claims(2, bench) == ["/c0", "/a41"], "a party of which one job runs and none waits")
    }

    @Test(
        "Three parties take turns, each in the order of its own jobs", arguments: QueueDriver.allCases, [false, true])
    func interleaving(driver: QueueDriver, isMoving: Bool) throws {
        let bench = try QueueBench(driver)
        for party in ["a", "b", "c"] { try bench.queue.enqueue(jobs(30, of: party)) }
        var claimed: [String] = []
        for _ in 0..<90 {
            claimed += try claims(1, bench)
            if isMoving { bench.clock.advance(.milliseconds(200)) }
        }
        #expect(claimed == (0..<30).flatMap { number in ["/a\(number)", "/b\(number)", "/c\(number)"] })
    }

    @Test("Jobs that one claim leases are of several parties", arguments: QueueDriver.allCases)
    func severalAtOnce(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(5, of: "a") + jobs(5, of: "b"))
        let claimed = try bench.queue.claim(upTo: 4, by: "w", for: .seconds(30))
        #expect(claimed.map(\.job.source.location) == ["/a0", "/b0", "/a1", "/b1"])
    }

    @Test("Jobs without a party keep their order, whatever parties add", arguments: QueueDriver.allCases)
    func withoutParty(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue((0..<20).map { .of("/\($0)") })
        bench.clock.advance(.milliseconds(1))
        try bench.queue.enqueue(jobs(20, of: "a"))
        bench.clock.advance(.milliseconds(1))
        try bench.queue.enqueue((20..<40).map { .of("/\($0)") })
        let claimed = try claims(60, bench)
        #expect(claimed.filter { !$0.hasPrefix("/a") } == (0..<40).map { "/\($0)" })
        #expect(claimed.filter { $0.hasPrefix("/a") } == (0..<20).map { "/a\($0)" })
        #expect(claimed.firstIndex(of: "/a0") == 20)
    }

    @Test("Once a party's jobs have ended, its next one is no later than another's", arguments: QueueDriver.allCases)
    func drained(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(50, of: "a"))
        while let claimed = try bench.claim() { try bench.queue.complete(claimed.token, JobOutcome()) }
        try bench.queue.enqueue(jobs(1, of: "a", from: 50) + jobs(1, of: "b"))
        #expect(try claims(2, bench) == ["/a50", "/b0"])
    }

    @Test("A party's turns at one priority cost none at another", arguments: QueueDriver.allCases)
    func priorities(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(30, of: "a"))
        try bench.queue.enqueue(jobs(1, of: "a", from: 90, .interactive))
        bench.clock.advance(.milliseconds(1))
        try bench.queue.enqueue(jobs(1, of: "b", .interactive))
        #expect(try claims(2, bench) == ["/a90", "/b0"])
    }

    @Test("Another party's equal request does not wait for the first one's turn", arguments: QueueDriver.allCases)
    func joined(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let ids = try bench.queue.enqueue(jobs(30, of: "a")).map(\.id)
        bench.clock.advance(.seconds(1))
        try bench.queue.enqueue([.of("/a20", party: "b"), .of("/a25")])
        #expect(try bench.queue.show(ids[20]).job.party == "b")
        #expect(try claims(4, bench) == ["/a0", "/a20", "/a25", "/a1"])
        // The party's own request changes nothing.
        try bench.queue.enqueue(jobs(1, of: "a", from: 9))
        #expect(try bench.queue.show(ids[9]).job.party == "a")
        #expect(try claims(3, bench) == ["/a2", "/a3", "/a4"])
    }

    @Test(
        "What comes back keeps its turn, and what failed waits for its backoff alone", arguments: QueueDriver.allCases)
    func comingBack(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(3, of: "a") + jobs(3, of: "b"))
        let first = try #require(try bench.claim())
        try bench.queue.release(first.token)
        let again = try #require(try bench.claim())
        #expect(again.job.id == first.job.id)
        try bench.queue.fail(again.token, Failure(.unavailable), isRetryable: true, timings: [])
        #expect(try claims(2, bench) == ["/b0", "/a1"])
        bench.clock.advance(.seconds(1))
        #expect(try claims(1, bench) == ["/a0"])
    }

    @Test("A job that has ended has no party, and none when it is requeued", arguments: QueueDriver.allCases)
    func ended(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let ids = try bench.queue.enqueue(jobs(3, of: "a")).map(\.id)
        let claimed = try bench.queue.claim(upTo: 2, by: "w", for: .seconds(30))
        try bench.queue.complete(claimed[0].token, JobOutcome())
        try bench.queue.fail(claimed[1].token, Failure(.corrupt), isRetryable: false, timings: [])
        try bench.queue.cancel(ids[2])
        #expect(try bench.queue.list(JobFilter()).allSatisfy { !$0.state.isUnfinished && $0.party == nil })
        try bench.queue.requeue(ids[1])
        let again = try #require(try bench.claim())
        #expect(again.job.id == ids[1] && again.job.party == nil)
    }

    @Test("A party that is forgotten leaves its jobs in their places", arguments: QueueDriver.allCases)
    func forgotten(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(jobs(4, of: "a") + jobs(1, of: "b"))
        let running = try #require(try bench.claim())
        try bench.database.write { session in try QueueTables.forget(party: "a", in: session) }
        #expect(try bench.queue.list(JobFilter()).compactMap(\.party) == ["b"])
        try bench.queue.release(running.token)
        #expect(try bench.queue.show(running.job.id).job.party == nil)
        // No slot is idle while one of them waits, even if its turn is minutes away.
        #expect(try claims(9, bench) == ["/a0", "/b0", "/a1", "/a2", "/a3"])
    }

    @Test("A request of a higher priority takes the place of a new job there", arguments: QueueDriver.allCases)
    func raised(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let ids = try bench.queue.enqueue(jobs(3, of: "a")).map(\.id)
        bench.clock.advance(.seconds(5))
        try bench.queue.enqueue(jobs(1, of: "a", from: 90, .interactive) + jobs(1, of: "a", .interactive))
        let raised = try bench.queue.show(ids[0]).job
        #expect(raised.priority == .interactive && raised.turn == bench.clock.now + .seconds(60))
    }

    @Test("No job waits forever while new parties take all turns that there are", arguments: QueueDriver.allCases)
    func noStarvation(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        var random = SplitMix(seed: 7)
        var added: [String: Int] = [:]
        try bench.queue.enqueue(jobs(20, of: "old"))
        for number in 0..<20 { added["/old\(number)"] = 0 }
        var longest = 0
        for step in 1...600 {
            bench.clock.advance(.seconds(1))
            // As many jobs as claims, from new parties or a few regular ones.
            let party = random.next() % 3 == 0 ? "regular\(random.next() % 4)" : "new\(step)x"
            try bench.queue.enqueue(jobs(1, of: party, from: step))
            added["/\(party)\(step)"] = step
            let claimed = try #require(try bench.claim())
            longest = max(longest, step - (added.removeValue(forKey: claimed.job.source.location) ?? .min))
            try bench.queue.complete(claimed.token, JobOutcome())
        }
        #expect(added.keys.allSatisfy { !$0.hasPrefix("/old") })
        #expect(longest < 400 && added.count == 20)
        #expect(added.values.allSatisfy { $0 > 200 })
    }
}
