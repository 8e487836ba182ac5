import Documents
import Media
import TestDeadline
import Testing

@Suite("Every document store: lists, searches and statistics", .deadline)
struct ListTests {
    @Test("Each sort has its order, and equal documents follow by identity", arguments: StoreDriver.allCases)
    func sorts(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let schools = try (0..<2).map { try bench.store.addSchools(named: ["S\($0)"], of: bench.owner)[0].id }
        let (b, a, c) = (try bench.add("b", type: .transcript), try bench.add("Á"), try bench.add("C"))
        let newest = try bench.add("ab", type: .highlightVideo)
        _ = try bench.store.share(a.id, of: bench.owner, with: schools, permission: .view)
        _ = try bench.store.share(b.id, of: bench.owner, with: [schools[0]], permission: .view)
        func titles(_ sort: ListQuery.Sort) throws -> [String] { try bench.titles { $0.sort = sort } }
        #expect(try titles(.newest) == ["ab", "C", "Á", "b"] && titles(.oldest) == ["b", "Á", "C", "ab"])
        #expect(try titles(.name) == ["Á", "ab", "b", "C"] && titles(.type) == ["ab", "C", "Á", "b"])
        #expect(try titles(.mostShared) == ["Á", "b", "ab", "C"])
        #expect([a, b, c, newest].map(\.version) == [1, 1, 1, 1])
    }

    @Test("Filters combine, and the filtered count stands beside the total", arguments: StoreDriver.allCases)
    func filters(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let school = try bench.store.addSchools(named: ["Ohio State"], of: bench.owner)[0].id
        let shared = try bench.add("A", school: school)
        _ = try bench.store.share(shared.id, of: bench.owner, with: [school], permission: .view)
        try bench.add("B", school: school)
        try bench.add("C", type: .transcript, school: school)
        try bench.add("D", type: .statsSheet)
        func expect(_ titles: [String], _ change: @escaping (inout ListQuery) -> Void) throws {
            let page = try bench.page(change)
            #expect(page.documents.map(\.title) == titles && page.filteredCount == titles.count && page.totalCount == 4)
        }
        try expect(["D", "C"]) { $0.types = [.transcript, .statsSheet] }
        try expect(["C", "B", "A"]) { $0.school = .school(school) }
        try expect(["D"]) { $0.school = .general }
        try expect(["A"]) { $0.isShared = true }
        try expect(["B"]) {
            $0.isShared = false
            $0.types = [.resume]
        }
        try expect([]) {
            $0.isShared = true
            $0.types = [.transcript]
            $0.school = .school(school)
        }
    }

    @Test(
        "A search finds parts of titles and descriptions in any case, language and script",
        arguments: StoreDriver.allCases,
        [
            ("résumé", true), ("RESUME", true), ("sum", true), ("strasse", true), ("STRASSE", true), ("ø", true),
            ("orsted", true), ("東京", true), ("москва", true), ("σίσυφος", true), ("100%", true), ("\"x\"", true),
            ("a_b", true), ("é a", false), ("resumee", false), ("%", true), ("_", true), ("*", false), ("NEAR", false),
            ("r\u{0}", false), ("y \u{1F3C8}", true),
        ])
    func searching(driver: StoreDriver, search: (text: String, isFound: Bool)) throws {
        let (text, isFound) = search
        let bench = try StoreBench(driver)
        try bench.add("My Résumé 東京", description: "Straße Ørsted МОСКВА ΣΊΣΥΦΟΣ 100% \"x\" a_b why 🏈")
        try bench.add("zzz")
        let page = try bench.page { $0.search = text }
        #expect(page.filteredCount == (isFound ? 1 : 0) && page.documents.count == page.filteredCount)
        #expect(page.totalCount == 2)
    }

    @Test("A search finds what a change wrote, and no more what it replaced", arguments: StoreDriver.allCases)
    func searchAfterChange(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let other = try bench.reopened()
        let document = try bench.add("first words")
        func count(_ text: String) throws -> Int { try bench.page { $0.search = text }.filteredCount }
        #expect(try count("first") == 1 && count("second") == 0)
        _ = try other.change(document.id, of: bench.owner, to: DocumentChange(title: "second words"))
        #expect(try count("first") == 0 && count("second") == 1)
        try other.removeLine(of: document.id, owner: bench.owner)
        #expect(try count("second") == 0)
    }

    @Test(
        "A cursor stays a place in its list after its document is gone", arguments: StoreDriver.allCases,
        ListQuery.Sort.allCases)
    func cursors(driver: StoreDriver, sort: ListQuery.Sort) throws {
        let bench = try StoreBench(driver)
        for number in 0..<7 { try bench.add("title \(number)", type: DocumentType.allCases[number % 3]) }
        func page(_ cursor: ListCursor?) throws -> ListPage {
            try bench.page {
                $0.sort = sort
                $0.limit = 3
                $0.cursor = cursor
            }
        }
        let whole = try bench.page { $0.sort = sort }.documents.map(\.id)
        let first = try page(nil)
        let next = try #require(first.next)
        #expect(first.documents.map(\.id) == Array(whole[..<3]) && ListCursor(text: next.text) == next)
        try bench.store.removeLine(of: whole[2], owner: bench.owner)
        let second = try page(next)
        #expect(second.documents.map(\.id) == Array(whole[3..<6]))
        let last = try page(second.next)
        #expect(last.documents.map(\.id) == [whole[6]] && last.next == nil)
    }

    @Test("Statistics count lines, and sum the bytes of all versions", arguments: StoreDriver.allCases)
    func statistics(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        #expect(try bench.store.statistics(of: bench.owner).mostCommonType == nil)
        let school = try bench.store.addSchools(named: ["S"], of: bench.owner)[0].id
        let first = try bench.add("A", type: .transcript, size: 1 << 40)
        try bench.add("A", type: .transcript, size: 3, after: first.id)
        let video = try bench.add("B", type: .highlightVideo, size: 5)
        _ = try bench.store.share(video.id, of: bench.owner, with: [school], permission: .view)
        let statistics = try bench.store.statistics(of: bench.owner)
        #expect(statistics.totalCount == 2 && statistics.sharedCount == 1 && statistics.byteCount == (1 << 40) + 8)
        #expect(statistics.countsByType == [.transcript: 1, .highlightVideo: 1])
        #expect(statistics.mostCommonType == .highlightVideo)
    }
}
