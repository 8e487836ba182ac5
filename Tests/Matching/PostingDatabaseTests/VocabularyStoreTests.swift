import Database
import MatchStore
import Matching
import Media
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Every store of the imported vocabulary", .deadline)
struct VocabularyStoreTests {
    private static let now = Instant(microseconds: 1_780_000_000_000_000)
    private static let onet = VocabularyLists(
        occupations: [Occupation(code: "1", name: "Falconer", titles: ["Bird's Handler \\"], skills: ["Hood Making"])],
        skills: [Skill("Hood Making", synonyms: [.init("hoods", recognition: .inLists)])])
    private static let esco = VocabularyLists(occupations: [Occupation(code: "a", name: "Köhler")])

    /// A store of its own.
    private struct Bench {
        let scratch: ScratchDatabase?
        let store: PostingStore

        init(_ driver: PostingStoreTests.Driver) throws {
            switch driver {
            case .sqlite:
                scratch = nil
                store = try PostingStore(try SQLiteDatabase(path: "\(TemporaryFolder.make("vocabulary"))/file"))
            case .postgreSQL:
                let scratch = try ScratchDatabase()
                self.scratch = scratch
                store = try PostingStore(scratch.database)
            }
        }
    }

    @Test(
        "Lists are kept by their sources, counted, replaced as a whole and removed",
        arguments: PostingStoreTests.Driver.allCases)
    func keeping(driver: PostingStoreTests.Driver) throws {
        let bench = try Bench(driver)
        let store = bench.store
        #expect(try store.importedVocabulary().isEmpty && store.vocabularyLists().isEmpty)
        try store.keep([.esco: Self.esco, .onet: Self.onet], at: Self.now)
        let first = try store.importedVocabulary()
        #expect(first.map(\.source) == [.onet, .esco] && first.allSatisfy { $0.imported == Self.now })
        #expect(first.map(\.occupationCount) == [1, 1] && first.map(\.titleCount) == [2, 1])
        #expect(first.map(\.skillCount) == [1, 0])
        let lists = try store.vocabularyLists()
        #expect(lists.map(\.lists) == [Self.onet, Self.esco] && lists.map(\.digest) == first.map(\.digest))

        try store.keep([.onet: Self.onet], at: Self.now + .seconds(60))
        let same = try store.importedVocabulary()
        #expect(same.map(\.digest) == first.map(\.digest), "the same lists have the same digest")
        #expect(same.map(\.imported) == [Self.now + .seconds(60), Self.now])
        try store.keep([.onet: Self.esco], at: Self.now)
        #expect(try store.vocabularyLists().map(\.lists) == [Self.esco, Self.esco])
        #expect(try store.removeVocabulary() == 2 && store.removeVocabulary() == 0)
        #expect(try store.vocabularyLists().isEmpty)
    }

    @Test("Lists that a newer program has written are not read, and the error says what to do")
    func unreadable() throws {
        let bench = try Bench(.postgreSQL)
        let scratch = try #require(bench.scratch)
        try bench.store.keep([.onet: Self.onet], at: Self.now)
        try scratch.server.psql(scratch.name, "UPDATE vocabulary_lists SET text = 'vocabulary 2'")
        #expect(
            throws: PostingError.unavailable(
                detail: "the imported vocabulary onet cannot be read: import it again, or reset the vocabulary")
        ) { try bench.store.vocabularyLists() }
        #expect(try bench.store.importedVocabulary().count == 1)
    }
}
