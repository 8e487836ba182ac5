import Database
import Foundation
import JobQueue
import Linux
import Media
import PostgreSQLSupport
import Synchronization
import TestDeadline
import Testing

/// Runs a closure on its own threads, one for each number, and waits for all of them.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
    let threads = try (0..<count).map { index in try WorkerThread(name: "test") { body(index) } }
    for thread in threads { thread.join() }
}

@Suite("PostgreSQLQueue: several processes, and a server that goes away", .deadline)
struct PostgreSQLQueueTests {
    private let scratch = try! ScratchDatabase()

    private func queue(_ surroundings: QueueSurroundings? = nil) throws -> PostgreSQLQueue {
        try QueueTables.migrate(scratch.database)
        return try PostgreSQLQueue(scratch.database, surroundings)
    }

    @Test("Of ten programs that start together one makes the tables")
    func migration() throws {
        let before = Mutex([Int]())
        let errors = Mutex([String]())
        try onThreads(10) { _ in
            do {
                let found = try QueueTables.migrate(scratch.database).before
                before.withLock { $0.append(found) }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(before.withLock { $0.sorted() } == [0] + Array(repeating: 3, count: 9))
    }

    @Test("A database without tables, and one of a newer program, say so")
    func versions() throws {
        #expect(throws: QueueError.notMigrated(detail: "version 0 of 3")) {
            try PostgreSQLQueue(scratch.database)
        }
        _ = try queue()
        try scratch.server.psql(scratch.name, "UPDATE schema_versions SET version = 9 WHERE name = 'queue'")
        #expect(throws: QueueError.newerSchema(found: 9, known: 3)) {
            try PostgreSQLQueue(scratch.database)
        }
        #expect(throws: QueueError.newerSchema(found: 9, known: 3)) { try QueueTables.migrate(scratch.database) }
    }

    @Test("A program that does not listen wakes workers at once, though it may end right after")
    func shortProgram() throws {
        let waiter = try queue().makeWaiter()
        while try waiter.wait(atMost: .milliseconds(10)) {}
        try PostgreSQLQueue(scratch.reopened(listens: false)).enqueue(.of("/a"))
        // Without a signal it would look only after 15 s.
        #expect(try waiter.wait(atMost: .seconds(10)))
    }

    @Test("Eight workers claim and end a thousand jobs: each job has one completion, and the counts agree")
    func manyWorkers() throws {
        let queue = try queue()
        try queue.enqueue((0..<1000).map { .of("/\($0)") })
        let done = Mutex([JobID: Int]())
        let errors = Mutex([String]())
        try onThreads(8) { number in
            do {
                while true {
                    let claimed = try queue.claim(upTo: 3, by: "w\(number)", for: .seconds(30))
                    if claimed.isEmpty { return }
                    for job in claimed {
                        try queue.recordAttempt(job.token)
                        try queue.complete(job.token, JobOutcome(digest: nil, timings: []))
                        done.withLock { $0[job.job.id, default: 0] += 1 }
                    }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(done.withLock { $0.count } == 1000 && done.withLock { $0.values.allSatisfy { $0 == 1 } })
        #expect(try queue.status().jobCount(.done) == 1000)
        #expect(try queue.status().counts.count == 1)
        try queue.prune(olderThan: .seconds(3600), keepingAtMost: 1000)
        let rows = try scratch.server.psql(scratch.name, "SELECT state, jobs FROM queue_count")
        #expect(rows == ["done|1000"], "each count is one row after folding")
    }

    @Test("A job that came back in another process is claimed in its old place soon, or where nothing else waits")
    func comesBack() throws {
        let clock = ManualClock()
        let queue = try queue(QueueSurroundings(clock: clock))
        let other = try PostgreSQLQueue(scratch.database, QueueSurroundings(clock: clock))
        try queue.enqueue((0..<6).map { .of("/\($0)") })
        func claim() throws -> ClaimedJob? { try queue.claim(upTo: 1, by: "w", for: .seconds(30)).first }
        let first = try #require(try claim())
        let second = try #require(try claim())
        try other.release(first.token)
        clock.advance(.milliseconds(400))
        #expect(try claim()?.job.id == first.job.id)
        try other.release(second.token)
        let rest = try (0..<5).map { _ in try claim()?.job.source.location }
        #expect(Set(rest) == ["/1", "/2", "/3", "/4", "/5"])
        #expect(try claim() == nil)
    }

    @Test("All leases that ran out are found, more at once than one claim reclaims, and those that run out later")
    func manyExpired() throws {
        let clock = ManualClock()
        let queue = try queue(QueueSurroundings(clock: clock))
        try queue.enqueue((0..<2500).map { .of("/\($0)") })
        let before = (clock.now - .seconds(3600)).milliseconds
        try scratch.server.psql(
            scratch.name,
            """
            UPDATE queue_job SET state = 'leased', lease_token = md5(id::text), lease_worker = 'gone',
                lease_claimed = \(before), lease_deadline = \(before) + id
            """)
        func claim() throws -> Int { try queue.claim(upTo: 3000, by: "w", for: .seconds(2)).count }
        // A claim that reclaims gets some of the jobs that it has reclaimed.
        var count = 0
        for _ in 0..<6 { count += try claim() }
        #expect(count == 2500)
        for _ in 0..<4 {
            #expect(try claim() == 0)
            clock.advance(.milliseconds(400))
        }
        clock.advance(.seconds(2))
        count = 0
        for _ in 0..<6 { count += try claim() }
        #expect(count == 2500, "what was claimed a moment ago")
    }

    @Test("A lease that ran out while another transaction held its job is found once that is over")
    func heldExpired() throws {
        let clock = ManualClock()
        let queue = try queue(QueueSurroundings(clock: clock))
        try queue.enqueue([.of("/a")])
        func claim(_ worker: String) throws -> ClaimedJob? {
            try queue.claim(upTo: 1, by: worker, for: .seconds(2)).first
        }
        let first = try #require(try claim("gone"))
        clock.advance(.seconds(3))
        try scratch.database.transaction(.durable) { session in
            try session.script("UPDATE queue_job SET enqueued = enqueued")
            #expect(try claim("w") == nil)
            clock.advance(.seconds(12))
            #expect(try claim("w") == nil)
        }
        clock.advance(.milliseconds(400))
        #expect(try claim("w")?.job.id == first.job.id)
    }

    @Test(
        "A claim whose commit's answer was lost is the job that it has leased, with its attempt",
        arguments: [false, true])
    func lostAnswer(begins: Bool) throws {
        let queue = try queue()
        try queue.enqueue((0..<4).map { .of("/\($0)") })
        // The number of a client's pieces that pass before the one whose answer is lost.
        let pieces = Mutex<Int?>(nil)
        let proxy = try ServerProxy(to: scratch.server) { _ in
            pieces.withLock { pieces in
                guard let left = pieces else { return .pass }
                pieces = left == 0 ? nil : left - 1
                return left == 0 ? .loseAnswer : .pass
            }
        }
        let address = try Address(proxy.url(of: scratch.name), program: "tests")
        // Its own clock stands still, so that the second claim continues where the first one ended.
        let faulty = try PostgreSQLQueue(
            PostgreSQLDatabase(address), QueueSurroundings(clock: ManualClock()))
        _ = try #require(try faulty.claim(upTo: 1, by: "w", for: .seconds(30)).first)
        // The second piece commits.
        pieces.withLock { $0 = 1 }
        let claimed = try #require(
            begins
                ? try faulty.begin(by: "w", for: .seconds(30), downTo: .backfill)
                : try faulty.claim(upTo: 1, by: "w", for: .seconds(30)).first)
        #expect(pieces.withLock { $0 } == nil)
        let leased = try scratch.server.psql(
            scratch.name, "SELECT lease_token FROM queue_job WHERE state = 'leased' ORDER BY id")
        #expect(leased.count == 2 && leased.last == claimed.token.hex, "no third job is leased")
        #expect(claimed.attempt == (begins ? 1 : nil))
        let open = try scratch.server.psql(scratch.name, "SELECT job FROM queue_attempt WHERE ended IS NULL")
        #expect(open == (begins ? ["\(claimed.job.id.rawValue)"] : []))
        try faulty.complete(claimed.token, JobOutcome(digest: nil, timings: []))
        #expect(try faulty.claim(upTo: 1, by: "w", for: .seconds(30)).first?.job.source.location == "/2")
    }

    @Test("Equal jobs that are queued at once by many programs are one job")
    func duplicates() throws {
        let queue = try queue()
        let found = Mutex([Enqueued]())
        let errors = Mutex([String]())
        try onThreads(8) { number in
            do {
                for round in 0..<20 {
                    // Alternately forwards and backwards, so that transactions wait for each other in both orders.
                    let paths = (0..<10).map { "/\(round)-\($0)" }
                    let answers = try queue.enqueue(
                        (number.isMultiple(of: 2) ? paths : paths.reversed()).map { .of($0) })
                    found.withLock { $0 += answers }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(found.withLock { Set($0.map(\.id)).count } == 200)
        #expect(found.withLock { $0.filter { !$0.isDuplicate }.count } == 200)
    }

    @Test("Parties' jobs that are added and claimed by many programs at once are all done, each once")
    func parties() throws {
        let queue = try queue()
        let errors = Mutex([String]())
        let done = Mutex([Job]())
        try onThreads(8) { number in
            do {
                if number < 4 {
                    for round in 0..<40 {
                        try queue.enqueue((0..<3).map { .of("/\(number)-\(round)-\($0)", party: "\(round % 3)") })
                    }
                }
                while done.withLock({ $0.count }) < 480, errors.withLock({ $0.isEmpty }) {
                    guard let claimed = try queue.begin(by: "w\(number)", for: .seconds(60), downTo: .backfill) else {
                        continue
                    }
                    done.withLock { $0.append(claimed.job) }
                    try queue.complete(claimed.token, JobOutcome())
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(done.withLock { Set($0.map(\.id)).count } == 480 && done.withLock { $0.count } == 480)
    }

    @Test("Slots of one worker that claim at once never have a suspected job beside another one")
    func alone() throws {
        let queue = try queue()
        try queue.enqueue((0..<4).map { .of("/suspect\($0)") })
        for job in try queue.claim(upTo: 4, by: "dead", for: .seconds(30)) { try queue.recordAttempt(job.token) }
        try queue.reclaim(from: "dead")
        let beside = Mutex(0)
        let inWork = Mutex(0)
        let ended = Mutex(0)
        let errors = Mutex([String]())
        try onThreads(4) { _ in
            do {
                let end = Time.monotonic + .seconds(30)
                while ended.withLock({ $0 }) < 4, Time.monotonic < end {
                    for job in try queue.claim(upTo: 1, by: "worker", for: .seconds(30)) {
                        if inWork.withLock({
                            $0 += 1
                            return $0
                        }) > 1 {
                            beside.withLock { $0 += 1 }
                        }
                        Time.sleep(.milliseconds(5))
                        inWork.withLock { $0 -= 1 }
                        try queue.complete(job.token, JobOutcome(digest: nil, timings: []))
                        ended.withLock { $0 += 1 }
                    }
                }
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [] && ended.withLock { $0 } == 4 && beside.withLock { $0 } == 0)
    }

    @Test("A job that another process queues wakes a waiting worker at once")
    func waking() throws {
        let queue = try queue()
        let address = try Address(scratch.server.url(of: scratch.name), program: "other")
        let other = try PostgreSQLQueue(PostgreSQLDatabase(address))
        let waiter = try queue.makeWaiter()
        #expect(try queue.claim(upTo: 1, by: "w", for: .seconds(30)).isEmpty)
        // The first wait ends when the listening connection is established.
        _ = try waiter.wait(atMost: .seconds(2))
        let began = Time.monotonic
        let thread = try WorkerThread(name: "other") {
            Time.sleep(.milliseconds(100))
            _ = try? other.enqueue(.of("/a"))
        }
        #expect(try waiter.wait(atMost: .seconds(60)))
        let passed = Time.monotonic - began
        thread.join()
        #expect(
            passed > .milliseconds(90) && passed < .seconds(20), "long before the wait is over, also on a busy machine")
    }

    @Test("A lease follows the server's clock, so a host whose clock is ahead takes nothing away")
    func clocks() throws {
        let queue = try queue()
        try queue.enqueue(.of("/a"))
        let claimed = try queue.claim(upTo: 1, by: "w", for: .seconds(30))
        let now = QueueInstant(milliseconds: Time.wall / 1_000_000)
        let rest = try #require(claimed.first?.deadline) - now
        #expect(rest > .seconds(25) && rest < .seconds(35))
        let ahead = ManualClock()
        ahead.advance(now + .seconds(3600) - ahead.now)
        // A program with its own clock would reclaim it; the usual one ignores its clock.
        let other = try PostgreSQLQueue(scratch.database)
        #expect(try other.reclaimExpired() == 0)
        let wrong = try PostgreSQLQueue(scratch.database, QueueSurroundings(clock: ahead))
        #expect(try wrong.reclaimExpired() == 1)
    }
}

@Suite("PostgreSQLQueue: a server that goes away", .serialized, .deadline)
struct PostgreSQLRestartTests {
    @Test("After a crash of the server every acknowledged job is there, and the same queue goes on")
    func crash() throws {
        // Here the data must reach the disk.
        let server = try TestServer(settings: [])
        let address = try Address(server.url(of: "postgres"), program: "tests")
        let database = PostgreSQLDatabase(address)
        try QueueTables.migrate(database)
        let queue = try PostgreSQLQueue(database)
        var acknowledged: Set<String> = []
        for round in 0..<3 {
            let isStopped = Mutex(false)
            let added = Mutex([String]())
            let thread = try WorkerThread(name: "enqueuer") {
                var number = 0
                while !isStopped.withLock({ $0 }) {
                    let path = "/\(round)-\(number)"
                    number += 1
                    if (try? queue.enqueue(.of(path))) != nil { added.withLock { $0.append(path) } }
                }
            }
            Time.sleep(.milliseconds(300))
            try server.crash()
            Time.sleep(.milliseconds(300))
            isStopped.withLock { $0 = true }
            thread.join()
            acknowledged.formUnion(added.withLock { $0 })
        }
        let found = try server.psql("postgres", "SELECT source FROM queue_job")
        #expect(acknowledged.count > 10)
        #expect(acknowledged.isSubset(of: Set(found)))
        #expect(try queue.claim(upTo: 1, by: "w", for: .seconds(30)).count == 1)
    }

    @Test("A server that is away is an error that says so, and never shows the password")
    func away() throws {
        let address = try Address("postgres://user:geheim@127.0.0.1:1/db", program: "tests")
        let database = PostgreSQLDatabase(address)
        #expect {
            try QueueTables.migrate(database)
        } throws: { error in
            guard case .unavailable(.other, let detail) = error as? QueueError else { return false }
            return detail.contains("cannot be reached") && !detail.contains("geheim")
        }
        #expect(address.shown == "postgres://127.0.0.1:1/db")
        #expect(throws: PostgreSQLError.self) { try Address("mysql://geheim@x/db", program: "tests") }
    }
}
