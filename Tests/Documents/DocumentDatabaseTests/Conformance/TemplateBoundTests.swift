import Documents
import TestDeadline
import Testing

/// One answer contains all templates of a person.
@Suite("Every document store: how much text templates have", .deadline)
struct TemplateBoundTests {
    @Test("All templates of a person together have a bound in bytes", arguments: StoreDriver.allCases)
    func bytes(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let full = DocumentError.tooMany("bytes in all templates", most: PersonBounds.templateBytes)
        // Four bytes per character.
        let body = String(repeating: "😀", count: TextRules.longestTemplateBody)
        let count = PersonBounds.templateBytes / (body.utf8.count + 1)
        let templates = try (0..<count).map { _ in
            try store.addTemplate(named: "A", type: .email, body: body, of: owner)
        }
        #expect(throws: full) { try store.addTemplate(named: "A", type: .email, body: body, of: owner) }
        #expect(try store.templates(of: owner).count == count)
        // Exactly as many as allowed.
        let rest = PersonBounds.templateBytes - count * (body.utf8.count + 1)
        let last = try store.addTemplate(
            named: "B", type: .text, body: String(repeating: "x", count: rest - 1), of: owner)
        #expect(throws: full) {
            try store.changeTemplate(templates[0].id, of: owner, name: "AA", type: nil, body: nil)
        }
        #expect(throws: full) { try store.changeTemplate(last.id, of: owner, name: nil, type: nil, body: body) }
        #expect(try store.templates(of: owner).contains(last))
        // A template that does not grow is never refused, and a shorter one frees space.
        _ = try store.changeTemplate(templates[0].id, of: owner, name: "C", type: .twitter, body: nil)
        _ = try store.changeTemplate(last.id, of: owner, name: nil, type: nil, body: "x")
        #expect(try store.changeTemplate(last.id, of: owner, name: "BB", type: nil, body: nil).name == "BB")
        // Another person has their own bound.
        _ = try store.addTemplate(named: "A", type: .email, body: body, of: bench.stranger)
    }
}
