import CLinux
import Hashing
import JobQueue
import Linux
import Media
import QueueWrapping
import SourceFiles
import Synchronization
import TestDeadline
import Testing
import Worker

@Suite("The worker, from the claim to the end of a job", .deadline)
struct WorkerTests {
    @Test("A job is done when its rendition lies in the cache under the source's digest")
    func done() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let id = try bench.enqueue("paint")
        let worker = try bench.makeWorker()
        let (job, attempts) = try bench.wait(for: id, toBe: .done)
        #expect(job.digest == SHA256.digest(of: Array("paint".utf8)))
        #expect(bench.hasRendition(of: "paint"))
        #expect(attempts.map(\.end) == [.completed] && attempts[0].worker == "test")
        #expect(Set(attempts[0].timings.map(\.step)).isSuperset(of: ["digest", "sniff", "render", "encode", "store"]))
        #expect(worker.end())
        let report = try #require(bench.events.reports.first)
        #expect(report.outcome == .done && report.attempt == 1 && !report.isCached && report.digest == job.digest)
    }

    @Test("The same bytes again need no renderer")
    func cached() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        _ = try bench.wait(for: try bench.enqueue("paint"), toBe: .done)
        _ = try bench.wait(for: try bench.enqueue("paint", "copy"), toBe: .done)
        worker.end()
        #expect(bench.events.reports.map(\.isCached) == [false, true])
    }

    @Test("A failure that no further try can avoid makes a dead letter at once", arguments: BadSource.allCases)
    func badSources(_ bad: BadSource) throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let id = try bad.enqueue(on: bench)
        let worker = try bench.makeWorker()
        let (job, attempts) = try bench.wait(for: id, toBe: .dead)
        worker.end()
        let failure = try #require(job.lastFailure)
        #expect(failure.code == bad.code)
        #expect(failure.message.contains(bad.word), "\(failure.message)")
        #expect(!failure.message.contains(bench.folder), "a message for people names no path")
        #expect(attempts.map(\.end) == [.failed] && attempts[0].failure == failure)
    }

    @Test("A job's object is opened by its key, and its rendition lies under its digest")
    func object() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let path = try bench.write("paint")
        let worker = try bench.makeWorker(
            openObject: { key throws(Failure) in
                guard key == "u/resume/1_a.pdf" else { throw Failure(.sourceMissing) }
                return try SourceFile.open(path)
            })
        let done = try bench.queue.enqueue(
            JobRequest(source: .object("u/resume/1_a.pdf"), recipes: [WorkerBench.recipe]))
        let missing = try bench.queue.enqueue(JobRequest(source: .object(path), recipes: [WorkerBench.recipe]))
        #expect(try bench.wait(for: done.id, toBe: .done).job.digest == SHA256.digest(of: Array("paint".utf8)))
        #expect(bench.hasRendition(of: "paint"))
        #expect(try bench.wait(for: missing.id, toBe: .dead).job.lastFailure?.code == .sourceMissing)
        #expect(worker.end())
    }

    @Test("A job whose object is out of reach is tried again")
    func objectLater() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let path = try bench.write("paint")
        let tries = Mutex(0)
        let worker = try bench.makeWorker(
            openObject: { _ throws(Failure) in
                let isReady = tries.withLock { count in
                    count += 1
                    return count > 2
                }
                guard isReady else { throw Failure(.unavailable) }
                return try SourceFile.open(path)
            })
        let id = try bench.queue.enqueue(JobRequest(source: .object("key"), recipes: [WorkerBench.recipe])).id
        #expect(try bench.wait(for: id, toBe: .done).attempts.map(\.end) == [.failed, .failed, .completed])
        #expect(worker.end())
    }

    @Test("The attempt is recorded before the renderer starts; without a record no file is opened")
    func attemptFirst() throws {
        let base = try makeScratchQueue()
        let queue = TroubledQueue(base)
        queue.losesAttempts = true
        let bench = try WorkerBench(queue: queue)
        defer { bench.close() }
        _ = try bench.enqueue("paint")
        let worker = try bench.makeWorker()
        let report = try bench.events.waitForReports(1)[0]
        worker.end()
        #expect(report.outcome == .leaseLost && report.attempt == nil)
        #expect(!bench.hasRendition(of: "paint"))
    }

    @Test(
        "A file on which only a shortcut crashes is rendered by the second try without shortcuts, and is not poisoned")
    func plainSecondTry() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        #expect(try bench.wait(for: try bench.enqueue("shortcut 11"), toBe: .done).job.failureCount == 0)
        #expect(try bench.queue.poisoned(limit: 9).isEmpty)
        worker.end()
    }

    @Test("A file that takes longer than allowed is not tried again")
    func timedOut() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        var limits = Limits()
        limits.wallTime = .milliseconds(300)
        let worker = try bench.makeWorker(limits: limits)
        let (job, attempts) = try bench.wait(for: try bench.enqueue("hang"), toBe: .dead)
        #expect(job.lastFailure?.code == .timedOut && attempts.count == 1)
        worker.end()
    }

    @Test("After two crashes a job is dead, and so is another job with the same bytes, unopened")
    func poison() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        let first = try bench.wait(for: try bench.enqueue("crash 11"), toBe: .dead)
        #expect(first.attempts.count == 2, "\(first.attempts)")
        #expect(first.job.lastFailure?.code == .crashed)
        let poisoned = try bench.queue.poisoned(limit: 9)
        #expect(poisoned.map(\.digest) == [SHA256.digest(of: Array("crash 11".utf8))])
        #expect(poisoned.first?.build == "fake 1")
        let second = try bench.wait(for: try bench.enqueue("crash 11", "copy"), toBe: .dead)
        #expect(second.attempts.count == 1)
        #expect(second.job.lastFailure?.message.contains("upgraded") == true)
        #expect(second.attempts[0].timings.map(\.step) == ["digest"], "no renderer has seen it")
        worker.end()
    }

    @Test("A worker that loses the lease while it renders changes nothing")
    func leaseLost() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        let id = try bench.enqueue("sleep 400")
        _ = try bench.wait(for: id, toBe: .leased)
        try bench.queue.cancel(id)
        let report = try bench.events.waitForReports(1)[0]
        worker.end()
        #expect(report.outcome == .leaseLost)
        #expect(try bench.queue.show(id).job.state == .cancelled)
    }

    @Test("Heartbeats keep a job that takes longer than its lease from other workers")
    func heartbeats() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let workers = try ["one", "two"].map { try bench.makeWorker($0) { $0.lease = .milliseconds(300) } }
        let (job, attempts) = try bench.wait(for: try bench.enqueue("sleep 1200"), toBe: .done)
        for worker in workers { worker.end() }
        #expect(attempts.count == 1 && job.workerDeathCount == 0)
    }

    @Test("While a backfill occupies every slot, an interactive job starts at once")
    func urgent() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker()
        let slow = try bench.enqueue("sleep 1500", "slow", priority: .backfill)
        let next = try bench.enqueue("paint", "next", priority: .backfill)
        _ = try bench.wait(for: slow, toBe: .leased)
        _ = try bench.wait(for: try bench.enqueue("paint now", "now", priority: .interactive), toBe: .done)
        #expect(try bench.queue.show(slow).job.state == .leased)
        #expect(try bench.queue.show(next).job.state == .available, "the slot is kept from other backfill")
        worker.end()
    }

    /// Without a limit, one person's jobs ran in all slots, and another's picture waited until one of them had ended.
    @Test("While a party has jobs in all slots but one, its next job waits, and another party's starts at once")
    func otherParty() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker { ($0.slotCount, $0.urgentSlotCount) = (2, 1) }
        func enqueue(_ text: String, _ name: String, of party: String) throws -> JobID {
            try bench.queue.enqueue(
                JobRequest(
                    source: .path(try bench.write(text, name)), recipes: [WorkerBench.recipe], priority: .interactive,
                    party: party)
            ).id
        }
        // Which of them waits is not defined, because the slots claim at the same time.
        let slow = try (0..<3).map { try enqueue("sleep 500\($0)", "slow\($0)", of: "a") }
        func count(_ state: JobState) throws -> Int {
            try slow.filter { try bench.queue.show($0).job.state == state }.count
        }
        let deadline = Time.monotonic + .seconds(60)
        while try count(.leased) < 2 {
            try #require(Time.monotonic < deadline)
            Time.sleep(.milliseconds(2))
        }
        _ = try bench.wait(for: try enqueue("paint", "other", of: "b"), toBe: .done)
        #expect(try count(.leased) == 2 && count(.available) == 1)
        for job in slow { _ = try bench.wait(for: job, toBe: .done) }
        worker.end()
    }
}

/// A source that fails at every attempt.
enum BadSource: CaseIterable {
    case missing, outside, link, dotdot, folder, fifo, tooLarge, changed, encrypted, object, relative, empty, otherKind

    func enqueue(on bench: WorkerBench) throws -> JobID {
        let sources = "\(bench.folder)/sources"
        switch self {
        case .missing: return try bench.enqueue(path: "\(sources)/nothing")
        case .outside: return try bench.enqueue(path: "/etc/hostname")
        case .link:
            symlink("/etc/hostname", "\(sources)/link")
            return try bench.enqueue(path: "\(sources)/link")
        case .dotdot: return try bench.enqueue(path: "\(sources)/../../../etc/hostname")
        case .folder:
            mkdir("\(sources)/folder", 0o755)
            return try bench.enqueue(path: "\(sources)/folder")
        case .fifo:
            mkfifo("\(sources)/fifo", 0o644)
            return try bench.enqueue(path: "\(sources)/fifo")
        case .tooLarge: return try bench.enqueue("paint" + String(repeating: " ", count: 1000))
        case .changed: return try bench.enqueue("paint", digest: SHA256.digest(of: Array("other".utf8)))
        case .encrypted: return try bench.enqueue("fail")
        case .object:
            return try bench.queue.enqueue(JobRequest(source: .object("key"), recipes: [WorkerBench.recipe])).id
        case .relative: return try bench.enqueue(path: "sources/source")
        case .empty: return try bench.enqueue("")
        case .otherKind:
            let kind = JobKind(rawValue: "texts")!
            return try bench.queue.enqueue(
                JobRequest(kind: kind, source: .path("/x"), recipes: [WorkerBench.recipe])
            ).id
        }
    }

    var code: Failure.Code {
        switch self {
        case .tooLarge: .tooLarge
        case .encrypted: .encrypted
        case .empty: .corrupt
        case .object, .otherKind: .usage
        default: .sourceMissing
        }
    }

    /// The words that the message must have.
    var word: String {
        switch self {
        case .missing: "not found"
        case .outside, .link, .dotdot: "outside"
        case .folder: "folder"
        case .fifo: "regular file"
        case .tooLarge: "max-source"
        case .changed: "changed"
        case .encrypted: "password"
        case .object: "object store"
        case .relative: "absolute"
        case .empty: "empty"
        case .otherKind: "texts"
        }
    }
}
