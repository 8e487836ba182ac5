import Documents
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("TextRules", .deadline)
struct TextRuleTests {
    @Test("A title loses the white space at its ends and keeps the rest")
    func titles() throws {
        #expect(try TextRules.title("  My Résumé 🏈\n") == "My Résumé 🏈")
        #expect(try TextRules.title(String(repeating: "é", count: 100)).count == 100)
        #expect(try TextRules.title(String(repeating: "👩‍👩‍👧‍👦", count: 100)).count == 100)
        #expect(try TextRules.title("=cmd|' /C calc'!A0 <script> ' OR 1=1 --").hasPrefix("=cmd"))
    }

    @Test(
        "An empty, long or unprintable title is refused with the field and a sentence",
        arguments: [
            ("", "Title is required."), (" \n\t ", "Title is required."),
            (String(repeating: "x", count: 101), "Title must be at most 100 characters."),
            ("e" + String(repeating: "\u{301}", count: 5000), "Title must be at most 100 characters."),
            ("a\u{0}b", "Title contains characters that cannot be displayed. Remove them."),
            ("a\nb", "Title contains characters that cannot be displayed. Remove them."),
            ("a\u{1B}[31m", "Title contains characters that cannot be displayed. Remove them."),
            ("a\u{85}b", "Title contains characters that cannot be displayed. Remove them."),
        ])
    func refusedTitles(text: String, message: String) {
        #expect(throws: DocumentError.invalid(field: "title", message: message)) { try TextRules.title(text) }
    }

    @Test("A description may have lines and be missing")
    func descriptions() throws {
        #expect(try TextRules.description("a\r\n\tb ") == "a\r\n\tb" && TextRules.description(" \n ") == nil)
        #expect(try TextRules.description(nil) == nil)
        #expect(try TextRules.description(String(repeating: "x", count: 500))?.count == 500)
        #expect(throws: DocumentError.self) { try TextRules.description(String(repeating: "x", count: 501)) }
        #expect(throws: DocumentError.self) { try TextRules.description("a\u{0}") }
    }

    @Test("Names and bodies of templates and schools have their bounds")
    func others() throws {
        #expect(try TextRules.schoolName(" Ohio State ") == "Ohio State" && TextRules.templateName("a") == "a")
        #expect(throws: DocumentError.self) { try TextRules.schoolName(String(repeating: "x", count: 201)) }
        #expect(throws: DocumentError.self) { try TextRules.templateName("") }
        #expect(try TextRules.templateBody(" Hi\n{{coach_name}} ") == " Hi\n{{coach_name}} ")
        #expect(throws: DocumentError.self) { try TextRules.templateBody(" \n") }
        #expect(throws: DocumentError.self) { try TextRules.templateBody(String(repeating: "x", count: 10_001)) }
    }
}

@Suite("CommunicationTemplate's variables", .deadline)
struct TemplateVariableTests {
    private func template(_ body: String) -> CommunicationTemplate {
        let moment = Instant(microseconds: 0)
        return CommunicationTemplate(
            id: .make(at: moment), owner: .make(at: moment), type: .email, name: "n", body: body, created: moment,
            updated: moment)
    }

    @Test(
        "Variables are found once each, in the order of their first use",
        arguments: [
            (
                "Dear {{coach_name}}, {{ sport }} at {{school_name}}; {{coach_name}}",
                ["coach_name", "sport", "school_name"]
            ),
            ("no variables", []), ("{{}} {{ }} {{a b}} {{a-b}} {{a\nb}}", []), ("{{a", []), ("a}}", []),
            ("{{{a}}}", ["a"]),
            ("{{a}}{{b}}", ["a", "b"]), ("{{ {{a}} }}", ["a"]), ("{a} {{größe}} {{x2}}", ["größe", "x2"]),
            ("{{\(String(repeating: "x", count: 65))}}", []),
        ] as [(String, [String])])
    func variables(body: String, names: [String]) { #expect(template(body).variables == names, "\(body)") }

    @Test("A preview fills in values as they are, and leaves what has none")
    func preview() {
        let filled = template("Dear {{coach_name}}, {{ sport }} at {{school_name}} {{{sport}}}").preview(
            filledWith: ["coach_name": "{{sport}}", "sport": "Tennis"])
        #expect(filled == "Dear {{sport}}, Tennis at {{school_name}} {Tennis}")
        #expect(template("plain {{ x").preview(filledWith: [:]) == "plain {{ x")
    }

    @Test("A body full of brackets is read in linear time")
    func brackets() {
        let body = String(repeating: "{{", count: 5000)
        #expect(ProcessorTime.measure { _ = template(body).variables } < .seconds(2))
        #expect(ProcessorTime.measure { _ = template(body + "}}").variables } < .seconds(2))
    }
}

@Suite("DocumentStatistics", .deadline)
struct DocumentStatisticsTests {
    @Test("Of several most common types the first in the order of types is named")
    func ties() {
        func most(_ counts: [DocumentType: Int]) -> DocumentType? {
            DocumentStatistics(totalCount: 0, sharedCount: 0, countsByType: counts, byteCount: 0).mostCommonType
        }
        #expect(most([:]) == nil && most([.statsSheet: 2, .resume: 2, .transcript: 1]) == .resume)
    }
}
