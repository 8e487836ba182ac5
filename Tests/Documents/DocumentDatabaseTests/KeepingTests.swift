import Database
import Documents
import Foundation
import Linux
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("DocumentStore: backups, checks, and what deletions leave", .deadline)
struct KeepingTests {
    private func sqlite(_ bench: StoreBench) throws -> DocumentStore { bench.store }

    /// Whether the bytes of a text are in the database's file or its log.
    private func isOnDisk(_ text: String, _ bench: StoreBench) -> Bool {
        ["", "-wal"].contains { end in
            let data = FileManager.default.contents(atPath: bench.path + end) ?? Data()
            return data.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("A deleted or replaced text is in neither the file nor its log after tidying")
    func secureDelete() throws {
        let bench = try StoreBench()
        let secrets = ["Zzyzx-Quixotic", "Wyvern-Abscess", "Kumquat-Oxidant", "Jackdaw-Sphinx"]
        for number in 0..<50 { try bench.add("plain \(number)") }
        var new = bench.new(secrets[0], description: secrets[1])
        let file = Document.File(
            object: .random(), path: "u/resume/1_\(secrets[3]).pdf", name: "\(secrets[3]).pdf", mediaType: .pdf,
            digest: .numbered(1),
            byteCount: 1)
        new.file = file
        let document = try bench.store.add(new)
        let renamed = try bench.add(secrets[2])
        try sqlite(bench).tidy()
        #expect(secrets.allSatisfy { isOnDisk($0, bench) && isOnDisk($0.folded, bench) == ($0 != secrets[3]) })
        _ = try bench.store.change(renamed.id, of: bench.owner, to: DocumentChange(title: "plain"))
        try bench.store.removeLine(of: document.id, owner: bench.owner)
        for removal in try bench.store.dueRemovals(limit: 9) { try bench.store.endRemoval(removal) }
        try sqlite(bench).tidy()
        for secret in secrets { #expect(!isOnDisk(secret, bench) && !isOnDisk(secret.folded, bench)) }
        // The index contains single trigrams, which only deleted texts had.
        for trigram in ["zyx", "wyv", "kum"] {
            let rows = try OtherProgram.sqlite(
                bench.path,
                "SELECT count(*) FROM document_search_data WHERE instr(block, CAST('\(trigram)' AS BLOB)) > 0;")
            #expect(rows == ["0"], "\(trigram)")
        }
        #expect(try bench.page { $0.search = "plain" }.filteredCount == 51)
        #expect(try sqlite(bench).faults() == [])
    }

    @Test("A backup made while documents are stored is sound, and has every document that was stored before")
    func backup() throws {
        let bench = try StoreBench()
        for number in 0..<200 { try bench.add("before \(number)") }
        let writer = try WorkerThread(name: "writer") {
            for number in 0..<300 { _ = try? bench.store.add(bench.new("during \(number)")) }
        }
        let copy = "\(bench.folder)/backup.sqlite"
        try sqlite(bench).backup(to: copy)
        writer.join()
        #expect(throws: DocumentError.self) { try sqlite(bench).backup(to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy + "-part"))
        let restored = try DocumentStore(try SQLiteDatabase(path: copy), recipes: [Preset.grid.recipe])
        #expect(try restored.faults() == [])
        var query = ListQuery()
        query.search = "before"
        #expect(try restored.list(query, of: bench.owner).filteredCount == 200)
        #expect(try restored.statistics(of: bench.owner).totalCount <= 500)
        #expect(try restored.add(bench.new("after")).version == 1)
    }

    @Test("What was deleted after a backup stays deleted after its restore")
    func deletions() throws {
        let bench = try StoreBench()
        let (store, owner) = (bench.store, bench.owner)
        let schools = try ["A", "B", "C"].map { try store.addSchools(named: [$0], of: owner)[0].id }
        let template = try store.addTemplate(named: "T", type: .text, body: "b", of: owner)
        let kept = try bench.add("kept", school: schools[0])
        let gone = try bench.add("gone")
        let line = try bench.add("line")
        let version = try bench.add("line", after: line.id)
        _ = try store.share(kept.id, of: owner, with: schools, permission: .view)
        let links = try (0..<2).map { _ in
            try store.addLink(to: kept.id, of: owner, permission: .view, lifetime: .seconds(3600))
        }
        let copy = "\(bench.folder)/backup.sqlite"
        try sqlite(bench).backup(to: copy)
        try store.removeLink(links[0].id, to: kept.id, of: owner)
        try store.removeLine(of: gone.id, owner: owner)
        try store.removeVersion(version.id, of: owner)
        try store.removeSchool(schools[0], of: owner)
        _ = try store.unshare(kept.id, of: owner, from: [schools[1]])
        try store.removeTemplate(template.id, of: owner)
        try bench.add("lost")
        let restored = try DocumentStore(
            try SQLiteDatabase(path: copy), recipes: [Preset.grid.recipe], now: { bench.clock.now })
        #expect(try restored.list(ListQuery(), of: owner).totalCount == 3)
        let current = try SQLiteDatabase(path: bench.path)
        #expect(try restored.removeWhatWasDeleted(RestoreHistory(of: current)) == 2)
        let documents = try restored.list(ListQuery(), of: owner).documents
        #expect(Set(documents.map(\.id)) == [kept.id, line.id])
        let found = try restored.document(kept.id, of: owner)
        #expect(found.school == nil && found.shares.map(\.school) == [schools[2]])
        #expect(
            try restored.templates(of: owner).isEmpty && restored.schools(of: owner).map(\.id) == Array(schools[1...]))
        #expect(try restored.links(to: kept.id, of: owner) == [links[1]])
        #expect(try Set(restored.dueRemovals(limit: 9).map(\.object)) == [gone.file.object!, version.file.object!])
        #expect(try restored.faults() == [])
    }

    /// A file that clients store at a path.
    private func file(at path: String, _ content: Int, of owner: ID<Person>) -> NewObject {
        NewObject(
            id: .random(), owner: owner, path: path, digest: .numbered(content), byteCount: 10, mediaType: .pdf,
            facts: nil, verdict: .passed)
    }

    /// The newer backup had things that the former database lacked, because the older backup was restored into it: they
    /// were taken for deleted.
    @Test("What was made between two backups is back when the older one is restored, and then the newer one")
    func twoRestores() throws {
        let bench = try StoreBench()
        let owner = bench.owner
        func backUp(_ store: DocumentStore, to name: String) throws -> String {
            let (copy, start) = ("\(bench.folder)/\(name).sqlite", bench.clock.now)
            try store.backup(to: copy)
            let backup = try DocumentStore(
                try SQLiteDatabase(path: copy), recipes: [Preset.grid.recipe], now: { bench.clock.now })
            try backup.noteBackup(begun: start)
            try backup.close()
            return copy
        }
        func restore(_ copy: String, over current: SQLiteDatabase) throws -> (SQLiteDatabase, DocumentStore, Int) {
            let database = try SQLiteDatabase(path: copy)
            let store = try DocumentStore(database, recipes: [Preset.grid.recipe], now: { bench.clock.now })
            try store.noteRestore()
            return (
                database, store, try store.removeWhatWasDeleted(RestoreHistory(of: current))
            )
        }
        let (kept, gone) = (try bench.add("kept"), try bench.add("gone"))
        bench.clock.advance(.seconds(60))
        let older = try backUp(try sqlite(bench), to: "older")
        bench.clock.advance(.seconds(60))
        let between = try bench.add("between")
        let school = try bench.store.addSchools(named: ["S"], of: owner)[0].id
        _ = try bench.store.share(between.id, of: owner, with: [school], permission: .view)
        let file = try bench.store.add(file(at: "\(owner)/resume/file", 5, of: owner))
        bench.clock.advance(.seconds(60))
        let newer = try backUp(try sqlite(bench), to: "newer")
        bench.clock.advance(.seconds(60))
        let (mistaken, olderStore, _) = try restore(older, over: SQLiteDatabase(path: bench.path))
        bench.clock.advance(.seconds(60))
        try olderStore.removeLine(of: gone.id, owner: owner)
        let (_, store, count) = try restore(newer, over: mistaken)
        #expect(count == 1, "what was deleted after the first restore stays deleted")
        #expect(Set(try store.list(ListQuery(), of: owner).documents.map(\.id)) == [kept.id, between.id])
        #expect(try store.document(between.id, of: owner).shares.map(\.school) == [school])
        #expect(try store.object(file.id) != nil && store.faults() == [])
    }

    @Test("After a restore a thing is known by its identity: what has its path or name by now is another one")
    func identities() throws {
        let bench = try StoreBench()
        let (store, owner) = (bench.store, bench.owner)
        let paths = ["named", "deleted", "replaced"].map { "\(owner)/resume/\($0)" }
        let files = try paths.enumerated().map { try store.add(file(at: $1, $0, of: owner)) }
        var new = bench.new("A")
        new.file = Document.File(
            object: files[0].id, path: paths[0], name: "a.pdf", mediaType: .pdf, digest: files[0].digest, byteCount: 10)
        new.isObjectStored = true
        let document = try store.add(new)
        let school = try store.addSchools(named: ["S"], of: owner)[0].id
        _ = try store.share(document.id, of: owner, with: [school], permission: .edit)
        let copy = "\(bench.folder)/backup.sqlite"
        try sqlite(bench).backup(to: copy)
        for number in 0...1 {
            try store.removeObject(files[number].id)
            _ = try store.add(file(at: paths[number], 10 + number, of: owner))
        }
        for number in 12...13 { _ = try store.add(file(at: paths[2], number, of: owner), replacing: true) }
        _ = try store.unshare(document.id, of: owner, from: [school])
        _ = try store.share(document.id, of: owner, with: [school], permission: .view)
        let restored = try DocumentStore(
            try SQLiteDatabase(path: copy), recipes: [Preset.grid.recipe], now: { bench.clock.now })
        let current = try SQLiteDatabase(path: bench.path)
        try restored.removeWhatWasDeleted(RestoreHistory(of: current))
        #expect(try restored.object(files[0].id) == nil && restored.object(files[1].id) == nil)
        #expect(try restored.object(files[2].id)?.digest == files[2].digest)
        let found = try restored.document(document.id, of: owner)
        #expect(found.file.object == nil && found.shares.isEmpty)
        #expect(try restored.faults() == [])
    }

    @Test(
        "A check finds damage of what triggers keep",
        arguments: [
            "UPDATE document_counts SET documents = documents + 1", "UPDATE document_owners SET byte_count = 7",
            "UPDATE documents SET share_count = 5", "DELETE FROM document_counts",
            "DROP TRIGGER document_shown_changed; UPDATE documents SET shown = 0",
            "INSERT INTO document_shares SELECT 'no share', 'no line', id, 'view', 0 FROM schools",
            "PRAGMA foreign_keys = OFF; DELETE FROM schools",
        ])
    func faults(sql: String) throws {
        let bench = try StoreBench()
        let school = try bench.store.addSchools(named: ["S"], of: bench.owner)[0].id
        try bench.add("A", school: school)
        #expect(try sqlite(bench).faults() == [])
        try OtherProgram.sqlite(bench.path, sql + ";")
        #expect(try DocumentStore.faults(of: bench) != [])
    }
}
