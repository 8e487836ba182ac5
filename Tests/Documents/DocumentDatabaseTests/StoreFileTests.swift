import Database
import Documents
import Foundation
import JobQueue
import Linux
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("DocumentStore and its file", .deadline)
struct StoreFileTests {
    private func open(_ path: String, _ options: SQLiteDatabase.Options = .init()) throws -> DocumentStore {
        try DocumentStore(try SQLiteDatabase(path: path, options: options), recipes: [Preset.grid.recipe])
    }

    /// Checks that `body` fails as unavailable, with a detail that contains these words.
    private func expectUnavailable(_ words: String, _ body: () throws -> Void) {
        #expect {
            try body()
        } throws: { error in
            if case .unavailable(let detail) = error as? DocumentError { return detail.contains(words) }
            return (error as? SQLiteFault)?.description.contains(words) ?? false
        }
    }

    @Test("The file is not for everybody to read")
    func mode() throws {
        let bench = try StoreBench()
        let mode = try FileManager.default.attributesOfItem(atPath: bench.path)[.posixPermissions] as? Int
        #expect(try #require(mode) & 0o007 == 0)
    }

    @Test("The file of a newer program is not opened; where it is open, work on it goes on")
    func newer() throws {
        let bench = try StoreBench()
        try bench.add("A")
        try OtherProgram.sqlite(
            bench.path,
            "UPDATE schema_versions SET version = 99 WHERE name = 'document'; CREATE TABLE document_more (x);")
        try bench.add("B")
        #expect(try bench.page().totalCount == 2)
        expectUnavailable("newer program") { _ = try open(bench.path) }
        try OtherProgram.sqlite(
            bench.path,
            "UPDATE schema_versions SET version = 1; UPDATE schema_versions SET version = 99 WHERE name = 'queue';")
        expectUnavailable("the tables of queue are from a newer program") { _ = try open(bench.path) }
    }

    @Test("A queue's file gets the tables of documents, and both go on; one from before the first release is refused")
    func beside() throws {
        let folder = TemporaryFolder.make("beside")
        let path = "\(folder)/queue.sqlite"
        try SQLiteQueue.migrate(path: path)
        let queue = try SQLiteQueue(path: path)
        try queue.enqueue(JobRequest(source: .path("/a"), recipes: [Preset.grid.recipe]))
        #expect(try open(path).faults() == [])
        #expect(try queue.list(JobFilter()).count == 1)
        let old = "\(folder)/old.sqlite"
        try OtherProgram.sqlite(old, "CREATE TABLE document_migration (number INTEGER PRIMARY KEY, applied INTEGER);")
        expectUnavailable("before the first release") { _ = try open(old) }
        let tables = try OtherProgram.sqlite(old, "SELECT name FROM sqlite_master WHERE type = 'table';")
        #expect(tables == ["document_migration"])
    }

    @Test("A file in a folder that cannot be written is reported, and stays as it was")
    func readOnly() throws {
        let bench = try StoreBench()
        try bench.add("A")
        expectUnavailable("unable to open") { _ = try open("/proc/documents.sqlite") }
        expectUnavailable("unable to open") { _ = try open("\(bench.folder)/no/such/folder/d.sqlite") }
        try Data("this is no database, however long one looks at it".utf8).write(
            to: URL(fileURLWithPath: "\(bench.folder)/x"))
        expectUnavailable("not a database") { _ = try open("\(bench.folder)/x") }
        #expect(try String(contentsOfFile: "\(bench.folder)/x", encoding: .utf8).hasPrefix("this is no"))
    }

    @Test("A removed or replaced file takes no more changes, which would be lost")
    func removed() throws {
        let bench = try StoreBench()
        try bench.add("A")
        try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + "-old")
        expectUnavailable("removed or replaced") { _ = try bench.add("B") }
        try Data().write(to: URL(fileURLWithPath: bench.path))
        expectUnavailable("removed or replaced") { _ = try bench.page() }
    }

    @Test("While another program holds the write lock, changes fail in time and reads go on")
    func locked() throws {
        let bench = try StoreBench()
        try bench.add("A")
        var options = SQLiteDatabase.Options()
        options.busyTimeout = .milliseconds(50)
        let store = try open(bench.path, options)
        try OtherProgram.withWriteLock(on: bench.path) { () throws in
            expectUnavailable("locked") { _ = try store.add(bench.new("B")) }
            #expect(try store.list(ListQuery(), of: bench.owner).totalCount == 1)
        }
        #expect(try store.add(bench.new("B")).version == 1)
    }

    @Test("A full file stores no further document, keeps the stored ones whole, and lets some be removed")
    func full() throws {
        let bench = try StoreBench()
        var options = SQLiteDatabase.Options()
        options.pageLimit = 200
        let store = try open(bench.path, options)
        var stored: [Document] = []
        var error: DocumentError?
        while error == nil, stored.count < 10_000 {
            do throws(DocumentError) {
                stored.append(try store.add(bench.new("document \(stored.count)", description: "words")))
            } catch let caught {
                error = caught
            }
        }
        guard case .full = error else { throw Unexpected(error) }
        #expect(stored.count > 10)
        // Inside a larger transaction the fault is the same.
        let inside = #expect(throws: DocumentError.self) {
            try store.transaction {
                for number in 0..<10_000 { _ = try store.add(bench.new("inside \(number)", description: "words")) }
            }
        }
        guard case .full = inside else { throw Unexpected(inside) }
        #expect(try store.statistics(of: bench.owner).totalCount == stored.count)
        #expect(try store.events(after: 0, of: bench.owner, limit: 9999).count == stored.count)
        #expect(try bench.queue().status().jobCount(.available) == stored.count)
        #expect(try store.faults() == [])
        try open(bench.path).removeLine(of: stored[0].id, owner: bench.owner)
    }

    private struct Unexpected: Error {
        let found: DocumentError?

        init(_ found: DocumentError?) { self.found = found }
    }

    @Test(
        "Where the document, its event, its job or the note of its job cannot be written, none of them is",
        arguments: ["documents", "document_events", "queue_job", "picture_jobs", "document_counts", "document_owners"])
    func together(table: String) throws {
        let bench = try StoreBench()
        let first = try bench.add("A")
        try OtherProgram.sqlite(
            bench.path,
            """
            CREATE TRIGGER refused BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'refused by the test'); END;
            CREATE TRIGGER refused_too BEFORE UPDATE ON \(table) WHEN '\(table)' IN ('document_counts', 'document_owners')
                BEGIN SELECT RAISE(ABORT, 'refused by the test'); END;
            """)
        expectUnavailable("refused by the test") { _ = try bench.store.add(bench.new("B", after: first.id)) }
        expectUnavailable("refused by the test") { _ = try bench.store.add(bench.new("B")) }
        try OtherProgram.sqlite(bench.path, "DROP TRIGGER refused; DROP TRIGGER refused_too;")
        #expect(try bench.page().documents == [first] && bench.page().totalCount == 1)
        #expect(try bench.events() == [.stored] && bench.queue().list(JobFilter()).count == 1)
        #expect(try DocumentStore.faults(of: bench) == [])
        #expect(try bench.add("B", after: first.id).version == 2)
    }
}
