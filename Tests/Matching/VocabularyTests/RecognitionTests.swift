import Matching
import TestDeadline
import Testing

@Suite("Titles and skills in texts", .deadline)
struct RecognitionTests {
    private let vocabulary = Vocabulary.builtIn

    @Test(
        "A title names its occupation and its seniority",
        arguments: [
            ("iOS Developer", "Mobile Developer", nil), ("Sr. iOS Engineer II", "Mobile Developer", Seniority.senior),
            ("Senior iOS Engineer", "Mobile Developer", .senior), ("Engineer, iOS", "Mobile Developer", nil),
            ("Head of Sales", "Sales Manager", .head), ("Staff Nurse", "Registered Nurse", nil),
            ("Staff Software Engineer", "Software Engineer", .lead), ("Head Chef", "Chef", .head),
            ("Junior Data Analyst", "Data Analyst", .junior), ("ICU Nurse", "Registered Nurse", nil),
            ("Registered Nurse, Intensive Care", "Registered Nurse", nil), ("Barista", "Waiter", nil),
            ("Electrician Apprentice", "Electrician", .intern),
            ("Software Engineer (Remote)", "Software Engineer", nil),
        ])
    func titles(title: String, occupation: String, seniority: Seniority?) {
        let reading = vocabulary.reading(ofTitle: title)
        #expect(reading.occupation == occupation && reading.seniority == seniority, "\(reading)")
        #expect(reading.confidence > 0 && reading.confidence <= 1)
    }

    @Test(
        "A text that is no title has no occupation",
        arguments: ["", "Lorem ipsum dolor", "Grilled salmon with dill", "\u{0}\u{0}", "1234567890123456789012345"])
    func noTitle(text: String) {
        #expect(vocabulary.reading(ofTitle: text).occupation == nil)
    }

    @Test("A name that is a word of English counts with its capitals, or in lists alone")
    func recognition() {
        func names(_ text: String, isList: Bool = false) -> [String] {
            vocabulary.skills(in: text, isList: isList).map(\.name)
        }
        #expect(names("We write Swift and react to swift changes") == ["Swift"])
        #expect(names("Go to market, excel at it, access for all") == [])
        #expect(names("Go, Excel, Access, swift", isList: true) == ["Go", "Excel", "Access", "Swift"])
        #expect(names("PYTHON, postgres and RESTful APIs") == ["Python", "PostgreSQL", "REST"])
        #expect(names("Amazon Web Services; k8s") == ["AWS", "Kubernetes"])
    }

    @Test("The longest spelling wins, none lies inside another one, and none runs over a comma")
    func longest() {
        #expect(vocabulary.skills(in: "SQL Server and SQL").map(\.name) == ["SQL Server", "SQL"])
        #expect(vocabulary.skills(in: "machine, learning").map(\.name) == [])
    }

    @Test("A mention's bytes are the words in the text")
    func bytes() {
        let text = "Größe: used “Core Data”, SwiftUI & PostgreSQL."
        let parts = vocabulary.skills(in: text).map { mention in
            String(decoding: Array(text.utf8)[mention.bytes], as: UTF8.self)
        }
        #expect(parts == ["Core Data", "SwiftUI", "PostgreSQL"])
        #expect(vocabulary.titles(in: text + " As an iOS developer.").map(\.occupation) == ["Mobile Developer"])
    }

    @Test("A text names a skill as a whole, or none")
    func whole() {
        #expect(vocabulary.skill(spelled: "golang")?.name == "Go")
        #expect(vocabulary.skill(spelled: "Swift for everyone") == nil)
        #expect(vocabulary.skill(named: "swiftui")?.name == "SwiftUI")
    }

    @Test("Text that no résumé has is read without harm", arguments: RecognitionTests.hostile)
    func harmless(text: String) {
        for mention in vocabulary.skills(in: text, isList: true) {
            #expect(mention.bytes.upperBound <= text.utf8.count)
        }
        for mention in vocabulary.titles(in: text) { #expect(mention.bytes.upperBound <= text.utf8.count) }
        _ = vocabulary.reading(ofTitle: String(text.prefix(10_000)))
    }

    private static let hostile = [
        String(repeating: "engineer ", count: 20_000), String(repeating: "C++#+#", count: 20_000),
        "\u{202E}tfiwS\u{202C}",
        "\u{0}Swift\u{0}", String(repeating: "\u{301}", count: 10_000), "9223372036854775808 years",
    ]
}

@Suite("The built-in vocabulary", .deadline)
struct BuiltInVocabularyTests {
    private let vocabulary = Vocabulary.builtIn

    @Test("Every related occupation exists, and every occupation's own name and titles lead to it or to a namesake")
    func consistency() {
        #expect(vocabulary.occupations.count > 70)
        for occupation in vocabulary.occupations {
            for code in occupation.related {
                #expect(vocabulary.occupation(code) != nil, "\(occupation.name): \(code)")
            }
            #expect(vocabulary.reading(ofTitle: occupation.name).occupation == occupation.code)
            for title in occupation.titles {
                #expect(vocabulary.reading(ofTitle: title).occupation == occupation.code, "\(title)")
            }
            #expect(occupation.skills.count >= 3 && !occupation.related.contains(occupation.code), "\(occupation.name)")
        }
    }

    @Test("Relations count in both directions")
    func relations() {
        #expect(vocabulary.isRelated("Mobile Developer", "Software Engineer"))
        #expect(vocabulary.isRelated("Software Engineer", "Mobile Developer"))
        #expect(vocabulary.isRelated("Chef", "Chef") && !vocabulary.isRelated("Chef", "Lawyer"))
        #expect(vocabulary.occupations(using: "sql").contains { $0.name == "Data Analyst" })
        #expect(vocabulary.occupation("none") == nil && vocabulary.occupations(using: "none").isEmpty)
    }
}
