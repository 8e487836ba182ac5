import Documents
import TestDeadline
import Testing

/// The templates of a person are answered together.
@Suite("Every document store: how much text templates have", .deadline)
struct TemplateBoundTests {
    @Test("All templates of a person together have a bound in bytes", arguments: StoreDriver.allCases)
    func bytes(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let full = DocumentError.tooMany("bytes in all templates", most: PersonBounds.templateBytes)
        // Four bytes a character.
        let body = String(repeating: "😀", count: TextRules.longestTemplateBody)
        let count = PersonBounds.templateBytes / (body.utf8.count + 1)
        let templates = try (0..<count).map { _ in
            try store.addTemplate(named: "A", type: .email, body: body, of: owner)
        }
        #expect(throws: full) { try store.addTemplate(named: "A", type: .email, body: body, of: owner) }
        #expect(try store.templates(of: owner).count == count)
        // Exactly as many as there may be.
        let rest = PersonBounds.templateBytes - count * (body.utf8.count + 1)
        let last = try store.addTemplate(
            named: "B", type: .text, body: String(repeating: "x", count: rest - 1), of: owner)
        #expect(throws: full) {
            try store.changeTemplate(templates[0].id, of: owner, name: "AA", type: nil, body: nil)
        }
        #expect(throws: full) { try store.changeTemplate(last.id, of: owner, name: nil, type: nil, body: body) }
        #expect(try store.templates(of: owner).contains(last))
        // What does not grow is never refused, and what is shorter leaves room.
        _ = try store.changeTemplate(templates[0].id, of: owner, name: "C", type: .twitter, body: nil)
        _ = try store.changeTemplate(last.id, of: owner, name: nil, type: nil, body: "x")
        #expect(try store.changeTemplate(last.id, of: owner, name: "BB", type: nil, body: nil).name == "BB")
        // Another person has a bound of their own.
        _ = try store.addTemplate(named: "A", type: .email, body: body, of: bench.stranger)
    }
}
