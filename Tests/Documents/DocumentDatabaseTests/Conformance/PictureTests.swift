import Documents
import JobQueue
import Linux
import Media
import Synchronization
import TestDeadline
import Testing

@Suite("Every document store: pictures and files", .deadline)
struct PictureTests {
    /// Works through all waiting jobs.
    private func work(_ bench: StoreBench, _ end: (ClaimedJob, any JobQueue) throws -> Void) throws {
        let queue = try bench.queue()
        for claimed in try queue.claim(upTo: 99, by: "w", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
            try end(claimed, queue)
        }
    }

    private func done(_ bench: StoreBench) throws { try work(bench) { try $1.complete($0.token, JobOutcome()) } }

    @Test(
        "A stored version has a job for its file, and its end makes the version ready", arguments: StoreDriver.allCases)
    func ready(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("A")
        let jobs = try bench.queue().list(JobFilter())
        #expect(
            jobs.map(\.source) == [.object(document.file.object!.rawValue)]
                && jobs.map(\.digest) == [document.file.digest])
        #expect(try bench.store.endedPictures(behind: nil, limit: 9).elements.isEmpty)
        try done(bench)
        let ended = try bench.store.endedPictures(behind: nil, limit: 9).elements
        #expect(ended.map(\.object) == [document.file.object] && ended[0].isDone && ended[0].failure == nil)
        var facts = Facts(mediaType: .pdf, byteCount: 1000)
        facts.pageCount = 3
        try bench.store.settle(ended[0], .ready(facts, placeholder: "abcd"))
        let ready = try bench.store.document(document.id, of: bench.owner)
        #expect(ready.state == .ready && ready.facts == facts && ready.placeholder == "abcd" && ready.failure == nil)
        // A job that another process also settles makes no second event.
        try bench.store.settle(ended[0], .failed(message: "late"))
        #expect(try bench.store.document(document.id, of: bench.owner) == ready)
        #expect(
            try bench.events() == [.stored, .pictureReady]
                && bench.store.endedPictures(behind: nil, limit: 9).elements.isEmpty)
    }

    @Test("Versions with one content share a job, and each gets its outcome", arguments: StoreDriver.allCases)
    func shared(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let documents = try (0..<3).map { _ in try bench.add("A", content: 7) }
        #expect(try bench.queue().list(JobFilter()).count == 1)
        try work(bench) { try $1.fail($0.token, Failure(.corrupt), isRetryable: false, timings: []) }
        let ended = try #require(try bench.store.endedPictures(behind: nil, limit: 9).elements.first)
        #expect(!ended.isDone && ended.failure == Failure(.corrupt).message && !ended.isSourceMissing)
        try bench.store.settle(ended, .failed(message: "no picture"))
        for document in documents {
            let failed = try bench.store.document(document.id, of: bench.owner)
            #expect(failed.state == .failed && failed.failure == "no picture")
        }
        #expect(try bench.events().filter { $0 == .pictureFailed }.count == 3)
    }

    @Test(
        "A job whose file was removed under it leaves the other versions with its content a job",
        arguments: StoreDriver.allCases)
    func sourceMissing(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.add("A", content: 7)
        let second = try bench.add("B", content: 7)
        try work(bench) { claimed, queue in
            try bench.store.removeLine(of: first.id, owner: bench.owner)
            try queue.fail(claimed.token, Failure(.sourceMissing), isRetryable: false, timings: [])
        }
        let ended = try #require(try bench.store.endedPictures(behind: nil, limit: 9).elements.first)
        #expect(ended.isSourceMissing)
        try bench.store.settle(ended, .failed(message: "gone"))
        #expect(try bench.store.document(second.id, of: bench.owner).state == .stored)
        // The dead letter of a removed document would keep its name.
        #expect(try bench.queue().list(JobFilter()).map(\.source) == [.object(second.file.object!.rawValue)])
        try done(bench)
        let end = try #require(try bench.store.endedPictures(behind: nil, limit: 9).elements.first)
        try bench.store.settle(end, .ready(nil, placeholder: nil))
        #expect(try bench.store.document(second.id, of: bench.owner).state == .ready)
    }

    @Test(
        "The jobs of a removed document go with it, waiting or done, and another version's pictures still come",
        arguments: StoreDriver.allCases)
    func forgetting(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let alone = try bench.add("alone")
        let first = try bench.add("A", content: 7)
        let second = try bench.add("B", content: 7)
        try bench.store.removeLine(of: alone.id, owner: bench.owner)
        try bench.store.removeVersion(first.id, of: bench.owner)
        #expect(try bench.queue().list(JobFilter()).map(\.source) == [.object(second.file.object!.rawValue)])
        try done(bench)
        try bench.store.removeLine(of: second.id, owner: bench.owner)
        #expect(
            try bench.queue().list(JobFilter()).isEmpty
                && bench.store.endedPictures(behind: nil, limit: 9).elements.isEmpty)
    }

    @Test(
        "A single picture that was ordered goes with its document, once no worker has it in work",
        arguments: StoreDriver.allCases)
    func ordered(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("A")
        try done(bench)
        var page = Preset.preview.recipe
        page.pageIndex = 4
        let job = try bench.store.order(page, of: document.file.object!, .awaited)
        #expect(try bench.store.order(page, of: document.file.object!, .ahead) == job)
        let claimed = try #require(try bench.queue().claim(upTo: 1, by: "w", for: .seconds(30)).first)
        #expect(claimed.job.id.rawValue == job && claimed.job.priority == .interactive)
        page.pageIndex = 5
        _ = try bench.store.order(page, of: document.file.object!, .ahead)
        try bench.store.removeLine(of: document.id, owner: bench.owner)
        // Neither of two jobs that did not run is left.
        #expect(try bench.queue().list(JobFilter()).map(\.id) == [claimed.job.id])
        let removal = try #require(try bench.store.dueRemovals(limit: 9).first)
        #expect(try !bench.store.forgetJobs(of: removal))
        try bench.queue().complete(claimed.token, JobOutcome())
        #expect(try bench.store.forgetJobs(of: removal))
        #expect(try bench.queue().list(JobFilter()).isEmpty)
        #expect(throws: DocumentError.notFound(.file)) {
            try bench.store.order(page, of: document.file.object!, .awaited)
        }
    }

    @Test(
        "Of a person's pictures few are awaited at once, and each takes turns with other people's",
        arguments: StoreDriver.allCases)
    func awaited(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let object = try bench.add("A").file.object!
        try done(bench)
        func order(_ pageIndex: Int, _ urgency: PictureUrgency = .awaited) throws -> Int64? {
            var page = Preset.preview.recipe
            page.pageIndex = pageIndex
            return try bench.store.order(page, of: object, urgency)
        }
        let jobs = try (0..<PersonBounds.awaitedPictures).map { try order($0) }
        #expect(jobs.allSatisfy { $0 != nil })
        #expect(try order(100) == nil)
        #expect(try order(3) == jobs[3], "one that is there already")
        #expect(try order(101, .visited) != nil && order(102, .ahead) != nil)
        let claimed = try #require(try bench.queue().claim(upTo: 1, by: "w", for: .seconds(30)).first)
        #expect(claimed.job.party == bench.owner.text && claimed.job.id.rawValue == jobs[0])
        try bench.queue().complete(claimed.token, JobOutcome())
        #expect(try order(100) != nil)
    }

    @Test("Searches for jobs do not count among a person's awaited pictures", arguments: StoreDriver.allCases)
    func awaitedBesideSearches(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let object = try bench.add("A").file.object!
        try bench.queue().enqueue(
            (0..<PersonBounds.awaitedPictures).map {
                JobRequest(
                    kind: .resume, source: .object("search\($0)"), recipes: [], priority: .interactive,
                    party: bench.owner.text)
            })
        var page = Preset.preview.recipe
        for pageIndex in 0..<PersonBounds.awaitedPictures {
            page.pageIndex = pageIndex
            #expect(try bench.store.order(page, of: object, .awaited) != nil)
        }
        page.pageIndex = PersonBounds.awaitedPictures
        #expect(try bench.store.order(page, of: object, .awaited) == nil)
    }

    @Test("A removed person's identity leaves the queue, also from another's jobs", arguments: StoreDriver.allCases)
    func forgottenParty(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("A", content: 7)
        try done(bench)
        var others = bench.new("B", content: 7)
        others.owner = bench.stranger
        let other = try bench.store.add(others)
        try done(bench)
        var page = Preset.preview.recipe
        page.pageIndex = 4
        let job = try bench.store.order(page, of: document.file.object!, .ahead)
        #expect(try bench.store.order(page, of: other.file.object!, .awaited) == job)
        let queue = try bench.queue()
        #expect(try queue.list(JobFilter()).compactMap(\.party) == [bench.stranger.text])
        try bench.store.forget(bench.stranger)
        #expect(try queue.list(JobFilter()).allSatisfy { $0.party == nil })
        #expect(try queue.claim(upTo: 1, by: "w", for: .seconds(30)).map(\.job.id.rawValue) == [job])
    }

    @Test(
        "A job that was given back after its file's removal is another version's, and its pictures still come",
        arguments: StoreDriver.allCases)
    func givenBack(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.add("A", content: 7)
        let second = try bench.add("B", content: 7)
        let claimed = try #require(try bench.queue().claim(upTo: 1, by: "w", for: .seconds(30)).first)
        try bench.store.removeLine(of: first.id, owner: bench.owner)
        let removal = try #require(try bench.store.dueRemovals(limit: 9).first)
        #expect(try !bench.store.forgetJobs(of: removal))
        try bench.queue().release(claimed.token)
        #expect(try bench.store.forgetJobs(of: removal))
        #expect(try bench.queue().list(JobFilter()).map(\.source) == [.object(second.file.object!.rawValue)])
        try done(bench)
        let end = try #require(try bench.store.endedPictures(behind: nil, limit: 9).elements.first)
        try bench.store.settle(end, .ready(nil, placeholder: nil))
        #expect(try bench.store.document(second.id, of: bench.owner).state == .ready)
    }

    @Test(
        "A version that relied on a removed document's ended job is settled all the same",
        arguments: StoreDriver.allCases)
    func endedThenRemoved(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let first = try bench.add("A", content: 7)
        let second = try bench.add("B", content: 7)
        try done(bench)
        try bench.store.removeLine(of: first.id, owner: bench.owner)
        let ended = try #require(try bench.store.endedPictures(behind: nil, limit: 9).elements.first)
        try bench.store.settle(ended, .ready(nil, placeholder: nil))
        #expect(try bench.store.document(second.id, of: bench.owner).state == .ready)
    }

    @Test("A quarantined version has no job until its object has passed", arguments: StoreDriver.allCases)
    func quarantine(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let documents = try (0..<3).map { try bench.store.add(bench.new("\($0)", state: .quarantined)) }
        let plain = try bench.add("plain")
        #expect(try bench.queue().list(JobFilter()).count == 1)
        let page = try bench.store.pendingObjects(behind: nil, limit: 2)
        let ids = documents.map { $0.file.object! }.sorted { $0.rawValue < $1.rawValue }
        #expect(page.elements.map(\.id) == Array(ids.prefix(2)))
        #expect(try bench.store.pendingObjects(behind: page.next, limit: 2).elements.map(\.id) == [ids[2]])
        let passed = documents[0]
        try bench.store.judge(passed.file.object!, .passed, reason: nil)
        #expect(try bench.store.document(passed.id, of: bench.owner).state == .stored)
        #expect(try bench.store.object(passed.file.object!)?.verdict == .passed)
        // A second verdict changes nothing, nor does one on an object that is not waiting.
        try bench.store.judge(passed.file.object!, .infected, reason: "late")
        try bench.store.judge(plain.file.object!, .infected, reason: "never asked")
        #expect(try bench.store.document(plain.id, of: bench.owner) == plain)
        let infected = documents[1]
        try bench.store.judge(infected.file.object!, .infected, reason: "malware")
        let kept = try bench.store.document(infected.id, of: bench.owner)
        #expect(kept.state == .quarantined && kept.failure == "malware")
        #expect(
            try bench.queue().list(JobFilter()).count == 2
                && bench.store.pendingObjects(behind: nil, limit: 9).elements.count == 1)
        #expect(try bench.events() == [.stored, .stored, .stored, .stored, .changed, .pictureFailed])
    }

    @Test("A version of a file that was judged before has its verdict", arguments: StoreDriver.allCases)
    func judgedBefore(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        for (verdict, state) in [
            (StoredObject.Verdict.pending, Document.State.quarantined), (.passed, .stored), (.infected, .quarantined),
        ] {
            var new = bench.new("\(verdict)")
            new.isObjectStored = true
            try bench.store.add(
                NewObject(
                    id: new.file.object!, owner: bench.owner, path: new.file.path, digest: new.file.digest,
                    byteCount: new.file.byteCount, mediaType: .pdf, facts: nil, verdict: .pending))
            if verdict != .pending { try bench.store.judge(new.file.object!, verdict, reason: nil) }
            let document = try bench.store.add(new)
            #expect(document.state == state && (document.failure != nil) == (verdict == .infected))
        }
        #expect(try bench.queue().list(JobFilter()).count == 1)
    }

    @Test("A removal that fails is put off, longer each time up to an hour", arguments: StoreDriver.allCases)
    func removals(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("A")
        try bench.store.removeLine(of: document.id, owner: bench.owner)
        var pauses: [Int] = []
        for _ in 0..<14 {
            let removal = try #require(try bench.store.dueRemovals(limit: 9).first)
            try bench.store.delayRemoval(removal)
            #expect(try bench.store.dueRemovals(limit: 9).isEmpty)
            var pause = 0
            while try bench.store.dueRemovals(limit: 9).isEmpty {
                bench.clock.advance(.seconds(1))
                pause += 1
            }
            pauses.append(pause)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600])
        let removal = try #require(try bench.store.dueRemovals(limit: 9).first)
        #expect(removal.failureCount == 14 && removal.digest == document.file.digest)
        try bench.store.endRemoval(removal)
        bench.clock.advance(.seconds(9999))
        #expect(try bench.store.dueRemovals(limit: 9).isEmpty)
    }

    @Test(
        "A removal is its taker's alone until the lease is over, and a former taker does not end it",
        arguments: StoreDriver.allCases)
    func taking(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let other = try bench.reopened()
        let documents = try ["A", "B"].map { try bench.add($0) }
        for document in documents {
            try bench.store.removeLine(of: document.id, owner: bench.owner)
            bench.clock.advance(.seconds(1))
        }
        let first = try #require(try bench.store.takeRemoval(for: .seconds(60)))
        let second = try #require(try other.takeRemoval(for: .seconds(60)))
        #expect([first, second].map(\.object) == documents.map(\.file.object))
        #expect(first.digest == documents[0].file.digest && first.failureCount == 0)
        #expect(try other.takeRemoval(for: .seconds(60)) == nil && bench.store.dueRemovals(limit: 9).isEmpty)
        try other.delayRemoval(second)
        bench.clock.advance(.seconds(60))
        try other.endRemoval(try #require(try other.takeRemoval(for: .seconds(60))))
        let again = try #require(try other.takeRemoval(for: .seconds(60)))
        #expect(again.object == first.object)
        try bench.store.delayRemoval(first)
        try bench.store.endRemoval(first)
        #expect(try other.hasRemovals(of: bench.owner))
        try other.endRemoval(again)
        #expect(try !other.hasRemovals(of: bench.owner))
    }

    @Test("Of several takers at once each gets removals that no other gets", arguments: StoreDriver.allCases)
    func takingTogether(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let documents = try (0..<30).map { try bench.add("\($0)") }
        for document in documents { try bench.store.removeLine(of: document.id, owner: bench.owner) }
        let taken = Mutex<[ObjectID]>([])
        let errors = Mutex<[String]>([])
        let threads = try (0..<3).map { number in
            try WorkerThread(name: "taker-\(number)") {
                do {
                    let store = try bench.reopened()
                    while let removal = try store.takeRemoval(for: .seconds(60)) {
                        taken.withLock { $0.append(removal.object) }
                    }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(errors.withLock { $0 } == [])
        #expect(taken.withLock { $0 }.count == 30)
        #expect(Set(taken.withLock { $0 }) == Set(documents.map { $0.file.object! }))
    }
}
