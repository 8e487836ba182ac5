import Matching
import Media
import TestDeadline
import Testing

@Suite("Reasons", .deadline)
struct ReasonTests {
    private static let people = [MatchingSample.engineer, MatchingSample.nurse, MatchingSample.formerTeacher]

    @Test("A match has two to five bullets of sentences, none twice", arguments: [0, 1, 2])
    func counts(person: Int) {
        let person = Self.people[person]
        let matches = person.matcher.ranked(MatchingSample.candidates)
        #expect(matches.count { $0.category == .direct } >= 10 && matches.contains { $0.category == .adjacent })
        for match in matches {
            let reasons = person.writer.reasons(for: Self.posting(match.key))
            #expect((2...5).contains(reasons.bullets.count), "\(match.key)")
            #expect(Set(reasons.bullets.map(\.text)).count == reasons.bullets.count)
            #expect(reasons.bullets.allSatisfy { $0.text.hasSuffix(".") && $0.text.count < 300 })
        }
    }

    /// Takes every sentence apart: what is not one of its fixed words has to stand in one of its ranges, as written.
    /// Years of the résumé are counted again, from the dates in its ranges alone.
    @Test("Every number, title and skill of every sentence stands in the ranges that it names", arguments: [0, 1, 2])
    func grounded(person: Int) throws {
        let person = Self.people[person]
        var checked = 0
        for match in person.matcher.ranked(MatchingSample.candidates) {
            let posting = Self.posting(match.key)
            let reasons = person.writer.reasons(for: posting)
            for reason in reasons.bullets + [reasons.summary] {
                let asked = reason.posting.map { Self.text($0, posting) }
                let own = reason.resume.map { person.text.text(at: $0) }
                #expect(!asked.isEmpty && !own.isEmpty && !asked.contains("") && !own.contains(""), "\(reason)")
                let known = Set(Self.words(of: (asked + own).joined(separator: "\n")))
                for word in Self.words(of: reason.text) where !Self.fixed.contains(word) && !known.contains(word) {
                    let years = try #require(Int(word), "\(word) in \(reason.text)")
                    #expect(abs(years - Self.years(in: own)) <= 1, "\(reason.text): \(own)")
                }
                checked += 1
            }
        }
        #expect(checked > 60)
    }

    @Test("A summary calls a match direct where its category is, and no other occupation", arguments: [0, 1, 2])
    func agreement(person: Int) {
        let person = Self.people[person]
        for match in person.matcher.ranked(MatchingSample.candidates) {
            let summary = person.writer.reasons(for: Self.posting(match.key)).summary.text
            #expect(summary.hasPrefix("A direct match: ") == (match.category == .direct), "\(match.key): \(summary)")
        }
        let teaching = Posting(source: "s", sourceID: "1", title: "Biology Teacher", company: "Rainier School")
        #expect(
            MatchingSample.formerTeacher.writer.reasons(for: teaching).summary.text
                == "Work that you know: Biology Teacher at Rainier School is what your résumé also shows, as Science Teacher."
        )
    }

    @Test("A match by skills alone has its skills in two bullets")
    func skillsAlone() throws {
        let posting = Posting(
            source: "s", sourceID: "1", title: "Toolsmith", text: "You know Swift, SwiftUI, UIKit and Core Data.")
        let match = try #require(MatchingSample.engineer.matcher.match(MatchingSample.candidate(posting)))
        #expect(match.category == .adjacent)
        #expect(
            MatchingSample.engineer.writer.reasons(for: posting).bullets.map(\.text) == [
                "Core Data and Swift asked for; your résumé lists Core Data and Swift.",
                "SwiftUI and UIKit asked for; your résumé lists SwiftUI and UIKit.",
            ])
    }

    @Test(
        "A degree that a posting does not need is not one that it asks for",
        arguments: [
            ("Bachelor's degree not required", false), ("A bachelor's degree is not strictly necessary.", false),
            ("No bachelor's degree required", false), ("You don't need a bachelor's degree", false),
            ("Bachelor's degree preferred, but no must", false), ("Bachelor's degree optional", false),
            ("Bachelor's degree required, travel not required", true), ("No travel, bachelor's degree", true),
            ("We do not shout. Bachelor's degree", true), ("No degree needed here\nBachelor's degree", true),
            ("Bachelor's degree not required; a bachelor's degree in computing helps", true),
        ])
    func degrees(text: String, isAsked: Bool) {
        let posting = Posting(source: "s", sourceID: "1", title: "iOS Developer", text: text)
        let bullets = MatchingSample.engineer.writer.reasons(for: posting).bullets
        #expect(bullets.contains { $0.text.contains("B.S.") } == isAsked, "\(bullets.map(\.text))")
    }

    @Test("Another résumé changes the bullets, and taking a skill away takes it out of them")
    func change() {
        let match = MatchingSample.engineer.matcher.ranked(MatchingSample.candidates)[0]
        let posting = Self.posting(match.key)
        let mine = MatchingSample.engineer.writer.reasons(for: posting)
        #expect(mine.bullets != MatchingSample.nurse.writer.reasons(for: posting).bullets)
        let text = "We ask for Swift, SwiftUI and Fastlane."
        let asking = Posting(source: "s", sourceID: "1", title: "iOS Developer", text: text)
        #expect(MatchingSample.engineer.writer.reasons(for: asking).bullets.contains { $0.text.contains("Fastlane") })
        var profile = MatchingSample.engineer.profile
        profile.skills.removeAll { $0.known == "Fastlane" }
        let without = ReasonWriter(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: MatchingSample.now)
        #expect(!without.reasons(for: asking).bullets.contains { $0.text.contains("Fastlane") })
    }

    @Test("The sentences say what people would say")
    func sentences() {
        let posting = Posting(
            source: "s", sourceID: "1", title: "Lead iOS Engineer", company: "Lodestar Labs",
            location: "Round Rock, TX",
            text: "5+ years of iOS. Swift and Core Data. GraphQL.\nBachelor's degree in Computer Science")
        let reasons = MatchingSample.engineer.writer.reasons(for: posting)
        #expect(
            reasons.bullets.map(\.text) == [
                "Lead iOS Engineer wanted; your résumé shows Senior iOS Engineer at Lanternfish Labs.",
                "5+ years asked for; your résumé shows 8 years of such work, last as Senior iOS Engineer.",
                "Core Data and Swift asked for; your résumé lists Core Data and Swift.",
                "GraphQL asked for; your résumé mentions GraphQL.",
                "Bachelor's degree in Computer Science asked for; your résumé shows B.S. in Computer Science.",
            ])
        #expect(
            reasons.summary.text
                == "A direct match: Lead iOS Engineer at Lodestar Labs is the work that your résumé shows as Senior iOS Engineer."
        )
        #expect(reasons.bullets[0].json["posting"]?.array?.first?["field"]?.string == "title")
    }

    @Test("Fewer years than asked for are not boasted of; a bare posting still has two bullets")
    func few() {
        let many = Posting(source: "s", sourceID: "1", title: "iOS Developer", text: "12+ years of experience")
        #expect(!MatchingSample.engineer.writer.reasons(for: many).bullets.contains { $0.text.contains("12") })
        let bare = Posting(source: "s", sourceID: "2", title: "iOS Developer")
        #expect(MatchingSample.engineer.writer.reasons(for: bare).bullets.count == 2)
        #expect(MatchingSample("").writer.reasons(for: bare).bullets.isEmpty)
    }

    @Test("A person's correction is quoted, without a range")
    func corrected() {
        var profile = MatchingSample.engineer.profile
        profile.skills.append(
            ProfileSkill(name: Found("Kotlin", at: nil, confidence: 1), known: "Kotlin", isListed: true))
        let writer = ReasonWriter(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: MatchingSample.now)
        let bullets = writer.reasons(for: Posting(source: "s", sourceID: "1", title: "Mobile Engineer", text: "Kotlin"))
            .bullets
        #expect(bullets.contains { $0.text.contains("Kotlin") && $0.resume.isEmpty })
    }

    private static func posting(_ key: Posting.Key) -> Posting { MatchingSample.postings.first { $0.key == key }! }

    private static func text(_ place: PostingPlace, _ posting: Posting) -> String {
        let field =
            switch place.field {
            case .title: posting.title
            case .company: posting.company
            case .location: posting.location
            case .text: posting.text
            }
        let bytes = Array(field.utf8)
        return place.bytes.upperBound <= bytes.count ? String(decoding: bytes[place.bytes], as: UTF8.self) : ""
    }

    private static func words(of text: String) -> [String] { ScannedWord.all(of: text).map(\.key) }

    /// The words of the sentences themselves.
    private static let fixed: Set<String> = Set(
        words(
            of: """
                wanted your résumé shows at asked for lists mentions as related work the is in and gives near which
                brings year years of such last A direct match role close to that skills carry over asks Work you know what also
                """))

    /// Years between the first and the last year that some texts name; "present" is the samples' year.
    private static func years(in texts: [String]) -> Int {
        var found: [Int] = []
        for word in words(of: texts.joined(separator: " ")) {
            if let year = Int(word), (1950...2030).contains(year) { found.append(year) }
            if word == "present" { found.append(MatchingSample.now.year) }
        }
        return (found.max() ?? 0) - (found.min() ?? 0)
    }
}
