import DocumentAPI
import Documents
import Media
import TestDeadline
import Testing

@Suite(.deadline) struct DocumentMemoryTests {
    private let memory = DocumentMemory()
    private static let owner = ID<Person>.make(at: Instant(microseconds: 1))

    private struct Missing: Error {}

    /// How many of the reads of these documents, at these numbers of changes, ask the store.
    private func readCount(_ reads: [(id: ID<Document>, owner: ID<Person>, number: Int64)]) -> Int {
        var count = 0
        for read in reads {
            _ = memory.document(read.id, of: read.owner, at: read.number) {
                count += 1
                return Self.document(read.id)
            }
        }
        return count
    }

    private static func document(_ id: ID<Document>) -> Document {
        let moment = Instant(microseconds: 1)
        let file = Document.File(
            object: .random(), path: "p", name: "a.pdf", mediaType: .pdf,
            digest: Digest(hex: String(repeating: "0", count: 64))!,
            byteCount: 1)
        return Document(
            id: id, line: .make(at: moment), owner: owner, type: .transcript, title: "T", description: nil, version: 1,
            isCurrent: true, school: nil, file: file, facts: nil, placeholder: nil, state: .ready, failure: nil,
            uploader: owner, created: moment, updated: moment, shares: [])
    }

    @Test("A document is read once until something changes, for its owner alone")
    func remembering() {
        let (one, other) = (
            ID<Document>.make(at: Instant(microseconds: 1)), ID<Document>.make(at: Instant(microseconds: 2))
        )
        let stranger = ID<Person>.make(at: Instant(microseconds: 2))
        #expect(
            readCount([(one, Self.owner, 1), (one, Self.owner, 1), (other, Self.owner, 1), (one, Self.owner, 1)]) == 2)
        #expect(readCount([(one, stranger, 1)]) == 1)
        #expect(readCount([(one, Self.owner, 2), (one, Self.owner, 2)]) == 1)
        // A request that began before the change is answered from the store, and changes nothing for later ones.
        #expect(readCount([(one, Self.owner, 1), (one, Self.owner, 1), (one, Self.owner, 2)]) == 2)
    }

    @Test("What is not there is not remembered, and no more than 500 documents are")
    func bounds() {
        let id = ID<Document>.make(at: Instant(microseconds: 1))
        #expect(throws: Missing.self) { try memory.document(id, of: Self.owner, at: 1) { throw Missing() } }
        #expect(readCount([(id, Self.owner, 1)]) == 1)
        let many = (0..<500).map { _ in (ID<Document>.make(at: Instant(microseconds: 3)), Self.owner, Int64(1)) }
        #expect(readCount(many) == 500)
        #expect(readCount([(id, Self.owner, 1)]) == 1)
    }
}
