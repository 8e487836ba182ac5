import Database
import Foundation
import MatchStore
import Matching
import Media
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Every store of postings", .deadline)
struct PostingStoreTests {
    enum Driver: CaseIterable {
        case sqlite
        case postgreSQL
    }

    /// A store of its own.
    private struct Bench {
        let store: PostingStore
        private let server: ScratchDatabase?

        init(_ driver: Driver) throws {
            switch driver {
            case .sqlite:
                server = nil
                store = try PostingStore(try SQLiteDatabase(path: "\(TemporaryFolder.make("postings"))/file"))
            case .postgreSQL:
                let scratch = try ScratchDatabase()
                server = scratch
                store = try PostingStore(scratch.database)
            }
        }

        func titles(
            _ alternatives: [[String]], in field: PostingField = .title, on day: CivilDay = day, limit: Int = 100
        ) throws -> [String] {
            try store.candidates(having: alternatives, in: field, openOn: day, limit: limit).map(\.posting.title)
        }
    }

    private static let day = CivilDay("2026-06-15")!
    private static let now = Instant(microseconds: 1_780_000_000_000_000)

    @Test(
        "A posting is added once; what is different is changed, what is not is left, and the identity stays",
        arguments: Driver.allCases)
    func storing(driver: Driver) throws {
        let bench = try Bench(driver)
        var first = Posting(
            source: "board", sourceID: "a'1\"\\", title: "iOS Developer", company: "Ébène", location: "Köln",
            isRemote: true,
            posted: Self.day, expires: Self.day, url: "https://x.example/1", text: "Swift,\nUIKit", salary: "€ 5")
        let second = Posting(source: "board", sourceID: "2", title: "Nurse")
        #expect(try bench.store.store([first, second], at: Self.now).added == 2)
        let before = try bench.store.posting(first.key)
        #expect(before.posting == first && before.added == Self.now && before.changed == Self.now)
        #expect(try bench.store.posting(second.key).posting == second)
        first.expires = nil
        first.text = "Kotlin"
        let later = Self.now + .seconds(60)
        let count = try bench.store.store([first, second], at: later)
        #expect((count.added, count.changed, count.unchanged) == (0, 1, 1))
        let after = try bench.store.posting(before.id)
        #expect(after.posting == first && after.added == Self.now && after.changed == later)
        // The index follows.
        #expect(try bench.titles([["kotlin"]], in: .anywhere) == ["iOS Developer"])
        #expect(try bench.titles([["uikit"]], in: .anywhere) == [])
        // Another source may use the same identity.
        #expect(
            try bench.store.store([Posting(source: "other", sourceID: "2", title: "Cook")], at: later).added == 1)
        #expect(throws: PostingError.notFound) { try bench.store.posting(ID(bytes: Array(repeating: 7, count: 16))!) }
    }

    @Test(
        "Words are found by both databases alike, with signs, accents and hostile characters",
        arguments: Driver.allCases)
    func words(driver: Driver) throws {
        let bench = try Bench(driver)
        let titles = [
            "C++ Developer", "C# Developer", "C Developer", "Senior Ingénieur", "Node.js Engineer", "O'Brien's Cook",
            "日本語 教師", "AND OR NOT NEAR", "t:ios", "",
        ]
        let postings = titles.enumerated().map { index, title in
            Posting(
                source: "s", sourceID: "\(index)", title: title.isEmpty ? "x" : title, text: "text of \(index) in town")
        }
        _ = try bench.store.store(postings, at: Self.now)
        for posting in postings {
            let keys = ScannedWord.all(of: posting.title).map(\.key)
            let expected = postings.filter { other in
                let words = Set(ScannedWord.all(of: other.title).map(\.key))
                return keys.allSatisfy(words.contains)
            }
            #expect(try bench.titles([keys]).sorted() == expected.map(\.title).sorted(), "\(posting.title): \(keys)")
        }
        #expect(try bench.titles([["c++"]]) == ["C++ Developer"])
        #expect(try bench.titles([["c++"], ["c#"]]).sorted() == ["C# Developer", "C++ Developer"])
        #expect(try bench.titles([["text"]]) == [], "words of the text are none of the title")
        #expect(try bench.titles([["town", "7"]], in: .anywhere) == ["AND OR NOT NEAR"])
        #expect(try bench.titles([["cook", "town"]], in: .anywhere).count == 1, "title and text together")
        for hostile in ["\"", "'", "\\", "(", "*", ")", "a\" OR \"b", ":*", "&", "!", "<->", "", " "] {
            #expect(try bench.titles([[hostile, "developer"]]) == [], "\(hostile)")
        }
        #expect(try bench.titles([]) == [])
        #expect(try bench.titles([[]]) == [])
    }

    @Test(
        "Four hundred samples: each question has the answers that reading them one by one has",
        arguments: Driver.allCases)
    func samples(driver: Driver) throws {
        let bench = try Bench(driver)
        let day = CivilDay("2026-11-21")!
        var postings: [Posting] = []
        let folder = Checkout.sample("jobs/postings")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard let form = PostingForm(fileName: name), name != "truth.json" else { continue }
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            postings += PostingReader(source: name, today: day).rows(bytes, as: form).compactMap { try? $0.get() }
        }
        try #require(postings.count > 300)
        _ = try bench.store.store(postings, at: Self.now)
        var chance = SplitMix(seed: 21)
        let index = postings.map { posting in
            let title = Set(ScannedWord.all(of: posting.title).map(\.key))
            return (posting: posting, title: title, all: title.union(ScannedWord.all(of: posting.text).map(\.key)))
        }
        for _ in 0..<60 {
            let alternatives = (0...chance.next(below: 3)).map { _ in
                let of = index[chance.next(below: index.count)]
                let words = (chance.next(below: 2) == 0 ? of.title : of.all).sorted()
                return (0...chance.next(below: 2)).map { _ in words[chance.next(below: words.count)] }
            }
            for field in [PostingField.title, .anywhere] {
                let expected = index.filter { entry in
                    let isOpen = entry.posting.isOpen(on: day)
                    return isOpen
                        && alternatives.contains { $0.allSatisfy((field == .title ? entry.title : entry.all).contains) }
                }
                let found = try bench.store.candidates(
                    having: alternatives, in: field, openOn: day, limit: 1000)
                #expect(Set(found.map(\.posting.key)) == Set(expected.map(\.posting.key)), "\(alternatives)")
                let days = found.map { $0.posting.posted?.number ?? 0 }
                #expect(days == days.sorted(by: >), "those published last come first")
                #expect(
                    try bench.store.candidates(having: alternatives, in: field, openOn: day, limit: 3)
                        == Array(found.prefix(3)))
            }
        }
        // Pages go through all of them once.
        var seen: [Posting.Key] = []
        var place: Posting.Key?
        repeat {
            let page = try bench.store.postings(of: nil, behind: place, limit: 37)
            seen += page.elements.map(\.posting.key)
            place = page.next
        } while place != nil && seen.count <= postings.count
        #expect(seen.count == postings.count && Set(seen) == Set(postings.map(\.key)))
    }

    @Test("Postings of one day come by source and identity, in both databases alike", arguments: Driver.allCases)
    func order(driver: Driver) throws {
        let bench = try Bench(driver)
        let ids = ["b", "B", "a-1", "a 1", "é", "z", "Z", "10", "9", "_"]
        let postings = ["two", "One"].flatMap { source in
            ids.map { Posting(source: source, sourceID: $0, title: "Cook", posted: Self.day) }
        }
        var chance = SystemRandomNumberGenerator()
        for posting in postings.shuffled(using: &chance) { _ = try bench.store.store([posting], at: Self.now) }
        let found = try bench.store.candidates(having: [["cook"]], in: .title, openOn: Self.day, limit: 100)
        let expected = postings.map(\.key).sorted {
            ($0.source, $0.id).0.utf8.lexicographicallyPrecedes($1.source.utf8)
                || $0.source == $1.source && $0.id.utf8.lexicographicallyPrecedes($1.id.utf8)
        }
        #expect(found.map(\.posting.key) == expected)
    }

    @Test("Places of open postings are told once, and bound candidates", arguments: Driver.allCases)
    func places(driver: Driver) throws {
        let bench = try Bench(driver)
        func posting(_ id: Int, _ location: String, remote: Bool = false, expires: String? = nil) -> Posting {
            Posting(
                source: "s", sourceID: "\(id)", title: "Cook \(id)", location: location, isRemote: remote,
                posted: Self.day, expires: expires.flatMap { CivilDay($0) })
        }
        _ = try bench.store.store(
            [
                posting(1, "Austin, TX"), posting(2, "Austin, TX"), posting(3, "Köln \"Süd\"", expires: "2026-06-15"),
                posting(4, "Leeds", expires: "2026-06-14"), posting(5, "", remote: true), posting(6, ""),
            ], at: Self.now)
        #expect(try bench.store.locations(openOn: Self.day).sorted() == ["Austin, TX", "Köln \"Süd\""])
        func ids(_ scope: PostingScope) throws -> [String] {
            try bench.store.candidates(
                having: [["cook"]], in: .title, openOn: Self.day, scope, limit: 10
            ).map(\.posting.sourceID)
        }
        #expect(try ids(.anywhere) == ["1", "2", "3", "5", "6"])
        #expect(try ids(.remote) == ["5"] && ids(.at([])) == [] && ids(.at(["Leeds"])) == [])
        #expect(try ids(.at(["Köln \"Süd\"", "Austin, TX"])) == ["1", "2", "3"])
    }

    @Test("Ended postings are not found, and go; sources are counted and removed", arguments: Driver.allCases)
    func ends(driver: Driver) throws {
        let bench = try Bench(driver)
        func posting(_ source: String, _ id: String, _ title: String, _ expires: String?, remote: Bool = false)
            -> Posting
        {
            Posting(
                source: source, sourceID: id, title: title, isRemote: remote, posted: CivilDay("2026-06-0\(id)"),
                expires: expires.flatMap { CivilDay($0) })
        }
        _ = try bench.store.store(
            [
                posting("a", "1", "Cook", "2026-06-14"), posting("a", "2", "Cook", "2026-06-15", remote: true),
                posting("a", "3", "Baker", nil), posting("b", "4", "Cook", nil),
            ], at: Self.now)
        #expect(try bench.titles([["cook"]]).count == 2)
        #expect(
            try bench.store.statistics(on: Self.day) == [
                SourceStatistics(
                    source: "a", openCount: 2, endedCount: 1, remoteCount: 1, titleCount: 2,
                    newest: CivilDay("2026-06-03")),
                SourceStatistics(
                    source: "b", openCount: 1, endedCount: 0, remoteCount: 0, titleCount: 1,
                    newest: CivilDay("2026-06-04")),
            ])
        #expect(try bench.store.removeEnded(before: Self.day) == 1)
        #expect(try bench.store.remove(source: "a", ids: ["3", "none"]) == 1)
        #expect(try bench.store.postings(of: "a", behind: nil, limit: 9).elements.map(\.posting.sourceID) == ["2"])
        #expect(try bench.store.remove(source: "a", ids: nil) == 1)
        #expect(try bench.store.remove(source: "none", ids: nil) == 0)
        #expect(try bench.titles([["cook"]]) == ["Cook"])
    }

    @Test("A database of a newer program is not touched")
    func newer() throws {
        let scratch = try ScratchDatabase()
        _ = try PostingStore(scratch.database)
        _ = try PostingStore(scratch.database)
        try scratch.server.psql(scratch.name, "UPDATE schema_versions SET version = 9 WHERE name = 'posting'")
        let detail = "the tables of posting are from a newer program (version 9, known 1): upgrade this one"
        #expect(throws: PostingError.unavailable(detail: detail)) { try PostingStore(scratch.database) }
    }
}
