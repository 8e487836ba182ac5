import JobQueue
import Linux
import Media
import SourceFiles
import TestDeadline
import Testing
import Worker

@Suite("A store that is away makes pictures come later, and no document fail", .deadline)
struct StoreTests {
    private let pictures = StorePictures()

    /// Opens the file of any object while the store is reachable.
    private func opening(_ path: String) -> Worker.ObjectOpening {
        { [pictures] _ throws(Failure) in
            try pictures.check()
            return try SourceFile.open(path)
        }
    }

    private func enqueue(on bench: WorkerBench) throws -> JobID {
        try bench.queue.enqueue(JobRequest(source: .object("key"), recipes: [WorkerBench.recipe])).id
    }

    @Test("An outage counts against no job, however long it is, and is told once")
    func outage() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        pictures.isAway = true
        let id = try enqueue(on: bench)
        let worker = try bench.makeWorker(openObject: opening(try bench.write("paint")), shared: pictures)
        _ = try bench.events.waitForReports(1)
        // Longer than all attempts of a job would take.
        Time.sleep(.seconds(1))
        #expect(bench.events.reports.allSatisfy { $0.outcome == .released })
        #expect(bench.events.reports.count <= 2, "a slot each met it; then all wait")
        #expect(bench.events.troubles == ["store lost"])
        #expect(worker.worker.troubles[.store] != nil)
        pictures.isAway = false
        let (job, attempts) = try bench.wait(for: id, toBe: .done)
        worker.end()
        #expect(job.failureCount == 0 && attempts.allSatisfy { $0.end == .released || $0.end == .completed })
        #expect(bench.events.troubles == ["store lost", "store back"])
    }

    @Test("An object that alone cannot be read counts against its job")
    func oneObject() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        let worker = try bench.makeWorker(
            openObject: { _ throws(Failure) in throw Failure(.unavailable, detail: "damaged") }, shared: pictures)
        let id = try enqueue(on: bench)
        let reports = try bench.events.waitForReports(2)
        worker.end()
        #expect(reports.allSatisfy { $0.outcome == .retrying } && bench.events.troubles.isEmpty)
        #expect(try bench.queue.show(id).job.failureCount >= 2)
    }

    @Test("Pictures that cannot be kept for others stay in this machine's cache, and are kept when the store is back")
    func sharing() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        pictures.refusesPictures = true
        let worker = try bench.makeWorker(openObject: opening(try bench.write("paint")), shared: pictures)
        let id = try enqueue(on: bench)
        let report = try bench.events.waitForReports(1)[0]
        #expect(report.outcome == .released && report.failure?.detail.contains("no room") == true)
        #expect(bench.hasRendition(of: "paint"))
        #expect(worker.worker.troubles[.store]?.contains("no room") == true)
        pictures.refusesPictures = false
        let (job, _) = try bench.wait(for: id, toBe: .done)
        worker.end()
        #expect(job.failureCount == 0)
        #expect(bench.events.reports.last?.isCached == true, "nothing was made again")
        #expect(pictures.counts.names == 2, "the rendition and the facts")
    }

    @Test(
        "A picture that cannot be kept in a store that is well counts against its job, which is tried again after a pause"
    )
    func onePicture() throws {
        let bench = try WorkerBench()
        defer { bench.close() }
        pictures.refusesKeeping = true
        let worker = try bench.makeWorker(openObject: opening(try bench.write("paint")), shared: pictures)
        let id = try enqueue(on: bench)
        let reports = try bench.events.waitForReports(2)
        #expect(reports.allSatisfy { $0.outcome == .retrying } && bench.events.troubles.isEmpty)
        pictures.refusesKeeping = false
        let (job, _) = try bench.wait(for: id, toBe: .done)
        worker.end()
        #expect(job.failureCount >= 2 && pictures.counts.names == 2)
    }

    @Test("What one machine has made, another one takes over, and keeps nothing again")
    func takingOver() throws {
        let (one, other) = (try WorkerBench(), try WorkerBench())
        defer {
            one.close()
            other.close()
        }
        for bench in [one, other] {
            let worker = try bench.makeWorker(openObject: opening(try bench.write("paint")), shared: pictures)
            _ = try bench.wait(for: try enqueue(on: bench), toBe: .done)
            worker.end()
        }
        #expect(one.events.reports.map(\.isCached) == [false] && other.events.reports.map(\.isCached) == [true])
        #expect(other.hasRendition(of: "paint"))
        #expect(pictures.counts == (keeps: 2, names: 2))
    }
}
