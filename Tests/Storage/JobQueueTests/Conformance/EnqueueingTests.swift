import JobQueue
import Media
import TestDeadline
import Testing

@Suite("Every queue: enqueueing", .deadline)
struct EnqueueingTests {
    @Test("A job is stored and returned unchanged", arguments: QueueDriver.allCases)
    func roundTrip(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let digest = Digest(bytes: [UInt8](repeating: 7, count: 32))
        var page = Recipe(box: Box(width: 800, height: nil)!, fit: .contain, enlarge: true, format: .webp, quality: 60)
        page.pageIndex = 4
        page.time = .milliseconds(1500)
        let request = JobRequest(
            source: .object("u/résumé 'x'.pdf"), digest: digest, recipes: [page, Preset.list.recipe],
            priority: .backfill)
        let added = try bench.queue.enqueue(request)
        let job = try bench.queue.show(added.id).job
        #expect(!added.isDuplicate)
        #expect(job.kind == .renditions && job.source == request.source && job.digest == digest)
        #expect(job.recipes == request.recipes && job.priority == .backfill && job.state == .available)
        #expect(job.enqueued == bench.clock.now && job.notBefore == bench.clock.now && job.lastFailure == nil)
    }

    @Test("An equal unfinished job is returned, its priority raised and never lowered", arguments: QueueDriver.allCases)
    func duplicates(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let recipes = [Preset.grid.recipe, Preset.list.recipe]
        let first = try bench.queue.enqueue(.of("/a", recipes: recipes))
        let raised = try bench.queue.enqueue(.of("/a", priority: .interactive, recipes: recipes.reversed()))
        #expect(raised.isDuplicate && raised.id == first.id)
        #expect(try bench.queue.show(first.id).job.priority == .interactive)
        _ = try bench.queue.enqueue(.of("/a", priority: .backfill, recipes: recipes))
        #expect(try bench.queue.show(first.id).job.priority == .interactive)
        #expect(try bench.queue.status().jobCount(.available) == 1)
    }

    @Test(
        "Jobs with other paths, recipes, kinds or keys of the content are not equal",
        arguments: QueueDriver.allCases)
    func distinct(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let digest = Digest(bytes: [UInt8](repeating: 1, count: 32))
        let answers = try bench.queue.enqueue([
            .of("/a"), .of("/b"), .of("/a", recipes: [Preset.list.recipe]),
            .of("/a", kind: JobKind(rawValue: "other")!),
            .of("/a", digest: digest), JobRequest(source: .object("/a"), recipes: [Preset.grid.recipe]),
            .of("/elsewhere", digest: digest),
        ])
        #expect(answers.map(\.isDuplicate) == [false, false, false, false, false, false, true])
        #expect(answers[6].id == answers[4].id)
        #expect(Set(answers.map(\.id)).count == 6)
    }

    @Test(
        "Two files whose names differ by Unicode normalisation alone are two jobs, in one request and in several",
        arguments: QueueDriver.allCases)
    func normalisation(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let names = ["/r\u{E9}sum\u{E9}.pdf", "/re\u{301}sume\u{301}.pdf", "/r\u{E9}sume\u{301}.pdf"]
        let requests =
            names.map { JobRequest.of($0) }
            + names.map { JobRequest(source: .object($0), recipes: [Preset.grid.recipe]) }
        let added = try bench.queue.enqueue(requests)
        #expect(added.allSatisfy { !$0.isDuplicate } && Set(added.map(\.id)).count == 6)
        for (request, answer) in zip(requests, added) {
            let location = try bench.queue.show(answer.id).job.source.location
            #expect(location.utf8.elementsEqual(request.source.location.utf8))
            let again = try bench.queue.enqueue(request)
            #expect(again.isDuplicate && again.id == answer.id)
        }
    }

    @Test(
        "A request equal to a leased job joins it; one equal to a done job makes a new job",
        arguments: QueueDriver.allCases)
    func afterTheEnd(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        let first = try bench.queue.enqueue(.of("/a"))
        let claimed = try #require(try bench.claim())
        #expect(try bench.queue.enqueue(.of("/a")).isDuplicate)
        try bench.queue.complete(claimed.token, JobOutcome())
        let second = try bench.queue.enqueue(.of("/a"))
        #expect(!second.isDuplicate && second.id > first.id)
    }

    @Test("A batch with an invalid request adds no job", arguments: QueueDriver.allCases)
    func invalid(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        for bad in [JobRequest.of("/b", recipes: []), .of(""), .of("/b\0c")] {
            #expect(throws: QueueError.self) { try bench.queue.enqueue([.of("/a"), bad]) }
        }
        #expect(try bench.queue.status().counts.isEmpty)
    }
}
