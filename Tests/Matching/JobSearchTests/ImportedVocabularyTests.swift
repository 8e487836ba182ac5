import MatchStore
import Matching
import TestDeadline
import Testing

@Suite("Searches by an imported vocabulary", .deadline)
struct ImportedVocabularyTests {
    private static let lists = VocabularyLists(
        occupations: [Occupation(code: "1", name: "Falconer", titles: ["Bird Handler"], skills: ["Hood Making"])],
        skills: [Skill("Hood Making")])

    @Test(
        "A search uses the vocabulary of its moment; what was found stays", arguments: SearchBench.Driver.allCases)
    func imported(driver: SearchBench.Driver) throws {
        let bench = try SearchBench(driver)
        defer { bench.close() }
        let posting = Posting(
            source: "board", sourceID: "1", title: "Bird Handler", company: "Mews", location: "Leeds, UK",
            text: "Hood making is asked for.")
        _ = try bench.postings.store([posting], at: .now)
        var profile = Profile()
        profile.basics.label = Found("Falconer", at: nil, confidence: 1)
        profile.skills = [
            ProfileSkill(name: Found("Hood Making", at: nil, confidence: 1), known: nil, isListed: true)
        ]
        #expect(try bench.matches(for: profile).matches.isEmpty, "our own vocabulary knows neither title")

        try bench.postings.keep([.onet: Self.lists], at: .now)
        let (search, matches) = try bench.matches(for: profile)
        let match = try #require(matches.first)
        #expect(matches.count == 1 && match.isDirect)
        let reasons = try bench.desk.reasons(for: match.posting, in: search).reasons
        #expect(reasons.bullets.contains { $0.text.contains("Hood making") }, "\(reasons)")

        #expect(try bench.postings.removeVocabulary() == 1)
        #expect(try bench.matches(for: profile).matches.isEmpty)
        #expect(try bench.searches.matches(of: search, localOnly: false) == matches)
        #expect(throws: Never.self) { try bench.desk.reasons(for: match.posting, in: search) }
    }

    @Test("A profile's skill whose vocabulary is gone is looked for as the person writes it")
    func forgotten() throws {
        let bench = try SearchBench(.sqlite)
        defer { bench.close() }
        let posting = Posting(
            source: "board", sourceID: "1", title: "iOS Developer", company: "Mews", location: "Leeds, UK",
            text: "We ask for ZephyrKit.")
        _ = try bench.postings.store([posting], at: .now)
        var profile = Profile.developer(in: nil, skills: [])
        profile.skills = [
            ProfileSkill(
                name: Found("ZephyrKit", at: nil, confidence: 1), known: "Zephyr tools of an import", isListed: true)
        ]
        let (search, matches) = try bench.matches(for: profile)
        let match = try #require(matches.first)
        let reasons = try bench.desk.reasons(for: match.posting, in: search).reasons
        #expect(
            reasons.bullets.contains { $0.text == "ZephyrKit asked for; your résumé lists ZephyrKit." }, "\(reasons)")
    }
}
