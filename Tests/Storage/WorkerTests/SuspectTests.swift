import JobQueue
import Linux
import Media
import QueueWrapping
import TestDeadline
import Testing
import Worker

@Suite("The worker and suspected jobs", .deadline)
struct SuspectTests {
    /// Lets a worker die while it works on all waiting jobs.
    private func makeSuspects(on bench: WorkerBench, _ count: Int) throws {
        for claimed in try bench.queue.claim(upTo: count, by: "dead", for: .seconds(3600)) {
            try bench.queue.recordAttempt(claimed.token)
        }
        #expect(try bench.queue.reclaim(from: "dead") == count)
    }

    private struct Span {
        let name: String
        let isAlone: Bool
        let from: QueueInstant
        let to: QueueInstant
    }

    /// The attempts of living workers, in the order in which they began.
    private func spans(_ ids: [JobID], on bench: WorkerBench) throws -> [Span] {
        try ids.flatMap { id in
            let (job, attempts) = try bench.queue.show(id)
            return attempts.filter { $0.worker != "dead" }.map {
                Span(name: job.source.location, isAlone: $0.isAlone, from: $0.started, to: $0.ended ?? $0.started)
            }
        }
    }

    @Test("A worker with many slots works on each suspected job alone, between the others, and leaves none behind")
    func alone() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let suspects = try (0..<3).map { try bench.enqueue("sleep 60\($0)", "suspect\($0)") }
        try makeSuspects(on: bench, 3)
        var ids = try (0..<8).map { try bench.enqueue("sleep 10\($0)", "before\($0)", priority: .interactive) }
        // No waiter wakes on its own during the test.
        let worker = try bench.makeWorker {
            $0.slotCount = 4
            $0.longestSleep = .seconds(3600)
        }
        ids += try (0..<8).map { try bench.enqueue("sleep 11\($0)", "after\($0)", priority: .backfill) }
        for id in suspects + ids { _ = try bench.wait(for: id, toBe: .done) }
        #expect(worker.end())
        let all = try spans(suspects + ids, on: bench)
        let alone = all.filter(\.isAlone)
        #expect(alone.count == 3 && all.count == 19)
        for span in alone {
            let beside = all.filter { $0.name != span.name && $0.from < span.to && $0.to > span.from }
            #expect(beside.isEmpty, "\(span) beside \(beside)")
        }
        // The following jobs run concurrently again.
        let last = all.filter { $0.name.contains("after") }
        #expect(last.contains { one in last.contains { $0.name != one.name && $0.from < one.to && $0.to > one.from } })
    }

    @Test("Two workers share suspected and other jobs, and all are done")
    func twoWorkers() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let suspects = try (0..<6).map { try bench.enqueue("sleep 5\($0)", "suspect\($0)") }
        try makeSuspects(on: bench, 6)
        let ids = try (0..<20).map { try bench.enqueue("sleep 2\($0)", "other\($0)") }
        let workers = try ["one", "two"].map { name in
            try bench.makeWorker(name) {
                $0.slotCount = 3
                $0.longestSleep = .seconds(3600)
            }
        }
        for id in suspects + ids { _ = try bench.wait(for: id, toBe: .done) }
        for worker in workers { #expect(worker.end()) }
        for id in suspects { #expect(try bench.queue.show(id).attempts.last?.isAlone == true) }
    }

    /// A queue that lets a worker die when it records the attempt at one job.
    private final class DeadlyQueue: WrappedQueue {
        let base: any JobQueue
        private let deadly: JobID
        private let death = Promise<Void>()

        init(_ base: any JobQueue, _ deadly: JobID) {
            self.base = base
            self.deadly = deadly
        }

        var hasDied: Bool { death.current != nil }

        /// A dead worker calls no further operation.
        private func checkLife() throws(QueueError) {
            if hasDied { throw .unavailable(.other, detail: "this worker is dead") }
        }

        func claim(
            upTo limit: Int, by worker: String, for lease: Duration, downTo lowest: Priority,
            passing parties: Set<String>
        ) throws(QueueError) -> [ClaimedJob] {
            try checkLife()
            return try base.claim(upTo: limit, by: worker, for: lease, downTo: lowest, passing: parties)
        }

        func heartbeat(_ token: LeaseToken, for lease: Duration) throws(QueueError) -> QueueInstant {
            try checkLife()
            return try base.heartbeat(token, for: lease)
        }

        func recordAttempt(_ token: LeaseToken) throws(QueueError) -> Int {
            try checkLife()
            let number = try base.recordAttempt(token)
            if try base.show(deadly).job.lease?.token == token { death.fulfil(()) }
            try checkLife()
            return number
        }

        func complete(_ token: LeaseToken, _ outcome: JobOutcome) throws(QueueError) {
            try checkLife()
            try base.complete(token, outcome)
        }

        func fail(
            _ token: LeaseToken, _ failure: Failure, isRetryable: Bool, timings: [Attempt.Timing]
        ) throws(QueueError) -> JobState {
            try checkLife()
            return try base.fail(token, failure, isRetryable: isRetryable, timings: timings)
        }

        func release(_ token: LeaseToken) throws(QueueError) { try checkLife() }
    }

    @Test("A job that kills its worker each time is dead after five deaths alone, and no other job is")
    func killer() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let others = try (0..<12).map { try bench.enqueue("sleep 10\($0)", "other\($0)") }
        let killer = try bench.enqueue("sleep 100", "killer", priority: .interactive)
        var deaths = 0
        while try bench.queue.show(killer).job.state != .dead {
            deaths += 1
            try #require(deaths < 9)
            let name = "w\(deaths)"
            let queue = DeadlyQueue(bench.queue, killer)
            let worker = try bench.makeWorker(
                name, change: { $0.slotCount = 3 }, openQueue: { () throws(QueueError) in queue })
            let deadline = Time.monotonic + .seconds(20)
            while !queue.hasDied {
                try #require(Time.monotonic < deadline)
                Time.sleep(.milliseconds(2))
            }
            // Its jobs are reclaimed, as when its lock is free.
            worker.worker.abandon()
            #expect(worker.waitForEnd())
            try bench.queue.reclaim(from: name)
        }
        let (job, attempts) = try bench.queue.show(killer)
        #expect(job.aloneDeathCount == 5 && attempts.filter(\.isAlone).count == 5, "\(attempts)")
        #expect(attempts.allSatisfy { $0.end == .workerDied } && attempts.count <= 6)
        let last = try bench.makeWorker("last") { $0.slotCount = 3 }
        for id in others {
            let job = try bench.wait(for: id, toBe: .done).job
            #expect(job.aloneDeathCount == 0)
        }
        #expect(last.end())
    }
}
