import Database
import Foundation
import JobQueue
import MatchStore
import Matching
import Media
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Every store of searches", .deadline)
struct SearchStoreTests {
    enum Driver: CaseIterable {
        case sqlite
        case postgreSQL
    }

    /// A store of its own, beside a queue.
    private struct Bench {
        let store: SearchStore
        let queue: any JobQueue
        private let server: ScratchDatabase?

        init(_ driver: Driver) throws {
            server = driver == .postgreSQL ? try ScratchDatabase() : nil
            let database: any SQLDatabase =
                try server?.database ?? SQLiteDatabase(path: "\(TemporaryFolder.make("searches"))/file")
            try QueueTables.migrate(database)
            queue = try QueueTables.open(database)
            store = try SearchStore(database)
        }

        func add(
            _ name: String, owner: ID<Person>? = nil, at now: Instant = now
        ) throws -> ResumeSearch {
            try store.add(
                .make(at: now), viewToken: "token \(name)", owner: owner, object: .random(), fileName: name, at: now)
        }
    }

    private static let now = Instant(microseconds: 1_780_000_000_000_000)

    private static func match(_ posting: String, isDirect: Bool = true, isLocal: Bool = true) -> SearchMatch {
        SearchMatch(
            id: .make(at: now), posting: posting, title: "T \(posting)", company: "", location: "Köln", isRemote: false,
            posted: CivilDay("2026-05-01"), url: nil, query: "q", isDirect: isDirect, isLocal: isLocal, parts: "{}")
    }

    @Test("A search comes with its job, and is found by identity, token and file", arguments: Driver.allCases)
    func adding(driver: Driver) throws {
        let bench = try Bench(driver)
        let person = ID<Person>.make(at: Self.now)
        let search = try bench.add("a", owner: person)
        #expect(search.state == .processing && search.step == .stored && search.owner == person)
        let job = try #require(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill)).job
        #expect(job.kind == .resume && job.source == .object(search.object.rawValue) && job.recipes.isEmpty)
        #expect(job.id.rawValue == search.job && job.priority == .interactive)
        #expect(try bench.store.search(search.id) == search)
        #expect(try bench.store.search(viewToken: "token a") == search)
        #expect(try bench.store.search(ofObject: search.object.rawValue) == search)
        #expect(throws: SearchError.notFound) { try bench.store.search(viewToken: "token b") }
        #expect(throws: SearchError.notFound) { try bench.store.search(.make(at: Self.now)) }
    }

    @Test("A session ends once, with its matches in their order", arguments: Driver.allCases)
    func completing(driver: Driver) throws {
        let bench = try Bench(driver)
        let search = try bench.add("a")
        #expect(try bench.store.reading(of: search.id) == nil)
        let reading = StoredReading(pages: ["one\n", "zwei “"], profile: "{}")
        #expect(try bench.store.keep(reading, title: "Engineer", of: search))
        #expect(try bench.store.reading(of: search.id) == reading)
        #expect(try bench.store.search(search.id).step == .profiled)
        let matches = [Self.match("2"), Self.match("1", isLocal: false), Self.match("3", isDirect: false)]
        #expect(try bench.store.complete(search, title: "Engineer", matches))
        #expect(try !bench.store.complete(search, title: "Other", []))
        #expect(try !bench.store.fail(search, message: "late"))
        let done = try bench.store.search(search.id)
        #expect(done.state == .completed && done.title == "Engineer" && done.message == nil)
        #expect(done.counts == ResumeSearch.Counts(matches))
        #expect(done.counts.total == 3 && done.counts.direct == 2 && done.counts.local == 2)
        #expect(try bench.store.matches(of: done, localOnly: false) == matches)
        #expect(try bench.store.matches(of: done, localOnly: true).map(\.posting) == ["2", "3"])
        #expect(try bench.store.match("1", in: done) == matches[1])
        #expect(throws: SearchError.notFound) { try bench.store.match("9", in: done) }
    }

    @Test("A match keeps its posting's text, which lists leave out", arguments: Driver.allCases)
    func texts(driver: Driver) throws {
        let bench = try Bench(driver)
        let search = try bench.add("a")
        let match = SearchMatch(
            id: .make(at: Self.now), posting: "1", title: "Cook", company: "", location: "", isRemote: true,
            posted: nil,
            url: nil, query: nil, isDirect: true, isLocal: true, parts: "{}", text: "Grill.\n\n“Knives”")
        #expect(try bench.store.complete(search, title: nil, [match]))
        #expect(try bench.store.match("1", in: search) == match)
        #expect(try bench.store.matches(of: search, localOnly: false).map(\.text) == [nil])
    }

    @Test(
        "A correction begins another session: what the one before writes late finds nothing", arguments: Driver.allCases
    )
    func correcting(driver: Driver) throws {
        let bench = try Bench(driver)
        let first = try bench.add("a")
        #expect(throws: SearchError.noProfile) { try bench.store.correct(first.id, profile: "{}", at: Self.now) }
        #expect(throws: SearchError.notFound) {
            try bench.store.correct(.make(at: Self.now), profile: "{}", at: Self.now)
        }
        _ = try bench.store.keep(StoredReading(pages: ["x"], profile: "{}"), title: nil, of: first)
        _ = try bench.store.complete(first, title: nil, [Self.match("1")])
        let second = try bench.store.correct(first.id, profile: #"{"a":1}"#, at: Self.now)
        #expect(second.session != first.session && second.state == .processing && second.isCorrected)
        #expect(second.viewToken == first.viewToken && second.counts.total == 0)
        #expect(try bench.store.matches(of: first, localOnly: false).isEmpty)
        #expect(try bench.store.reading(of: first.id) == StoredReading(pages: ["x"], profile: #"{"a":1}"#))
        #expect(try !bench.store.complete(first, title: nil, [Self.match("1")]))
        #expect(try !bench.store.keep(StoredReading(pages: [], profile: ""), title: nil, of: first))
        #expect(try bench.store.complete(second, title: nil, [Self.match("2")]))
        #expect(try bench.store.matches(of: second, localOnly: false).map(\.posting) == ["2"])
    }

    @Test(
        "A session that has failed takes a profile, and keeps what was found before", arguments: Driver.allCases,
        [nil, StoredReading(pages: ["x"], profile: #"{"a":0}"#)])
    func filledIn(driver: Driver, found: StoredReading?) throws {
        let bench = try Bench(driver)
        let first = try bench.add("a")
        #expect(try bench.store.fail(first, message: "m", keeping: found))
        let failed = try bench.store.search(first.id)
        #expect(failed.state == .failed && failed.message == "m" && failed.title == nil)
        #expect(try bench.store.reading(of: first.id) == found)
        let second = try bench.store.correct(first.id, profile: #"{"a":1}"#, at: Self.now)
        #expect(second.session != first.session && second.state == .processing && second.message == nil)
        let reading = StoredReading(pages: found?.pages ?? [], profile: #"{"a":1}"#)
        #expect(try bench.store.reading(of: first.id) == reading)
        #expect(try bench.store.complete(second, title: nil, [Self.match("1")]))
    }

    @Test("A session whose job is over is queued again, and one that is over is not", arguments: Driver.allCases)
    func resuming(driver: Driver) throws {
        let bench = try Bench(driver)
        let search = try bench.add("a")
        let claimed = try #require(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill))
        try bench.queue.complete(claimed.token, JobOutcome(digest: nil, timings: []))
        try bench.store.resume(search)
        let again = try #require(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill))
        let queued = try bench.store.search(search.id).job
        #expect(again.job.id != claimed.job.id && again.job.id.rawValue == queued)
        try bench.queue.complete(again.token, JobOutcome(digest: nil, timings: []))
        try bench.store.fail(search, message: "m")
        try bench.store.resume(search)
        #expect(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill) == nil)
        #expect(try bench.store.search(search.id).message == "m")
    }

    @Test(
        "A deletion takes matches and the waiting job with it, and leaves those of others", arguments: Driver.allCases)
    func removed(driver: Driver) throws {
        let bench = try Bench(driver)
        let (gone, stays) = (try bench.add("a"), try bench.add("b"))
        _ = try bench.store.complete(gone, title: nil, [Self.match("1")])
        _ = try bench.store.remove(gone.id)
        #expect(throws: SearchError.notFound) { try bench.store.remove(gone.id) }
        #expect(throws: SearchError.notFound) { try bench.store.search(viewToken: gone.viewToken) }
        #expect(try bench.store.matches(of: gone, localOnly: false).isEmpty)
        let left = try bench.queue.list(JobFilter()).map(\.source)
        #expect(left == [.object(stays.object.rawValue)])
    }

    @Test(
        "A person's searches are listed and counted, the latest first, and old ones are found",
        arguments: Driver.allCases)
    func listing(driver: Driver) throws {
        let bench = try Bench(driver)
        let person = ID<Person>.make(at: Self.now)
        let old = try bench.add("old", owner: person)
        let new = try bench.add("new", owner: person, at: Self.now + .seconds(60))
        let other = try bench.add("other", at: Self.now + .seconds(30))
        _ = try bench.store.complete(old, title: nil, [Self.match("1"), Self.match("2")])
        #expect(try bench.store.searches(of: person, limit: 10).map(\.id) == [new.id, old.id])
        #expect(try bench.store.searches(of: person, limit: 1).map(\.id) == [new.id])
        #expect(try bench.store.searches(of: person, limit: 10, offset: 1).map(\.id) == [old.id])
        #expect(try bench.store.searches(of: person, limit: 10, offset: 2).isEmpty)
        let statistics = try bench.store.statistics(of: person)
        #expect(statistics.searchCount == 2 && statistics.matchCount == 2)
        let moment = Self.now + .seconds(45)
        #expect(try bench.store.searches(before: moment, limit: 10).map(\.id) == [old.id, other.id])
        #expect(try bench.store.searches(before: moment, in: .processing, limit: 10).map(\.id) == [other.id])
    }
}
