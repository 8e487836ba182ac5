import Matching
import Media
import TestDeadline
import Testing

@Suite("Matcher", .deadline)
struct MatcherTests {
    private func posting(
        _ title: String, id: String = "1", text: String = "", location: String = "", isRemote: Bool = false,
        posted: String? = "2026-11-19", expires: String? = nil
    ) -> Posting {
        Posting(
            source: "s", sourceID: id, title: title, location: location, isRemote: isRemote,
            posted: posted.flatMap { CivilDay($0) }, expires: expires.flatMap { CivilDay($0) }, text: text)
    }

    private func match(_ posting: Posting) -> Match? {
        MatchingSample.engineer.matcher.match(MatchingSample.candidate(posting))
    }

    @Test(
        "A posting is direct, adjacent, or no match",
        arguments: [
            ("iOS Developer", "", Match.Category.direct), ("Android Engineer", "", .direct),
            ("Frontend Developer", "", .adjacent),
            ("Pastry Chef", "", nil), ("Chef", "Swift", nil),
            ("Toolsmith", "You know Swift, SwiftUI, UIKit and Core Data.", .adjacent),
            ("Toolsmith", "Swift and SQL, Java, C++", nil),
        ])
    func categories(title: String, text: String, category: Match.Category?) {
        #expect(match(posting(title, text: text))?.category == category)
    }

    @Test("Each part of the rank counts by itself, and is kept")
    func parts() throws {
        func parts(_ posting: Posting) throws -> Match.Parts { try #require(match(posting)).parts }
        let plain = try parts(posting("Senior iOS Engineer"))
        #expect(try plain.title > parts(posting("Android Engineer")).title)
        #expect(try parts(posting("Android Engineer")).title > parts(posting("Frontend Developer")).title)
        #expect(try parts(posting("Senior iOS Engineer", text: "Swift, SwiftUI")).skills > plain.skills)
        #expect(try parts(posting("iOS Intern")).seniority < parts(posting("iOS Developer")).seniority)
        #expect(
            try parts(posting("iOS Developer", text: "12+ years of experience")).seniority
                < parts(posting("iOS Developer")).seniority)
        #expect(
            try parts(posting("iOS Developer", posted: "2026-08-01")).recency < parts(posting("iOS Developer")).recency)
        #expect(try parts(posting("iOS Developer", posted: nil)).recency > 0)
        let whole = try #require(match(posting("iOS Developer")))
        #expect(whole.score == whole.parts.score && whole.parts.json["title"]?.number == whole.parts.title)
        for part in [plain.title, plain.skills, plain.seniority, plain.recency] { #expect((0...1).contains(part)) }
    }

    @Test("Local is what lies within reach of the person's town, or is remote")
    func scope() throws {
        func isLocal(_ location: String, isRemote: Bool = false) throws -> Bool {
            try #require(match(posting("iOS Developer", location: location, isRemote: isRemote))).isLocal
        }
        #expect(try isLocal("Austin, TX") && isLocal("Round Rock, TX") && isLocal("Berlin", isRemote: true))
        #expect(try !isLocal("Houston, TX") && !isLocal("") && !isLocal("Nowhere"))
        let near = try #require(match(posting("iOS Developer", location: "Round Rock, TX")))
        #expect(near.kilometres.map { $0 > 20 && $0 < 40 } == true)
        let homeless = MatchingSample("Maya Okonkwo\niOS Developer\nmaya@example.org").matcher
        let candidate = MatchingSample.candidate(posting("iOS Developer", location: "Austin, TX"))
        #expect(homeless.match(candidate)?.isLocal == false && homeless.match(candidate)?.kilometres == nil)
    }

    @Test("One job of several sources is one match, the best; where no employer is named, each may be another's")
    func sameJob() {
        func offer(
            _ id: String, of source: String = "one", company: String, location: String = "Austin, TX", text: String = ""
        ) -> Candidate {
            var offer = posting("iOS Developer", id: id, text: text, location: location)
            offer.company = company
            offer.source = source
            return MatchingSample.candidate(offer)
        }
        let ranked = MatchingSample.engineer.matcher.ranked([
            offer("a", company: "Harrow"), offer("b", of: "two", company: "HARROW", text: "Swift, SwiftUI"),
            offer("g", of: "two", company: "Harrow"), offer("c", company: "Lodestar"),
            offer("d", company: "Harrow", location: "Leeds"), offer("e", company: ""),
            offer("f", company: ""),
        ])
        #expect(ranked.map(\.key.id) == ["b", "c", "d", "e", "f", "g"], "two of one source are two")
    }

    @Test("A skill that the vocabulary does not know counts where a posting names it, and makes a match with others")
    func ownSkills() throws {
        func matcher(_ skills: [String]) -> Matcher {
            var profile = MatchingSample.engineer.profile
            profile.skills += skills.map {
                ProfileSkill(name: Found($0, at: nil, confidence: 1), known: nil, isListed: true)
            }
            let aim = SearchAim(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: MatchingSample.now)
            return Matcher(aim: aim, vocabulary: .builtIn, today: MatchingSample.today)
        }
        let asking = MatchingSample.candidate(posting("iOS Developer", text: "You know zephyr kits and Java."))
        let (plain, own) = (matcher([]), matcher(["Zephyr Kit", "C", "7"]))
        #expect(try #require(own.match(asking)).score > #require(plain.match(asking)).score)
        let other = MatchingSample.candidate(posting("iOS Developer", text: "A zephyr, kits and Java. C 7."))
        #expect(own.match(other)?.score == plain.match(other)?.score, "words apart, and single letters, are no skill")
        let toolsmith = MatchingSample.candidate(posting("Toolsmith", text: "Zephyr Kit, Loomware and Swift"))
        #expect(plain.match(toolsmith) == nil)
        #expect(matcher(["zephyr kit", "LoomWare"]).match(toolsmith)?.category == .adjacent)
        // A common word of a list makes no match: it stands in any text.
        let clinic = MatchingSample.candidate(posting("Front Desk", text: "Training and support given; documentation."))
        #expect(matcher(["Training", "Support", "DOCUMENTATION"]).match(clinic) == nil)
    }

    @Test("A closed posting is no match")
    func closed() {
        #expect(match(posting("iOS Developer", expires: "2026-11-19")) == nil)
        #expect(match(posting("iOS Developer", expires: "2026-11-20")) != nil)
    }

    @Test("The same candidates give the same order, whatever theirs was; equals are sorted by key, doubles count once")
    func order() {
        let matcher = MatchingSample.engineer.matcher
        let first = matcher.ranked(MatchingSample.candidates)
        var dice = SystemRandomNumberGenerator()
        #expect(first.count > 15)
        for _ in 0..<5 { #expect(matcher.ranked(MatchingSample.candidates.shuffled(using: &dice)) == first) }
        let equal = ["c", "a", "b", "a"].map { MatchingSample.candidate(posting("iOS Developer", id: $0)) }
        #expect(matcher.ranked(equal).map(\.key.id) == ["a", "b", "c"])
    }

    @Test("An empty profile has no matches, and an unlikely posting does no harm")
    func unlikely() {
        #expect(MatchingSample("").matcher.ranked(MatchingSample.candidates).isEmpty)
        for text in [
            String(repeating: "9 years ", count: 10_000), "99999999999999999999 years of experience", "\u{0}\u{202E}",
        ] {
            _ = match(posting("iOS Developer", text: text, location: text))
        }
    }
}

@Suite("SearchAim and SearchQuery", .deadline)
struct SearchQueryTests {
    @Test("An aim has the person's occupations, standing, skills, years and town")
    func aim() {
        let aim = MatchingSample.engineer.aim
        #expect(aim.mainOccupation == "Mobile Developer" && aim.seniority == .senior && aim.years == 8)
        #expect(aim.skills["SwiftUI"] == 1 && aim.skills["GraphQL"] == 0.7 && aim.place?.name == "Austin")
        #expect(MatchingSample.nurse.aim.skills["ACLS"] == 1)
    }

    @Test("The person's own titles are asked for first, then other titles, related occupations and skills, none twice")
    func queries() throws {
        let queries = SearchQuery.all(of: MatchingSample.engineer.aim, vocabulary: .builtIn)
        #expect(queries.first?.name == "Senior iOS Engineer" && queries.first?.alternatives == [["engineer", "ios"]])
        #expect(queries.map(\.name).contains("Mobile Developer") && queries.map(\.name).contains("Software Engineer"))
        #expect(queries.contains { $0.field == .text } && queries.count < 25)
        let narrow = try #require(queries.first { $0.name.hasPrefix("Senior iOS Engineer, ") })
        #expect(narrow.name.hasSuffix(" or another skill") && narrow.field == .text)
        #expect(narrow.accepts(["ios", "engineer", "fastlane"]) && !narrow.accepts(["ios", "engineer", "guitar"]))
        #expect(!narrow.accepts(["ios", "fastlane"]))
        let titles = queries.filter { $0.field == .title }.flatMap(\.alternatives)
        #expect(Set(titles).count == titles.count)
        #expect(queries[0].accepts(["ios", "engineer", "ii"]) && !queries[0].accepts(["engineer"]))
        #expect(SearchQuery.all(of: MatchingSample("").aim, vocabulary: .builtIn).isEmpty)
    }
}

@Suite("PostingTraits", .deadline)
struct PostingTraitsTests {
    @Test(
        "The years that a posting asks for",
        arguments: [
            ("5+ years of iOS", 5), ("At least 4 years in a similar role", 4), ("3–5 years of experience", 3),
            ("3 to 5 years' experience", 3), ("Minimum of two years", 2), ("We have made shoes for 20 years", nil),
            ("99 years of experience", nil), ("Experience with SQL\n12 years old", nil), ("2 yrs experience", 2),
            ("", nil),
            ("Must be at least 18 years old", nil), ("At least 18 years of age, 3+ years of experience", 3),
            ("Applicants are 18 years or older.\nAt least 2 years in kitchens", 2), ("Minimum age: 21 years", nil),
            ("Aged care: 2 years experience", 2),
            ("Minimum 5 years teaching ages 6 to 10", 5), ("At least 3 years with older machines", 3),
            ("99999999999999999999+ years", nil), ("7 – 9 years experience as Cook", 7),
        ])
    func years(text: String, years: Int?) {
        let posting = Posting(source: "s", sourceID: "1", title: "Cook", text: text)
        #expect(PostingTraits(of: posting, vocabulary: .builtIn, gazetteer: .builtIn).years == years)
    }

    @Test("Occupation, standing, skills and town")
    func traits() {
        let posting = Posting(
            source: "s", sourceID: "1", title: "Senior iOS Engineer", location: "Austin, TX",
            text: "Swift, SwiftUI and Swift")
        let traits = PostingTraits(of: posting, vocabulary: .builtIn, gazetteer: .builtIn)
        #expect(traits.occupation == "Mobile Developer" && traits.seniority == .senior && traits.confidence > 0.7)
        #expect(traits.skills == ["Swift", "SwiftUI"] && traits.place?.region == "US-TX")
        #expect(traits.titleWords == ["ios", "engineer"])
    }
}
