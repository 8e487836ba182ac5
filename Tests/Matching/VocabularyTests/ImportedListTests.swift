import Matching
import TestDeadline
import Testing

@Suite("Imported lists behind our own vocabulary", .deadline)
struct ImportedListTests {
    private let own = Vocabulary.builtIn

    @Test("Lists are the same after their way through a text, which is refused where it was broken")
    func text() throws {
        let lists = VocabularyLists(
            occupations: [
                Occupation(
                    code: "1", name: "Falconer", field: "F", titles: ["Bird Handler"], related: ["2"],
                    skills: ["Hood Making", "GIS"]),
                Occupation(code: "2", name: "Köhler"),
            ],
            skills: [
                Skill("Hood Making", synonyms: [.init("hoods", recognition: .inLists)]),
                Skill("GIS", recognition: .withItsCapitals),
            ])
        #expect(try VocabularyLists(text: lists.text) == lists)
        #expect(try VocabularyLists(text: VocabularyLists().text) == VocabularyLists())
        #expect(throws: VocabularyError(line: 1, reason: .unknownForm)) { try VocabularyLists(text: "vocabulary 2\n") }
        for line in ["x\ty", "t\tTitle", "s\tno mark", "o\tcode", "r\tone", "k\t7"] {
            #expect(throws: VocabularyError.self, "\(line)") { try VocabularyLists(text: "vocabulary 1\n\(line)\n") }
        }
        #expect(throws: VocabularyError.self) { try VocabularyLists(text: "vocabulary 1\no\t1\tA\t\nr\t1\n") }
    }

    @Test("What our own vocabulary knows stays, whatever an import says")
    func ownFirst() {
        let claimed = own.occupations.flatMap { [$0.name] + $0.titles }
        let hostile = VocabularyLists(
            occupations: [Occupation(code: "1", name: "Everything", titles: claimed, skills: ["go", "Swift"])],
            skills: [
                Skill("go", synonyms: [.init("combine")]), Skill("Swift", synonyms: [.init("react")]),
            ])
        let all = own.adding([hostile])
        for title in claimed + ["Sr. iOS Engineer II", "Software Engineer (Remote)", "Night Nurse"] {
            #expect(all.reading(ofTitle: title) == own.reading(ofTitle: title), "\(title)")
        }
        let text = "Go to market, we react and combine; Swift"
        #expect(all.skills(in: text) == own.skills(in: text))
        #expect(all.isRelated("Everything", "Everything") && !all.isRelated("Chef", "Lawyer"))
    }

    @Test(
        "An occupation of a known name is the one that is there, and others are related to those whose titles they have"
    )
    func occupations() throws {
        let imported = VocabularyLists(
            occupations: [
                Occupation(
                    code: "29-1141.00", name: "Registered Nurses", titles: ["Ward Angel"], related: ["1", "2"],
                    skills: ["Hood Making"]),
                Occupation(code: "1", name: "Falconers", titles: ["Bird Handler", "iOS Developer"]),
                Occupation(code: "2", name: "Mobile Developer and Tester"),
            ], skills: [Skill("Hood Making")])
        let all = own.adding([imported])
        #expect(all.occupations.count == own.occupations.count + 2)
        #expect(all.reading(ofTitle: "Ward Angel").occupation == "Registered Nurse")
        #expect(
            all.reading(ofTitle: "Senior Bird Handler")
                == TitleReading(occupation: "1", seniority: .senior, confidence: 1))
        #expect(all.reading(ofTitle: "iOS Developer").occupation == "Mobile Developer")
        #expect(all.isRelated("1", "Mobile Developer") && all.isRelated("Registered Nurse", "1"))
        #expect(all.isRelated("2", "Mobile Developer"), "by its name")
        #expect(all.userCount(ofSkill: "Hood Making") == 1)
        #expect(all.occupations(using: "hood making").map(\.code) == ["Registered Nurse"])
    }

    @Test("Several lists are taken in one behind the other")
    func several() {
        let first = VocabularyLists(occupations: [Occupation(code: "1", name: "Falconer", titles: ["Bird Handler"])])
        let second = VocabularyLists(
            occupations: [
                Occupation(code: "a", name: "bird handler", titles: ["hawker"]),
                Occupation(code: "b", name: "taxidermist", related: ["a"]),
            ])
        let all = own.adding([first, second])
        #expect(all.reading(ofTitle: "Hawker").occupation == "1" && all.isRelated("b", "1"))
    }

    @Test("A word that many occupations have as a title leads to none of them, and an occupation's name to it alone")
    func sharedTitles() throws {
        var lists = try ONETLists(
            occupationData: Array("O*NET-SOC Code\tTitle\n1\tFalconers\n2\tTanners\n3\tHawkers\n".utf8))
        try lists.addTitles(
            Array(
                """
                O*NET-SOC Code\tAlternate Title
                1\tHandler
                2\tHandler
                1\tHawker
                1\tLeather Hand
                2\tLeather Hand
                2\tLeather Hands
                2\tCurrier

                """.utf8))
        #expect(lists.lists.occupations.map(\.titles) == [["Leather Hand"], ["Currier"], []])
    }

    @Test("A word of an imported list says nothing inside of a longer title")
    func wordsInside() {
        let all = own.adding([VocabularyLists(occupations: [Occupation(code: "1", name: "Dean")])])
        #expect(all.reading(ofTitle: "Dean").occupation == "1")
        #expect(all.reading(ofTitle: "Dean Quillfeather Zorbax Ltd").occupation == nil)
    }
}

@Suite("Spellings of imported skills", .deadline)
struct ImportedSkillTests {
    /// Our own vocabulary with skills as O*NET lists products.
    private func vocabulary(_ products: String...) throws -> Vocabulary {
        var lists = try ONETLists(occupationData: Array("O*NET-SOC Code\tTitle\n1\tFalconers\n".utf8))
        let rows = products.map { "1\t\($0)\n" }.joined()
        try lists.addTechnologySkills(Array("O*NET-SOC Code\tExample\n\(rows)".utf8))
        return Vocabulary.builtIn.adding([lists.lists])
    }

    @Test(
        "A common word counts in lists alone, a brand with its capitals, and several words anywhere",
        arguments: [
            ("design", "We design things", false), ("Design", "Design And More", false),
            ("work in teams", "work in teams", false),
            ("ZephyrUp", "We use ZephyrUp", true), ("ZephyrUp", "a quick zephyrup", false),
            ("hood making", "You know Hood Making", true), ("Zephyr", "the zephyr blows", false),
            ("GIS software", "GIS is used", true), ("GIS software", "gis", false),
        ])
    func recognition(product: String, text: String, isFound: Bool) throws {
        let vocabulary = try vocabulary(product)
        #expect(vocabulary.skills(in: text).isEmpty != isFound)
        #expect(vocabulary.skills(in: product, isList: true).count == 1)
    }

    @Test(
        "What stands before an abbreviation that it does not stand for is no spelling",
        arguments: [
            ("use ZFP software", "Ability to use sheets and paper daily", "ZFP"),
            ("Quill Systemes ZFP", "Worked at Quill Systemes in Ghent", "ZFP"),
        ])
    func beforeAbbreviation(product: String, text: String, name: String) throws {
        let vocabulary = try vocabulary(product)
        #expect(vocabulary.skill(named: name)?.name == name)
        #expect(vocabulary.skills(in: text, isList: true).isEmpty)
        #expect(!vocabulary.skills(in: "Knows \(name)").isEmpty)
    }

    @Test(
        "What a list adds to a name for readers is a spelling, and the skill is the one that our own vocabulary knows",
        arguments: [
            ("Structured query language SQL", "SQL"), ("Python (computer programming)", "Python"),
            ("Microsoft Excel software", "Excel"), ("Geographic hood system GHS software", "GHS"), ("()", "()"),
        ])
    func names(product: String, name: String) throws {
        let vocabulary = try vocabulary(product, product)
        if product.count > 2 {
            #expect(vocabulary.skill(named: name)?.name == name)
            #expect(vocabulary.occupations(using: name).contains { $0.code == "1" })
        }
        #expect(vocabulary.skills.count(where: { $0.name == name }) <= 1)
    }
}
