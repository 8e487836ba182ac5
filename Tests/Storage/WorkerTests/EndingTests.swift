import JobQueue
import Linux
import Media
import TestDeadline
import Testing
import Worker

@Suite("The end of a worker, and the jobs of dead ones", .deadline)
struct EndingTests {
    @Test("A drain claims no more jobs, and finishes running ones")
    func drain() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker { $0.urgentSlotCount = 0 }
        let running = try bench.enqueue("sleep 300", "running")
        _ = try bench.wait(for: running, toBe: .leased)
        let waiting = try bench.enqueue("paint", "waiting")
        #expect(worker.end())
        #expect(try bench.queue.show(running).job.state == .done)
        #expect(try bench.queue.show(waiting).job.state == .available)
    }

    @Test("An idle worker ends at once, even from a long sleep")
    func idle() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker { $0.longestSleep = .seconds(3600) }
        Time.sleep(.milliseconds(200))
        let begin = Time.monotonic
        #expect(worker.end())
        // Long before its hour of sleep is over, even on a busy machine.
        #expect(Time.monotonic - begin < .seconds(20))
    }

    @Test("A job that outlasts the drain is given back, with nothing counted against it")
    func boundedDrain() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        let id = try bench.enqueue("hang")
        _ = try bench.wait(for: id, toBe: .leased)
        #expect(worker.end(within: .milliseconds(200)))
        let (job, attempts) = try bench.queue.show(id)
        #expect(job.state == .available && job.failureCount == 0 && job.workerDeathCount == 0)
        #expect(attempts.map(\.end) == [.released])
        #expect(try bench.events.waitForReports(1)[0].outcome == .released)
    }

    @Test("An abandoned worker gives back all jobs at once")
    func abandon() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        let id = try bench.enqueue("hang")
        _ = try bench.wait(for: id, toBe: .leased)
        worker.worker.drain(within: .seconds(3600))
        let begin = Time.monotonic
        worker.worker.abandon()
        #expect(worker.waitForEnd())
        // Long before the hour of the drain is over, even on a busy machine.
        #expect(Time.monotonic - begin < .seconds(20))
        #expect(try bench.queue.show(id).job.state == .available)
    }

    @Test("A dead worker's jobs are taken over at once, a living one's are not")
    func predecessor() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let folder = "\(bench.folder)/workers"
        let living = try WorkerRegistry(folder: folder, name: "living", version: "2")
        let own = try WorkerRegistry(folder: folder, name: "own", version: "1")
        // A killed process leaves its entry, without the lock.
        try Descriptor.open("\(folder)/dead", 0o101).write(Array("1".utf8))
        let ids = try ["a", "b"].map { try bench.enqueue("paint \($0)", $0) }
        let claimed = try ["dead", "living"].map { name in
            try #require(try bench.queue.claim(upTo: 1, by: name, for: .seconds(3600)).first)
        }
        try bench.queue.recordAttempt(claimed[0].token)
        let worker = try bench.makeWorker("own", registry: own)
        let (job, attempts) = try bench.wait(for: ids[0], toBe: .done)
        worker.end()
        #expect(job.workerDeathCount == 1 && attempts.map(\.end) == [.workerDied, .completed])
        #expect(try bench.queue.show(ids[1]).job.state == .leased)
        #expect(Set(bench.events.others) == ["1 from dead", "living 2 false"])
        withExtendedLifetime(living) {}
    }
}
