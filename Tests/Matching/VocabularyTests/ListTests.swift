import Matching
import Media
import TestDeadline
import Testing

@Suite("Lists that are imported", .deadline)
struct ListTests {
    @Test("The own lists have occupations with fields, titles, relations and skills")
    func ownLists() throws {
        let occupations = try OwnLists.occupations(
            "# a comment\n\n== Field\nBaker: Pastry Cook, Confectioner\n  related: Miller\n  skills: Dough, Ovens\nMiller:\n"
        )
        #expect(
            occupations == [
                Occupation(
                    code: "Baker", name: "Baker", field: "Field", titles: ["Pastry Cook", "Confectioner"],
                    related: ["Miller"], skills: ["Dough", "Ovens"]),
                Occupation(code: "Miller", name: "Miller", field: "Field"),
            ])
        let skills = try OwnLists.skills("!Swift\n?Go = Golang, !GO\nC# = C sharp\n")
        #expect(
            skills == [
                Skill("Swift", recognition: .withItsCapitals),
                Skill(
                    "Go", synonyms: [.init("Golang"), .init("GO", recognition: .withItsCapitals)], recognition: .inLists
                ),
                Skill("C#", synonyms: [.init("C sharp")]),
            ])
    }

    @Test("A line without a form is refused with its number")
    func ownListErrors() {
        #expect(throws: VocabularyError(line: 2, reason: .unknownForm)) { try OwnLists.occupations("A: b\nno colon") }
        #expect(throws: VocabularyError(line: 1, reason: .noOccupation)) { try OwnLists.occupations("  skills: x") }
        #expect(throws: VocabularyError(line: 1, reason: .noOccupation)) { try OwnLists.occupations("  related: x") }
    }

    @Test("Of two occupations with one code and two skills with one name, the first counts")
    func doubles() {
        let vocabulary = Vocabulary(
            occupations: [Occupation(code: "1", name: "A"), Occupation(code: "1", name: "B", skills: ["X"])],
            skills: [Skill("swift", synonyms: [.init("y")]), Skill("Swift")])
        #expect(vocabulary.occupations.map(\.name) == ["A"] && vocabulary.skills.map(\.name) == ["swift"])
    }

    @Test("O*NET's files: titles, primary relations, products and important skills, whatever the order of columns")
    func onet() throws {
        var lists = try ONETLists(
            occupationData: bytes(
                "O*NET-SOC Code\tTitle\tDescription\n15-1252.00\tSoftware Developers\tResearch, \"design\"…\n"
                    + "15-1254.00\tWeb Developers\tDevelop\n\tNo code\tx\n15-1252.00\tTwice\tx\n"))
        try lists.addTitles(
            bytes(
                "Title\tAlternate Title\tShort Title\tO*NET-SOC Code\nx\tApp Developer\tn/a\t15-1252.00\nx\tY\t\t99\n"))
        try lists.addRelated(
            bytes(
                "O*NET-SOC Code\tRelated O*NET-SOC Code\tRelatedness Tier\tIndex\n"
                    + "15-1252.00\t15-1254.00\tPrimary-Short\t1\n15-1254.00\t15-1252.00\tSupplemental\t9\n"))
        try lists.addTechnologySkills(bytes("O*NET-SOC Code\tExample\tCommodity Code\n15-1252.00\tGit\t4\n"))
        try lists.addSkills(
            bytes(
                "O*NET-SOC Code\tElement Name\tScale ID\tData Value\n15-1252.00\tProgramming\tIM\t4.5\n"
                    + "15-1252.00\tRepairing\tIM\t1.2\n15-1252.00\tWriting\tLV\t5\n15-1252.00\tSpeaking\tIM\tx\n"))
        let vocabulary = Vocabulary(occupations: lists.lists.occupations, skills: lists.lists.skills)
        #expect(
            vocabulary.occupations == [
                Occupation(
                    code: "15-1252.00", name: "Software Developers", field: "15", titles: ["App Developer"],
                    related: ["15-1254.00"], skills: ["Git", "Programming"]),
                Occupation(code: "15-1254.00", name: "Web Developers", field: "15"),
            ])
        #expect(vocabulary.reading(ofTitle: "Senior App Developer").occupation == "15-1252.00")
        #expect(lists.reports.map(\.rowCount) == [4, 2, 2, 1, 4])
        #expect(lists.reports.map { $0.refusals.map(\.line) } == [[4, 5], [3], [], [], [5]])
        #expect(
            lists.reports.flatMap { $0.refusals.map(\.reason) } == [
                .noName, .double, .unknownOccupation("99"), .noNumber("x"),
            ])
    }

    @Test("ESCO's files: labels a line each in one field, groups as relations, essential skills first")
    func esco() throws {
        var lists = try ESCOLists(
            occupations: bytes(
                "\u{FEFF}conceptType,conceptUri,iscoGroup,preferredLabel,altLabels\r\n"
                    + "Occupation,http://o/1,2512,app developer,\"mobile developer\napp engineer\"\r\n"
                    + "Occupation,http://o/2,2512,\"tester, software\",\r\n"))
        try lists.addSkills(
            bytes(
                "conceptUri,preferredLabel,altLabels\nhttp://s/1,use Swift,\"Swift\nswift language\"\nhttp://s/2,SQL,\n"
            ))
        try lists.addRelations(
            bytes(
                "occupationUri,relationType,skillUri\nhttp://o/1,optional,http://s/2\n"
                    + "http://o/1,essential,http://s/1\nhttp://o/9,essential,http://s/1\n"))
        let vocabulary = Vocabulary(occupations: lists.lists.occupations, skills: lists.lists.skills)
        #expect(
            vocabulary.occupations == [
                Occupation(
                    code: "http://o/1", name: "app developer", field: "2512",
                    titles: ["mobile developer", "app engineer"],
                    related: ["http://o/2"], skills: ["use Swift", "SQL"]),
                Occupation(code: "http://o/2", name: "tester, software", field: "2512", related: ["http://o/1"]),
            ])
        #expect(vocabulary.skill(spelled: "swift language")?.name == "use Swift")
        #expect(lists.reports.map(\.rowCount) == [2, 2, 3])
        #expect(lists.reports[2].refusals.map(\.line) == [4])
        #expect(lists.reports[2].refusals.map(\.reason) == [.unknownOccupation("http://o/9")])
    }

    @Test("A file without a column that is needed is refused by the column's name")
    func columns() {
        #expect(throws: VocabularyError(line: 1, reason: .noColumn("Title"))) {
            try ONETLists(occupationData: bytes("O*NET-SOC Code\tName\n"))
        }
        #expect(throws: VocabularyError(line: 1, reason: .noColumn("conceptUri"))) { try ESCOLists(occupations: []) }
        #expect(throws: VocabularyError(line: 1, reason: .noRows)) {
            try ONETLists(occupationData: bytes("O*NET-SOC Code\tTitle\n\tx\n"))
        }
    }

    @Test("A file in another encoding is refused with the line at which that shows")
    func encoding() {
        let latin: [UInt8] = bytes("O*NET-SOC Code\tTitle\n1\tCaf") + [0xE9, 0x0A]
        #expect(throws: VocabularyError(line: 2, reason: .notUTF8)) { try ONETLists(occupationData: latin) }
        let wide: [UInt8] = [0xFF, 0xFE] + bytes("O*NET").flatMap { [$0, 0] as [UInt8] }
        #expect(throws: VocabularyError(line: 1, reason: .notUTF8)) { try ONETLists(occupationData: wide) }
    }

    @Test("A row with an open quote or a name without end is refused, and those around it are taken in")
    func brokenRows() throws {
        let lists = try ESCOLists(
            occupations: bytes(
                "conceptUri,preferredLabel,altLabels\n1,baker,\n2,\"open,\n3,\(String(repeating: "x", count: 501)),\n4,miller,\n"
            ))
        #expect(lists.lists.occupations.map(\.name) == ["baker", "miller"])
        #expect(lists.reports[0].refusals.map(\.line) == [3, 4])
        #expect(lists.reports[0].refusals.map(\.reason) == [.openQuote, .tooLong])
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

@Suite("DelimitedText", .deadline)
struct DelimitedTextTests {
    private func rows(_ text: String) -> [DelimitedText.Row] {
        var reader = DelimitedText.commas(Array(text.utf8))
        var rows: [DelimitedText.Row] = []
        while let row = reader.next() { rows.append(row) }
        return rows
    }

    @Test(
        "Fields between commas, with and without quotes",
        arguments: [
            ("a,b", [["a", "b"]]), ("a,\"b,c\"\r\nd,e\r\n", [["a", "b,c"], ["d", "e"]]),
            ("\"a \"\"b\"\"\"", [["a \"b\""]]),
            ("\u{FEFF}a,,\n", [["a", "", ""]]), ("\"x\ny\",z", [["x\ny", "z"]]), ("\n\n a ,b\n\n", [[" a ", "b"]]),
            ("", []),
            ("a\rb", [["a"], ["b"]]), ("a\"b,c", [["a\"b", "c"]]),
        ])
    func fields(text: String, expected: [[String]]) {
        #expect(rows(text).map(\.fields) == expected)
        #expect(rows(text).allSatisfy { !$0.isBroken })
    }

    @Test("A row knows its line, and whether its quotes end")
    func broken() {
        let all = rows("h\n\"a\nb\",c\nd,e\n\"open,x\ny")
        #expect(all.map(\.line) == [1, 2, 4, 5, 6] && all.map(\.isBroken) == [false, false, false, true, false])
        #expect(rows("\"a\"b,c").map(\.isBroken) == [true])
    }

    @Test("A quote that is not closed breaks its own row alone, however much follows")
    func open() {
        let count = 2 * DelimitedText.longestField / 4
        let all = rows("h\na,\"open\n" + String(repeating: "b,c\n", count: count))
        #expect(all.count == count + 2 && all.count(where: \.isBroken) == 1 && all[1].isBroken)
        #expect(all[1].line == 2 && all[2].line == 3 && all[2].fields == ["b", "c"])
        #expect(all.last?.line == count + 2 && all.last?.fields == ["b", "c"])
    }

    @Test("Tab-separated text keeps its quotes")
    func tabs() {
        var reader = DelimitedText.tabs(Array("a\t\"b\nc\td".utf8))
        #expect(reader.next()?.fields == ["a", "\"b"])
        #expect(reader.next()?.fields == ["c", "d"])
        #expect(reader.next() == nil)
    }
}
