import Database
import Documents
import Media
import Synchronization
import TestDeadline
import TestSupport
import Testing

/// With one statement for each document, removing a school of 30,000 shared documents held the database's write lock
/// for 13.7 s.
@Suite("Every document store: removing a school of many documents", .deadline)
struct SchoolRemovalTests {
    @Test("Shares, lists, counts and events are right for each of 200 documents", arguments: StoreDriver.allCases)
    func many(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let schools = try store.addSchools(named: ["gone", "kept"], of: owner).map(\.id)
        var shown: [ID<Document>] = []
        for number in 0..<200 {
            var document = try bench.add("T\(number)", school: schools[number % 2])
            if number % 20 == 0 { document = try bench.add("T\(number)", after: document.id) }
            _ = try store.share(
                document.id, of: owner, with: number % 3 == 0 ? [schools[0]] : schools, permission: .view)
            shown.append(document.id)
        }
        let filed = try bench.add("filed", school: schools[0])
        let other = try bench.add("other", school: schools[1])
        _ = try store.share(other.id, of: owner, with: [schools[1]], permission: .edit)
        let untouched = try store.document(other.id, of: owner)
        let latest = try store.latestEvent(of: owner)
        bench.clock.advance(.seconds(1))
        try store.removeSchool(schools[0], of: owner)
        for (number, id) in shown.enumerated() {
            for version in try store.versions(of: id, owner: owner) {
                #expect(version.shares.map(\.school) == (number % 3 == 0 ? [] : [schools[1]]))
                #expect(version.school != schools[0] && version.updated == bench.clock.now)
            }
        }
        #expect(try store.document(other.id, of: owner) == untouched)
        let events = try store.events(after: latest, of: owner, limit: 1000)
        #expect(events.count == 201 && events.allSatisfy { $0.kind == .changed })
        #expect(Set(events.map(\.document)) == Set(shown + [filed.id]))
        // Documents with an even number now have no school; a third of all documents was shared with this school only.
        #expect(try bench.page { $0.school = .general }.filteredCount == 101)
        #expect(try bench.page { $0.school = .school(schools[1]) }.filteredCount == 101)
        #expect(try bench.page { $0.isShared = true }.filteredCount == 134)
        #expect(try bench.page { $0.isShared = false }.filteredCount == 68)
        let statistics = try store.statistics(of: owner)
        #expect(statistics.totalCount == 202 && statistics.sharedCount == 134)
        #expect(try store.schools(of: owner).map(\.id) == [schools[1]])
    }

    @Test("A search that was remembered is done again after it", arguments: StoreDriver.allCases)
    func searches(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let (store, owner) = (bench.store, bench.owner)
        let school = try store.addSchools(named: ["gone"], of: owner)[0].id
        for number in 0..<5 {
            let document = try bench.add("word \(number)", school: school)
            _ = try store.share(document.id, of: owner, with: [school], permission: .view)
        }
        func found(_ filter: ListQuery.SchoolFilter) throws -> Int? {
            try bench.page {
                $0.search = "word"
                $0.school = filter
            }.filteredCount
        }
        // The result of a search is remembered until the owner's documents change.
        #expect(try found(.school(school)) == 5 && found(.general) == 0)
        try store.removeSchool(school, of: owner)
        #expect(try found(.general) == 5)
    }

    @Test("The removal of a school of 12,000 documents lets other changes in between")
    func parts() throws {
        let bench = try StoreBench()
        let owner = bench.owner
        let school = try bench.store.addSchools(named: ["gone"], of: owner)[0].id
        let first = try bench.add("T", school: school)
        _ = try bench.store.share(first.id, of: owner, with: [school], permission: .view)
        try OtherProgram.sqlite(
            bench.path,
            """
            BEGIN;
            WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < 11999)
            INSERT INTO documents SELECT number + n, substr(id, 1, 24) || printf('%012x', n),
                substr(line, 1, 24) || printf('%012x', n), user_id, type, title, title_key, description,
                search, version, is_current, shown, school_id, share_count, NULL, file_path, file_name, file_type, digest,
                byte_count, facts, placeholder, state, failure, uploaded_by, created_at + n, updated_at
            FROM documents, copies;
            INSERT INTO document_shares SELECT id, line, '\(school)', 'view', created_at FROM documents WHERE TRUE
                ON CONFLICT DO NOTHING;
            COMMIT;
            """)
        // Each transaction has its own time.
        let seconds = Atomic(0)
        let store = try DocumentStore(
            SQLiteDatabase(path: bench.path), recipes: [Preset.grid.recipe],
            now: { bench.clock.now + .seconds(seconds.add(1, ordering: .relaxed).newValue) })
        let latest = try store.latestEvent(of: owner)
        try store.removeSchool(school, of: owner)
        let counts = try OtherProgram.sqlite(
            bench.path,
            "SELECT count(*) FROM document_events WHERE number > \(latest) GROUP BY created_at ORDER BY created_at")
        #expect(counts == ["5001", "5001", "1998"])
        #expect(try store.statistics(of: owner).sharedCount == 0 && store.schools(of: owner).isEmpty)
        #expect(try bench.page { $0.school = .general }.filteredCount == 12_000)
        let left = try OtherProgram.sqlite(bench.path, "SELECT count(*) FROM document_shares")
        #expect(left == ["0"])
    }
}
