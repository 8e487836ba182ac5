import Documents
import Linux
import Media
import TestDeadline
import Testing

@Suite("Every document store: notes of files, and removals by path", .deadline)
struct FileNotesTests {
    private static let notes = FileNotes(
        cacheControl: "max-age=60", metadata: .object(["season": .integer(2026), "é": .array([.null, .string("\"")])]))

    @Test("Notes are kept by path, replaced as a whole, and forgotten", arguments: StoreDriver.allCases)
    func keeping(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        #expect(try bench.store.notes(ofFile: "a/b") == FileNotes())
        try bench.store.keep(Self.notes, ofFile: "a/b")
        try bench.store.keep(FileNotes(cacheControl: "no-store"), ofFile: "a/c")
        let store = try bench.reopened()
        #expect(try store.notes(ofFile: "a/b") == Self.notes)
        #expect(try store.notes(ofFile: "a/c") == FileNotes(cacheControl: "no-store"))
        #expect(try store.notes(ofFile: "A/B") == FileNotes())
        try store.keep(FileNotes(metadata: .object([])), ofFile: "a/b")
        #expect(try bench.store.notes(ofFile: "a/b") == FileNotes(metadata: .object([])))
        try store.keep(FileNotes(), ofFile: "a/b")
        #expect(try bench.store.notes(ofFile: "a/b").isEmpty)
        #expect(try bench.store.notes(ofFile: "a/c").cacheControl == "no-store")
    }

    @Test(
        "A removal is found by its path until it ends, and its end forgets the notes", arguments: StoreDriver.allCases)
    func removals(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try bench.add("A")
        let path = document.file.path
        try bench.store.keep(Self.notes, ofFile: path)
        #expect(try bench.store.removal(of: path) == nil)
        try bench.store.removeLine(of: document.id, owner: bench.owner)
        let removal = try #require(try bench.store.removal(of: path))
        #expect(try bench.store.dueRemovals(limit: 9) == [removal] && removal.digest == document.file.digest)
        try bench.store.delayRemoval(removal)
        let later = try #require(try bench.store.removal(of: path))
        #expect(later.failureCount == 1, "also while it is put off")
        try bench.store.endRemoval(later)
        #expect(try bench.store.removal(of: path) == nil && bench.store.notes(ofFile: path).isEmpty)
    }

    @Test("Who is forgotten leaves no notes; others' stay", arguments: StoreDriver.allCases)
    func forgetting(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let other = ID<Person>.make(at: Instant(microseconds: 1))
        for person in [bench.owner, other] {
            for name in ["a", "ÿ"] { try bench.store.keep(Self.notes, ofFile: "\(person)/resume/\(name)") }
        }
        try bench.store.forget(bench.owner)
        for name in ["a", "ÿ"] {
            #expect(try bench.store.notes(ofFile: "\(bench.owner)/resume/\(name)").isEmpty)
            #expect(try bench.store.notes(ofFile: "\(other)/resume/\(name)") == Self.notes)
        }
    }
}
