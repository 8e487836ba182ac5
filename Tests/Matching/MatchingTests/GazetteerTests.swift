import Matching
import TestDeadline
import Testing

@Suite("Gazetteer", .deadline)
struct GazetteerTests {
    private let gazetteer = Gazetteer.builtIn

    @Test(
        "A town is found by its name and its region, in the forms of addresses",
        arguments: [
            ("Austin, TX", "US-TX"), ("Austin, TX 78701", "US-TX"), ("austin tx", "US-TX"),
            ("Austin, Texas, USA", "US-TX"),
            ("München", "DE"), ("Munich, Germany", "DE"), ("Portland", "US-OR"), ("Portland, ME", "US-ME"),
            ("London", "GB"), ("London, ON", "CA-ON"), ("London, Canada", "CA-ON"), ("Vancouver, WA", "US-WA"),
            ("Vancouver, BC", "CA-BC"), ("Dublin, Ireland", "IE"), ("Dublin, OH", "US-OH"), ("Köln", "DE"),
            ("Remote – Denver, CO", "US-CO"), ("Austin, TX (Remote)", "US-TX"), ("Kraków, Poland", "PL"),
            ("14 Alder Court, Columbus, OH 43215", "US-OH"), ("Washington, D.C.", "US-DC"),
        ])
    func found(text: String, region: String) {
        #expect(gazetteer.place(text)?.region == region)
    }

    @Test(
        "What is no known town, or lies elsewhere, is none",
        arguments: [
            "", "Remote", "Texas", "Austin, Germany", "Nowhere, TX", "12345", "\u{0}",
            String(repeating: "a,", count: 9_999),
        ])
    func unknown(text: String) {
        #expect(gazetteer.place(text) == nil)
    }

    @Test("Distances are those of the ground, within a hundredth")
    func distances() throws {
        let berlin = try #require(gazetteer.place("Berlin"))
        let munich = try #require(gazetteer.place("Munich"))
        let newYork = try #require(gazetteer.place("New York"))
        #expect(abs(berlin.kilometres(to: munich) - 504) < 6 && berlin.kilometres(to: berlin) == 0)
        #expect(abs(berlin.kilometres(to: newYork) - 6385) < 64)
        #expect(abs(newYork.kilometres(to: berlin) - berlin.kilometres(to: newYork)) < 0.001)
    }

    @Test("A list with a line that has no form is refused by the line")
    func errors() {
        #expect(throws: VocabularyError(line: 2, reason: .unknownForm)) { try Gazetteer("# x\nAustin") }
        #expect(throws: VocabularyError(line: 1, reason: .unknownForm)) { try Gazetteer("Austin: US-TX north west") }
    }
}
