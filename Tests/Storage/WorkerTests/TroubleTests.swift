import CLinux
import JobQueue
import Linux
import Media
import QueueWrapping
import TestDeadline
import TestSupport
import Testing
import Worker

@Suite("The worker reports a fault of queue or cache once, pauses, and goes on", .deadline)
struct TroubleTests {
    @Test(
        "A queue that is out of reach is reported once, and once more when it is back",
        arguments: [QueueError.Trouble.locked, .full, .readOnly, .corrupt, .missing, .other])
    func queue(_ trouble: QueueError.Trouble) throws {
        let queue = TroubledQueue(try makeScratchQueue())
        queue.trouble = .unavailable(trouble, detail: "as told")
        let bench = try WorkerBench(queue: queue)
        defer { bench.close() }
        let id = try bench.enqueue("paint")
        let worker = try bench.makeWorker()
        #expect(eventually { !bench.events.troubles.isEmpty })
        Time.sleep(.milliseconds(300))
        #expect(bench.events.troubles == ["queue lost"])
        #expect(worker.worker.troubles[.queue]?.contains("as told") == true)
        queue.trouble = nil
        _ = try bench.wait(for: id, toBe: .done)
        worker.end()
        #expect(bench.events.troubles == ["queue lost", "queue back"])
    }

    @Test("A job that is rendered while the queue is out of reach is completed later, and not rendered again")
    func completion() throws {
        let queue = TroubledQueue(try makeScratchQueue())
        let bench = try WorkerBench(queue: queue)
        defer { bench.close() }
        let worker = try bench.makeWorker()
        let id = try bench.enqueue("sleep 300")
        _ = try bench.wait(for: id, toBe: .leased)
        Time.sleep(.milliseconds(100))
        queue.trouble = .unavailable(.locked, detail: "as told")
        #expect(eventually { bench.hasRendition(of: "sleep 300") })
        // Long enough for several attempts to complete it.
        Time.sleep(.milliseconds(400))
        queue.trouble = nil
        let (_, attempts) = try bench.wait(for: id, toBe: .done)
        worker.end()
        #expect(attempts.map(\.end) == [.completed])
    }

    @Test("A slot makes a new waiter when the queue is opened again")
    func reopened() throws {
        let path = "/tmp/compass-reopened-\(getpid()).sqlite"
        defer { system("rm -f \(path)*") }
        try SQLiteQueue.migrate(path: path)
        let bench = try WorkerBench(queue: try SQLiteQueue(path: path))
        defer { bench.close() }
        let worker = try bench.makeWorker(openQueue: { () throws(QueueError) in try SQLiteQueue(path: path) })
        _ = try bench.wait(for: try bench.enqueue("paint"), toBe: .done)
        // The file is moved away, as by a person who restores a copy: further writes to it would be lost.
        system("mkdir \(path)-gone && mv \(path) \(path)-wal \(path)-shm \(path)-wake \(path)-gone/ 2>/dev/null")
        #expect(eventually { !bench.events.troubles.isEmpty })
        #expect(bench.events.troubles == ["queue lost"])
        #expect(throws: QueueError.self) { try bench.enqueue("paint more", "more") }
        try SQLiteQueue.migrate(path: path)
        let restored = try SQLiteQueue(path: path)
        let id = try restored.enqueue(
            JobRequest(source: .path(try bench.write("paint again", "again")), recipes: [WorkerBench.recipe])
        ).id
        #expect(try eventually { try restored.show(id).job.state == .done })
        worker.end()
        // First the file is missing, then another file without tables is at its path.
        #expect(bench.events.troubles.last == "queue back")
        #expect(bench.events.troubles.filter { $0 == "queue back" }.count == 1)
        system("rm -rf \(path)-gone")
    }

    @Test("A cache that cannot be written counts against no job; later the jobs are done")
    func cache() throws {
        // A file in the folder's place: not even root can write below it.
        let path = "/tmp/compass-no-cache-\(getpid())"
        try Descriptor.open(path, O_WRONLY | O_CREAT).write([1])
        defer { system("rm -rf \(path)") }
        let bench = try WorkerBench(cachePath: path)
        defer { bench.close() }
        let ids = try ["a", "b", "c"].map { try bench.enqueue("paint \($0)", $0) }
        let worker = try bench.makeWorker()
        _ = try bench.events.waitForReports(1)
        Time.sleep(.milliseconds(400))
        #expect(bench.events.reports.allSatisfy { $0.outcome == .released })
        #expect(bench.events.reports.count <= 2, "a slot each met it; then all wait")
        #expect(worker.worker.troubles[.cache] != nil)
        unlink(path)
        for id in ids {
            let job = try bench.wait(for: id, toBe: .done).job
            #expect(job.failureCount == 0)
        }
        worker.end()
        #expect(bench.events.troubles.last == "cache back")
    }
}
