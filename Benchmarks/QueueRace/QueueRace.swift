import CLinux
import Database
import JobQueue
import Linux
import Media
import Synchronization

/// The queue's operations on a server, timed as workers call them.
struct QueueRace {
    let address: String

    private func database(connections: Int = 8) throws -> PostgreSQLDatabase {
        PostgreSQLDatabase(try Address(address, program: "queue-race"), connectionLimit: connections)
    }

    /// The queue as one process uses it: a pool of connections and a notifier.
    private func queue(connections: Int = 8) throws -> PostgreSQLQueue {
        try PostgreSQLQueue(try database(connections: connections))
    }

    func migrate() throws -> JSON {
        try QueueTables.migrate(try database())
        return .object(["migrated": .bool(true)])
    }

    /// Jobs that are all different, with digests like those of uploads.
    private func requests(_ count: Int) -> [JobRequest] {
        (0..<count).map { _ in
            let numbers = (0..<4).map { _ in UInt64.random(in: .min ... .max) }
            let digest = Digest(bytes: numbers.flatMap { withUnsafeBytes(of: $0, Array.init) })
            return JobRequest(
                source: .object("00000000/transcript/\(numbers[0]).pdf"), digest: digest,
                recipes: [Preset.list.recipe, Preset.grid.recipe])
        }
    }

    func enqueue(_ count: Int, batch: Int, callers: Int) throws -> JSON {
        let queue = try queue(connections: callers)
        let groups = (0..<callers).map { _ in
            stride(from: 0, to: count / callers, by: batch).map { requests(min(batch, count / callers - $0)) }
        }
        _ = try queue.enqueue(requests(1))
        let start = Time.monotonic
        try inParallel(callers) { caller in for group in groups[caller] { _ = try queue.enqueue(group) } }
        return rate(count / callers * callers, since: start)
    }

    /// The workers of one process, each a thread that claims for itself, like thumbd's slots.
    func work(_ workers: Int, for duration: Duration) throws -> JSON {
        let queue = try queue(connections: workers)
        let done = Atomic(0)
        let start = Time.monotonic
        try inParallel(workers) { worker in
            while Time.monotonic - start < duration {
                guard let claimed = try begin("race-\(worker)", in: queue) else { return }
                try queue.complete(claimed.token, JobOutcome(digest: claimed.job.digest, timings: []))
                done.add(1, ordering: .relaxed)
            }
        }
        return rate(done.load(ordering: .relaxed), since: start)
    }

    /// A job whose attempt has begun, in the way that workers begin one.
    private func begin(_ worker: String, in queue: PostgreSQLQueue) throws -> ClaimedJob? {
        guard let claimed = try queue.begin(by: worker, for: .seconds(60), downTo: .backfill) else { return nil }
        if claimed.attempt == nil { try queue.recordAttempt(claimed.token) }
        return claimed
    }

    /// - Parameter polls: whether the workers poll, as behind a pooler, instead of being notified.
    func latency(_ count: Int, pause: Duration, polls: Bool) throws -> JSON {
        let (producer, consumer) = (try queue(connections: 2), try queue(connections: 4))
        let ids = Mutex<[JobID: Duration]>([:])
        let delays = Mutex<[Double]>([])
        let isOver = Atomic(false)
        let workers = try (0..<2).map { _ in
            try WorkerThread(name: "worker") {
                guard let waiter = try? consumer.makeWaiter() else { return }
                while !isOver.load(ordering: .relaxed) {
                    guard let claimed = try? begin("race", in: consumer) else {
                        if polls {
                            Time.sleep(.milliseconds(250))
                        } else {
                            _ = try? waiter.wait(atMost: .seconds(1))
                        }
                        continue
                    }
                    let now = Time.monotonic
                    // The producer records the time before its call, and the number after it.
                    while ids.withLock({ $0[claimed.job.id] }) == nil, !isOver.load(ordering: .relaxed) {}
                    if let began = ids.withLock({ $0[claimed.job.id] }) {
                        delays.withLock { $0.append((now - began).milliseconds) }
                    }
                    _ = try? consumer.complete(claimed.token, JobOutcome(digest: claimed.job.digest, timings: []))
                }
            }
        }
        Time.sleep(.milliseconds(500))
        for request in requests(count) {
            let began = Time.monotonic
            let id = try producer.enqueue(request).id
            ids.withLock { $0[id] = began }
            Time.sleep(pause)
        }
        Time.sleep(.seconds(2))
        isOver.store(true, ordering: .relaxed)
        for worker in workers { worker.join() }
        let sorted = delays.withLock { $0.sorted() }
        guard sorted.count == count else {
            throw Failure(.unavailable, detail: "\(sorted.count) of \(count) were begun")
        }
        return .object([
            "p50": .number(sorted[count / 2]), "p99": .number(sorted[count * 99 / 100]),
            "most": .number(sorted[count - 1]),
        ])
    }

    func idle(_ workers: Int, for duration: Duration) throws -> JSON {
        // Each process has a connection, a notifier and its own polling as a safety net.
        let queues = try (0..<workers).map { _ in try queue(connections: 1) }
        let start = Time.monotonic
        let asked = Atomic(0)
        try inParallel(workers) { worker in
            let waiter = try queues[worker].makeWaiter()
            while Time.monotonic - start < duration {
                _ = try queues[worker].claim(upTo: 1, by: "idle-\(worker)", for: .seconds(30))
                asked.add(1, ordering: .relaxed)
                _ = try waiter.wait(atMost: min(.seconds(60), duration - (Time.monotonic - start)))
            }
        }
        return .object(["claims": .integer(Int64(asked.load(ordering: .relaxed)))])
    }

    func hold(for lease: Duration) throws -> JSON {
        let queue = try queue(connections: 1)
        guard let claimed = try queue.claim(upTo: 1, by: "gone", for: lease).first else {
            throw Failure(.unavailable, detail: "no job to hold")
        }
        try queue.recordAttempt(claimed.token)
        print(JSON.object(["held": .string("\(claimed.job.id)")]).text)
        fflush(nil)
        while true { Time.sleep(.seconds(3600)) }
    }

    func takeover() throws -> JSON {
        let queue = try queue(connections: 1)
        let waiter = try queue.makeWaiter()
        let start = Time.monotonic
        while Time.monotonic - start < .seconds(120) {
            if try !queue.claim(upTo: 1, by: "heir", for: .seconds(20)).isEmpty {
                return .object(["seconds": .number((Time.monotonic - start).milliseconds / 1000)])
            }
            // As a worker waits: until a job is added, freed or due.
            _ = try waiter.wait(atMost: .seconds(60))
        }
        throw Failure(.timedOut, detail: "nobody's job in two minutes")
    }

    private func rate(_ count: Int, since start: Duration) -> JSON {
        let seconds = (Time.monotonic - start).milliseconds / 1000
        return .object([
            "count": .integer(Int64(count)), "seconds": .number(seconds), "rate": .number(Double(count) / seconds),
        ])
    }

    private func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        let threads = try (0..<count).map { index in
            try WorkerThread(name: "race-\(index)") {
                do { try body(index) } catch { failure.withLock { $0 = error } }
            }
        }
        for thread in threads { thread.join() }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
