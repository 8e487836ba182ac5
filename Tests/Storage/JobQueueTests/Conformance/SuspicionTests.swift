import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Every queue: suspected jobs are claimed alone", .deadline)
struct SuspicionTests {
    /// Lets a worker die while it works on all waiting jobs.
    private func die(_ worker: String, holding count: Int, on bench: QueueBench) throws {
        for _ in 0..<count {
            let claimed = try #require(try bench.claim(by: worker))
            try bench.queue.recordAttempt(claimed.token)
        }
        #expect(try bench.queue.reclaim(from: worker) == count)
    }

    @Test(
        "Deaths beside other jobs make a job suspected; five deaths with the job alone make a dead letter",
        arguments: QueueDriver.allCases)
    func deaths(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let ids = try bench.queue.enqueue(["/a", "/b"].map { .of($0) }).map(\.id)
        try die("w0", holding: 2, on: bench)
        for id in ids {
            let job = try bench.queue.show(id).job
            #expect(job.isSuspected && job.workerDeathCount == 1 && job.aloneDeathCount == 0)
        }
        for count in 1...5 {
            #expect(try bench.queue.show(ids[0]).job.state == .available)
            try die("w\(count)", holding: 1, on: bench)
            #expect(try bench.queue.show(ids[0]).job.aloneDeathCount == count)
        }
        let (job, attempts) = try bench.queue.show(ids[0])
        #expect(job.state == .dead && job.lease == nil && job.finished == bench.clock.now)
        #expect(job.lastFailure?.code == .crashed && job.lastFailure?.detail.contains("5 workers died") == true)
        #expect(attempts.map(\.worker) == ["w0", "w1", "w2", "w3", "w4", "w5"])
        #expect(attempts.map(\.isAlone) == [false, true, true, true, true, true])
        #expect(attempts.allSatisfy { $0.end == .workerDied && $0.failure != nil && $0.ended != nil })
        let other = try bench.queue.show(ids[1]).job
        #expect(other.state == .available && other.aloneDeathCount == 0, "it was beside it once, no more")
        try bench.queue.requeue(ids[0])
        let again = try bench.queue.show(ids[0]).job
        #expect(!again.isSuspected && again.aloneDeathCount == 0)
    }

    @Test(
        "The worker of a suspected job gets no other job until that one ends, in any way",
        arguments: QueueDriver.allCases)
    func alone(driver: QueueDriver) throws {
        let ends: [(any JobQueue, LeaseToken) throws -> Void] = [
            { try $0.complete($1, JobOutcome()) }, { try $0.release($1) },
            { try $0.fail($1, Failure(.corrupt), isRetryable: false, timings: []) },
            { try $0.fail($1, Failure(.unavailable), isRetryable: true, timings: []) },
        ]
        for end in ends {
            let bench = try QueueBench(driver)
            try bench.queue.enqueue(.of("/suspect"))
            try die("dead", holding: 1, on: bench)
            try bench.queue.enqueue((0..<4).map { .of("/\($0)", priority: .interactive) })
            // Four more urgent jobs are claimed before it.
            let claimed = try bench.queue.claim(upTo: 9, by: "w", for: .seconds(30))
            #expect(claimed.count == 4 && claimed.allSatisfy { !$0.isAlone })
            for job in claimed { try bench.queue.complete(job.token, JobOutcome()) }
            let suspect = try #require(try bench.claim(by: "w"))
            #expect(suspect.isAlone && suspect.job.source.location == "/suspect")
            try bench.queue.enqueue(.of("/now", priority: .interactive))
            #expect(try bench.queue.claim(upTo: 9, by: "w", for: .seconds(30)).isEmpty)
            #expect(try bench.queue.claim(upTo: 9, by: "w", for: .seconds(30), downTo: .interactive).isEmpty)
            let waiter = try bench.queue.makeWaiter()
            try end(bench.queue, suspect.token)
            #expect(try waiter.wait(atMost: .seconds(20)), "the worker's other slots sleep")
            #expect(try bench.claim(by: "w")?.job.source.location == "/now")
        }
    }

    @Test(
        "Suspected jobs are claimed one after the other, each by an idle worker",
        arguments: QueueDriver.allCases)
    func several(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue((0..<6).map { .of("/\($0)") })
        try die("dead", holding: 6, on: bench)
        var places: [String] = []
        while let first = try bench.claim(by: "one") {
            let second = try bench.claim(by: "two")
            #expect(try bench.claim(by: "one") == nil && bench.claim(by: "two") == nil)
            for claimed in [first, second].compactMap({ $0 }) {
                #expect(claimed.isAlone)
                places.append(claimed.job.source.location)
                try bench.queue.complete(claimed.token, JobOutcome())
            }
        }
        #expect(places == (0..<6).map { "/\($0)" })
    }

    @Test(
        "A busy worker whose next job is suspected waits for its other jobs and takes it then, while other workers go on",
        arguments: QueueDriver.allCases)
    func draining(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let suspectID = try bench.queue.enqueue(.of("/suspect", priority: .backfill)).id
        try die("dead", holding: 1, on: bench)
        try bench.queue.enqueue(["/b1", "/b2"].map { .of($0, priority: .interactive) })
        let running = try bench.queue.claim(upTo: 2, by: "one", for: .seconds(3600))
        let other = try bench.queue.enqueue(.of("/b3", priority: .interactive)).id
        let otherRunning = try #require(try bench.claim(by: "two"))
        #expect(running.count == 2 && otherRunning.job.id == other)
        // The suspected job is next: "one" reserves it.
        #expect(try bench.claim(by: "one") == nil)
        try bench.queue.enqueue((0..<20).map { .of("/i\($0)", priority: .interactive) })
        #expect(try bench.claim(by: "one") == nil, "a reservation holds against more urgent jobs")
        #expect(try bench.queue.claim(upTo: 1, by: "one", for: .seconds(9), downTo: .interactive).isEmpty)
        // Another busy worker leaves it out, even in a fair turn.
        for _ in 0..<9 { #expect(try bench.claim(by: "two")?.job.isSuspected == false) }
        let waiter = try bench.queue.makeWaiter()
        try bench.queue.complete(running[0].token, JobOutcome())
        #expect(try bench.claim(by: "one") == nil)
        try bench.queue.complete(running[1].token, JobOutcome())
        #expect(try waiter.wait(atMost: .seconds(20)), "the slots that got nothing sleep")
        // A slot for urgent jobs leaves it to other slots.
        #expect(try bench.queue.claim(upTo: 1, by: "one", for: .seconds(9), downTo: .interactive).isEmpty)
        let suspect = try #require(try bench.claim(by: "one"))
        #expect(suspect.job.id == suspectID && suspect.isAlone)
    }

    @Test(
        "An idle worker takes a job that a busy one has reserved, and the busy one goes on",
        arguments: QueueDriver.allCases)
    func idle(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(.of("/suspect"))
        try die("dead", holding: 1, on: bench)
        try bench.queue.enqueue(.of("/long", priority: .interactive))
        #expect(try bench.claim(by: "busy")?.job.source.location == "/long")
        #expect(try bench.claim(by: "busy") == nil)
        let waiter = try bench.queue.makeWaiter()
        #expect(try bench.claim(by: "idle")?.isAlone == true)
        #expect(try waiter.wait(atMost: .seconds(20)))
        try bench.queue.enqueue(.of("/next"))
        #expect(try bench.claim(by: "busy")?.job.source.location == "/next")
    }

    @Test(
        "A job that hangs keeps its worker from claiming for a minute, and not forever",
        arguments: QueueDriver.allCases)
    func hanging(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue(.of("/suspect"))
        try die("dead", holding: 1, on: bench)
        try bench.queue.enqueue(.of("/hangs", priority: .interactive))
        let hanging = try #require(try bench.queue.claim(upTo: 1, by: "w", for: .seconds(3600)).first)
        #expect(try bench.claim(by: "w") == nil)
        try bench.queue.enqueue((0..<30).map { .of("/\($0)") })
        #expect(try bench.claim(by: "w") == nil)
        #expect(try bench.queue.nextDue() == bench.clock.now + .seconds(60))
        bench.clock.advance(.seconds(60))
        for _ in 0..<9 { #expect(try bench.claim(by: "w")?.job.isSuspected == false) }
        bench.clock.advance(.seconds(60))
        #expect(try bench.claim(by: "w") == nil, "it is tried again")
        try bench.queue.complete(hanging.token, JobOutcome())
        #expect(try bench.claim(by: "w")?.isAlone == true, "the others' leases have run out")
    }

    @Test("A reservation ends with its worker's death, and when its job is claimed", arguments: QueueDriver.allCases)
    func reservations(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let suspect = try bench.queue.enqueue(.of("/suspect")).id
        try die("dead", holding: 1, on: bench)
        try bench.queue.enqueue(["/1", "/2", "/3"].map { .of($0, priority: .interactive) })
        for worker in ["one", "two"] { #expect(try bench.claim(by: worker) != nil) }
        #expect(try bench.claim(by: "one") != nil)
        #expect(try bench.claim(by: "one") == nil)
        try bench.queue.reclaim(from: "one")
        // Neither job of "one" was attempted, so neither is suspected.
        #expect(try bench.claim(by: "two") != nil && bench.claim(by: "two") != nil)
        #expect(try bench.claim(by: "two") == nil, "now it is reserved by this one")
        try bench.queue.enqueue(.of("/4"))
        #expect(try bench.claim(by: "two") == nil)
        try bench.queue.cancel(suspect)
        #expect(try bench.claim(by: "two")?.job.source.location == "/4")
    }

    @Test(
        "Under any mix of suspected jobs, floods and slots every job ends, and no suspected one runs beside another job",
        arguments: QueueDriver.allCases, 1...6)
    func everything(driver: QueueDriver, seed: Int) throws {
        var dice = SplitMix(seed: UInt64(seed))
        let bench = try QueueBench(driver)
        let ids = try bench.queue.enqueue(
            (0..<40).map { .of("/\($0)", priority: Priority.allCases[$0 % 3]) }
        ).map(\.id)
        try die("dead", holding: 13, on: bench)
        var (held, flood, steps) = ([String: [ClaimedJob]](), 0, 0)
        while try ids.contains(where: { try bench.queue.show($0).job.state != .done }) {
            steps += 1
            try #require(steps < 5_000, "some job starves")
            bench.clock.advance(.milliseconds(100))
            flood += 1
            try bench.queue.enqueue(.of("/flood\(flood)", priority: .interactive))
            for worker in ["one", "two", "three"] {
                for lowest in [Priority.backfill, .backfill, .interactive] {
                    var own = held[worker, default: []]
                    if own.count < 3, Bool.random(using: &dice) {
                        own += try bench.queue.claim(upTo: 1, by: worker, for: .seconds(3600), downTo: lowest)
                    }
                    #expect(own.count <= 1 || !own.contains(where: \.isAlone))
                    if !own.isEmpty, Bool.random(using: &dice) {
                        let ended = own.remove(at: Int.random(in: 0..<own.count, using: &dice))
                        try bench.queue.complete(ended.token, JobOutcome())
                    }
                    held[worker] = own
                }
            }
        }
    }
}
