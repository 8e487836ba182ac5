import Documents
import TestDeadline
import Testing

/// A body of 10,000 characters could take 320 KB, and a person could have 500 of them.
@Suite("TextRules of long texts", .deadline)
struct LongTextTests {
    @Test("A template's body has at most four bytes for each of its characters")
    func bytes() throws {
        let emoji = String(repeating: "😀", count: TextRules.longestTemplateBody)
        #expect(try TextRules.templateBody(emoji) == emoji)
        let description = String(repeating: "😀", count: TextRules.longestDescription)
        #expect(try TextRules.description(description) == description)
        // 25 bytes each.
        let family = "👩‍👩‍👧‍👦"
        #expect(try TextRules.templateBody(String(repeating: family, count: 1600)).utf8.count == 40_000)
        #expect(
            throws: DocumentError.invalid(
                field: "body", message: "Body must be at most 40000 bytes. Some emoji take many bytes.")
        ) { try TextRules.templateBody(String(repeating: family, count: 1601)) }
        let families = String(repeating: family, count: TextRules.longestDescription)
        #expect(try TextRules.description(families) == families, "a short text")
    }

    @Test("A text of too many characters is told so, however many bytes it has")
    func characters() {
        let message = "Body must be at most 10000 characters."
        for character in ["x", "😀"] {
            #expect(throws: DocumentError.invalid(field: "body", message: message)) {
                try TextRules.templateBody(String(repeating: character, count: 50_000))
            }
        }
    }

    /// PostgreSQL refused such names after the file was stored, and the upload never ended.
    @Test(
        "A name that an index may not take is refused, as it is or as it is folded",
        arguments: [
            String(repeating: "e" + String(repeating: "\u{301}", count: 14), count: 100),
            // 1,800 bytes, and 3,300 once the vowel signs are decomposed.
            String(repeating: "க" + String(repeating: "\u{BCA}", count: 5), count: 100),
        ])
    func names(text: String) throws {
        #expect(text.count <= TextRules.longestTitle && text.utf8.count <= 100 * 32)
        for (field, label, rule) in [
            ("title", "Title", TextRules.title), ("name", "Name", TextRules.schoolName),
            ("name", "Name", TextRules.templateName),
        ] as [(String, String, (String) throws -> String)] {
            #expect(
                throws: DocumentError.invalid(
                    field: field,
                    message: "\(label) must be at most 2500 bytes. Letters with many marks take many bytes.")
            ) { try rule(text) }
        }
        let emoji = String(repeating: "😀", count: 100)
        #expect(try TextRules.title(emoji) == emoji)
    }

    @Test("Marks without end are no text")
    func marks() {
        #expect(throws: DocumentError.self) {
            try TextRules.description("e" + String(repeating: "\u{301}", count: 10_000))
        }
    }
}
