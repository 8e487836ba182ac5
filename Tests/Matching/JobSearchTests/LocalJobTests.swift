import MatchStore
import Matching
import TestDeadline
import Testing

@Suite("The jobs that a profile finds", .deadline)
struct LocalJobTests {
    /// Postings of a title at a place, so many days old.
    private static func postings(
        _ count: Int, _ title: String, in location: String, age: Int, isRemote: Bool = false, text: String = ""
    ) -> [Posting] {
        let posted = CivilDay(number: CivilDay(of: .now).number - age)
        return (0..<count).map { number in
            Posting(
                source: "board", sourceID: "\(title) \(location) \(age) \(isRemote) \(number)", title: title,
                company: "\(location) \(number)", location: location, isRemote: isRemote, posted: posted, text: text)
        }
    }

    private static func store(_ postings: [Posting]..., in bench: SearchBench) throws {
        _ = try bench.postings.store(postings.flatMap(\.self), at: .now)
    }

    @Test("Older jobs near the person are found among any number elsewhere", arguments: SearchBench.Driver.allCases)
    func near(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        try Self.store(
            Self.postings(200, "iOS Developer", in: "Berlin, Germany", age: 0),
            Self.postings(20, "iOS Developer", in: "Round Rock, TX", age: 40),
            Self.postings(20, "iOS Developer", in: "Houston, TX", age: 40),
            Self.postings(300, "iOS Developer", in: "Leeds, UK", age: 1, isRemote: true), in: bench)
        let matches = try bench.matches(for: .developer(in: "Austin, TX")).matches
        let local = matches.filter(\.isLocal)
        #expect(local.count(where: { $0.location == "Round Rock, TX" }) == 20, "remote jobs do not keep them out")
        #expect(local.count(where: \.isRemote) == 75 && local.count == 95 && matches.count == 245)
        #expect(matches.prefix(150).allSatisfy { $0.location == "Berlin, Germany" }, "the order is that of the ranks")
    }

    @Test("Without a town, and with none near, remote jobs alone are local", arguments: SearchBench.Driver.allCases)
    func homeless(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        try Self.store(
            Self.postings(200, "iOS Developer", in: "Austin, TX", age: 0),
            Self.postings(10, "iOS Developer", in: "", age: 40, isRemote: true), in: bench)
        for town in [nil, "Nowhere", "Berlin, Germany"] {
            let local = try bench.matches(for: .developer(in: town)).matches.filter(\.isLocal)
            #expect(local.count == 10 && local.allSatisfy(\.isRemote), "\(town ?? "none")")
        }
    }

    @Test("Two hundred of the best are kept, and near ones beyond them up to a hundred")
    func kept() throws {
        let bench = try SearchBench(.sqlite)
        defer { bench.close() }
        for title in ["iOS Developer", "Mobile Developer"] {
            try Self.store(
                Self.postings(150, title, in: "Berlin, Germany", age: 0),
                Self.postings(150, title, in: "Austin, TX", age: 300), in: bench)
        }
        let (search, matches) = try bench.matches(for: .developer(in: "Austin, TX"))
        #expect(matches.count == 300 && matches.count(where: \.isLocal) == 100)
        #expect(try bench.searches.search(search.id).counts.local == 100)
        #expect(try bench.searches.matches(of: search, localOnly: true).count == 100)
    }

    @Test("An older job that fits well is found behind newer ones of its title", arguments: SearchBench.Driver.allCases)
    func older(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        try Self.store(
            Self.postings(200, "iOS Developer", in: "Berlin, Germany", age: 0),
            Self.postings(1, "iOS Developer", in: "Leeds, UK", age: 30, text: "You know Core Data, Swift and UIKit."),
            in: bench)
        let profile = Profile.developer(in: "Austin, TX", skills: ["Core Data", "Swift", "UIKit"])
        let first = try #require(try bench.matches(for: profile).matches.first)
        #expect(first.location == "Leeds, UK" && first.query?.hasPrefix("iOS Developer, ") == true, "\(first)")
    }

    @Test("A skill that no vocabulary has finds its jobs, and is a reason", arguments: SearchBench.Driver.allCases)
    func unknownSkill(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        try Self.store(
            Self.postings(200, "iOS Developer", in: "Berlin, Germany", age: 0),
            Self.postings(1, "iOS Developer", in: "Leeds, UK", age: 300, text: "We use Zephyrkit daily."), in: bench)
        var profile = Profile.developer(in: nil)
        #expect(try !bench.matches(for: profile).matches.contains { $0.location == "Leeds, UK" })
        profile.skills.append(
            ProfileSkill(name: Found("ZephyrKit", at: nil, confidence: 1), known: nil, isListed: true))
        let (search, matches) = try bench.matches(for: profile)
        let found = try #require(matches.first { $0.location == "Leeds, UK" })
        let reasons = try bench.desk.reasons(for: found.posting, in: search).reasons
        #expect(reasons.bullets.contains { $0.text == "Zephyrkit asked for; your résumé lists ZephyrKit." })
    }
}
