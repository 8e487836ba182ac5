import JobQueue
import MatchStore
import Matching
import Media
import TestDeadline
import Testing

@Suite("SearchDesk", .deadline)
struct SearchDeskTests {
    @Test("Reasons stay as they were when a posting changes or goes", arguments: SearchBench.Driver.allCases)
    func lasting(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        var posting = Posting(
            source: "board", sourceID: "1", title: "iOS Developer", company: "Harrow", location: "Leeds, UK",
            text: "You know Swift.")
        _ = try bench.postings.store([posting], at: .now)
        let (search, matches) = try bench.matches(for: .developer(in: "Leeds"))
        let id = try #require(matches.first).posting
        let before = try bench.desk.reasons(for: id, in: search)
        #expect(before.reasons.bullets.contains { $0.text.hasPrefix("Swift asked for") })
        posting.text = "You know Kotlin."
        _ = try bench.postings.store([posting], at: .now)
        #expect(try bench.desk.reasons(for: id, in: search).reasons == before.reasons)
        #expect(try bench.postings.remove(source: "board", ids: nil) == 1)
        let after = try bench.desk.reasons(for: id, in: search)
        #expect(after.reasons == before.reasons)
        for reason in after.reasons.bullets {
            #expect(after.evidence(of: reason).posting == before.evidence(of: reason).posting)
        }
        #expect(throws: SearchError.notFound) { try bench.desk.reasons(for: "\(search.id)", in: search) }
    }

    @Test("A match that was kept without its text is explained by the posting, as long as it is there")
    func withoutText() throws {
        let bench = try SearchBench(.sqlite)
        defer { bench.close() }
        let posting = Posting(source: "board", sourceID: "1", title: "iOS Developer", text: "You know Swift.")
        _ = try bench.postings.store([posting], at: .now)
        let id = try bench.postings.posting(posting.key).id.text
        let (search, _) = try bench.matches(for: Profile())
        let again = try bench.desk.correct(search, try JSON(parsing: Array(#"{"skills": [{"name": "Swift"}]}"#.utf8)))
        let match = SearchMatch(
            id: .make(at: .now), posting: id, title: "iOS Developer", company: "", location: "", isRemote: false,
            posted: nil, url: nil, query: nil, isDirect: true, isLocal: false, parts: "{}")
        _ = try bench.searches.complete(again, title: nil, [match])
        #expect(try bench.desk.reasons(for: id, in: again).reasons.bullets.count == 1)
        _ = try bench.postings.remove(source: "board", ids: nil)
        #expect(throws: PostingError.notFound) { try bench.desk.reasons(for: id, in: again) }
    }

    @Test(
        "Where the résumé could not be read, the person's own profile begins the search again",
        arguments: SearchBench.Driver.allCases)
    func filledIn(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        let posting = Posting(source: "board", sourceID: "1", title: "iOS Developer", text: "You know Swift.")
        _ = try bench.postings.store([posting], at: .now)
        let correction = try JSON(
            parsing: Array(#"{"basics": {"label": "iOS Developer"}, "skills": [{"name": "Swift"}]}"#.utf8))
        let search = try bench.add()
        #expect(throws: SearchError.noProfile) { try bench.desk.correct(search, correction) }
        _ = try bench.searches.fail(search, message: "No text could be read.")
        let failed = try bench.searches.search(search.id)
        #expect(throws: ProfileFault.self) {
            try bench.desk.correct(failed, try JSON(parsing: Array(#"{"admin": 1}"#.utf8)))
        }
        let again = try bench.desk.correct(failed, correction)
        // The file is not asked for: nothing can be read from it.
        try bench.work.perform(again.object.rawValue) { () throws(Failure) in throw Failure(.sourceMissing) }
        let done = try bench.desk.search(viewToken: search.viewToken)
        #expect(done.state == .completed && done.message == nil && done.isCorrected && done.title == "iOS Developer")
        let match = try #require(try bench.desk.matches(of: done, localOnly: false).first)
        #expect(try bench.desk.reasons(for: match.posting, in: done).reasons.bullets.count == 2)
        #expect(try bench.desk.profile(of: done)?.pages == [])
    }

    @Test("A session whose job is dead ends also where nobody asks", arguments: SearchBench.Driver.allCases)
    func unasked(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        let (dead, waiting) = (try bench.add(age: .seconds(3600)), try bench.add(age: .seconds(3600)))
        let claimed = try #require(try bench.queue.begin(by: "w", for: .seconds(30), downTo: .backfill))
        #expect(claimed.job.id.rawValue == dead.job)
        _ = try bench.queue.fail(claimed.token, Failure(.unavailable), isRetryable: false, timings: [])
        #expect(try bench.desk.tidy() == 0)
        let ended = try bench.searches.search(dead.id)
        #expect(ended.state == .failed && ended.message?.isEmpty == false)
        #expect(try bench.searches.search(waiting.id).state == .processing)
    }

    @Test(
        "What a correction may not have is refused by its name",
        arguments: [
            (#"{"admin": {}}"#, "admin"), (#"{"basics": {"label": "Cook"}, "Work": []}"#, "Work"),
            (#"{"basics": {"location": {"city": 1}}}"#, "basics.location.city"),
            (#"{"basics": {"location": ["Austin"]}}"#, "basics.location"),
        ])
    func unknown(correction: String, field: String) throws {
        let bench = try SearchBench(.sqlite)
        defer { bench.close() }
        let (search, _) = try bench.matches(for: .developer(in: nil))
        do {
            _ = try bench.desk.correct(search, try JSON(parsing: Array(correction.utf8)))
            Issue.record("taken: \(correction)")
        } catch {
            #expect((error as? ProfileFault)?.field == field, "\(error)")
        }
    }

    @Test(
        "A place is a text, or JSON Resume's object",
        arguments: [
            (#""Austin, TX""#, "Austin, TX"),
            (#"{"city": "Austin", "region": "TX", "countryCode": "US", "postalCode": "78701"}"#, "Austin, TX, US"),
            (#"{"city": " Berlin "}"#, "Berlin"), ("{}", nil), ("null", nil),
        ])
    func location(json: String, text: String?) throws {
        let bench = try SearchBench(.sqlite)
        defer { bench.close() }
        let (search, _) = try bench.matches(for: .developer(in: "Leeds"))
        let correction = try JSON(parsing: Array("{\"basics\": {\"location\": \(json)}}".utf8))
        _ = try bench.desk.correct(search, correction)
        let profile = try #require(try bench.desk.profile(of: search)).profile
        #expect(profile.basics.location?.value == text && profile.basics.label?.value == "iOS Developer")
    }
}
