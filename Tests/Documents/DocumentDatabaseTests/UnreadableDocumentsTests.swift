import Documents
import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("DocumentStore and damaged rows", .deadline)
struct UnreadableDocumentsTests {
    /// Values that another program or a disk fault may leave in a column.
    private static let nonsense = [
        "NULL", "'nonsense'", "''", "x'fffe00'", "CAST(x'ff41' AS TEXT)", "-1", "9223372036854775807", "1.5", "1.5e300",
        "'{\"code\":'", "'a' || char(0) || 'b'", "hex(zeroblob(50000))",
    ]

    private static let columns = [
        "id", "line", "user_id", "type", "title", "title_key", "description", "search", "version", "is_current",
        "shown",
        "school_id", "share_count", "object_id", "file_path", "file_name", "file_type", "digest", "byte_count", "facts",
        "placeholder",
        "state", "failure", "uploaded_by", "created_at", "updated_at",
    ].map { ("documents", $0) }

    private static let others = [
        ("objects", "id"), ("objects", "user_id"), ("objects", "path"), ("objects", "is_named"), ("objects", "digest"),
        ("objects", "byte_count"), ("objects", "media_type"), ("objects", "facts"), ("objects", "verdict"),
        ("objects", "cache_control"), ("objects", "metadata"), ("objects", "stored_at"),
        ("schools", "id"), ("schools", "name"), ("schools", "name_key"), ("schools", "created_at"),
        ("document_shares", "line"), ("document_shares", "school_id"), ("document_shares", "permission"),
        ("document_shares", "created_at"), ("communication_templates", "id"), ("communication_templates", "type"),
        ("communication_templates", "body"), ("communication_templates", "updated_at"), ("document_counts", "type"),
        ("document_counts", "school_id"), ("document_counts", "is_shared"), ("document_counts", "documents"),
        ("document_owners", "byte_count"), ("document_owners", "revision"), ("document_events", "kind"),
        ("document_events", "document"), ("document_events", "created_at"), ("removals", "object_id"),
        ("removals", "user_id"),
        ("removals", "digest"),
        ("removals", "failures"), ("removals", "due"), ("ended_pictures", "object_id"), ("ended_pictures", "is_done"),
        ("ended_pictures", "digest"), ("ended_pictures", "failure"), ("uploads", "id"), ("uploads", "object_id"),
        ("uploads", "purpose"), ("uploads", "length"), ("uploads", "expires_at"), ("uploads", "state"),
        ("uploads", "digest"), ("uploads", "document"),
    ]

    /// Damages one column of a table's first rows, bypassing its constraints, triggers and indexes.
    private func spoil(_ bench: StoreBench, _ table: String, _ column: String) throws {
        var sql = """
            PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = '\(table)';
            PRAGMA writable_schema = RESET;
            SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger';
            """
        let drops = try OtherProgram.sqlite(bench.path, sql, mayFail: true)
        sql = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;\n" + drops.joined(separator: "\n")
        let keys = try OtherProgram.sqlite(
            bench.path, "SELECT group_concat(name) FROM pragma_table_info('\(table)') WHERE pk > 0;")
        let key = keys.first ?? "rowid"
        sql += "\nCREATE TEMP TABLE victims AS SELECT *, row_number() OVER (ORDER BY \(key)) - 1 AS n FROM \(table);\n"
        for (number, value) in Self.nonsense.enumerated() {
            let same = key.split(separator: ",").map { "\(table).\($0) = v.\($0)" }.joined(separator: " AND ")
            sql +=
                "UPDATE OR IGNORE \(table) SET \"\(column)\" = \(value) FROM victims AS v WHERE \(same) AND v.n = \(number);\n"
        }
        try OtherProgram.sqlite(bench.path, sql, mayFail: true)
    }

    private func makeBench() throws -> StoreBench {
        let bench = try StoreBench()
        let schools = try (0..<14).map { try bench.store.addSchools(named: ["school \($0)"], of: bench.owner)[0].id }
        let removed = try (0..<13).map { try bench.add("removed \($0)") }
        let queue = try bench.queue()
        for document in try (0..<16).map({ try bench.add("document \($0)", description: "d", school: schools[$0 % 14]) }
        ) {
            _ = try bench.store.share(document.id, of: bench.owner, with: [schools[0]], permission: .view)
        }
        for claimed in try queue.claim(upTo: 99, by: "w", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
            try queue.fail(claimed.token, Failure(.corrupt), isRetryable: false, timings: [])
        }
        for document in removed { try bench.store.removeLine(of: document.id, owner: bench.owner) }
        for number in 0..<14 {
            _ = try bench.store.addTemplate(named: "\(number)", type: .text, body: "b", of: bench.owner)
            _ = try bench.store.addUpload(
                of: bench.owner, by: bench.owner, for: .document(texts: [:]), length: 1, lifetime: .zero)
        }
        return bench
    }

    /// Calls every operation that reads rows of many; none may crash, and no damaged row may hide a good one.
    private func readEverything(_ bench: StoreBench) throws {
        let store = bench.store
        var ids: Set<ID<Document>> = []
        for sort in ListQuery.Sort.allCases {
            for search in ["", "d", "docu"] {
                var query = ListQuery()
                query.sort = sort
                query.search = search
                query.limit = 3
                for _ in 0..<20 {
                    let page = try store.list(query, of: bench.owner)
                    ids.formUnion(page.documents.map(\.id))
                    query.cursor = page.next
                    if page.next == nil { break }
                }
                #expect(query.cursor == nil, "the list does not end")
            }
        }
        _ = try store.statistics(of: bench.owner)
        _ = try store.schools(of: bench.owner)
        _ = try store.templates(of: bench.owner)
        _ = try store.events(after: 0, of: bench.owner, limit: 99)
        _ = try store.latestEvent(of: bench.owner)
        _ = try store.dueRemovals(limit: 99)
        _ = try store.openUploads(of: nil, behind: nil, limit: 99).elements
        _ = try store.allVersions(of: bench.owner, behind: nil, limit: 99)
        _ = try store.pendingObjects(behind: nil, limit: 99)
        _ = try store.objects(of: nil, behind: nil, limit: 99)
        _ = try store.objects(below: "\(bench.owner)/", behind: nil, limit: 99)
        _ = try store.usedByteCount(of: bench.owner)
        for ended in try store.endedPictures(behind: nil, limit: 99).elements {
            try store.settle(ended, .ready(nil, placeholder: nil))
        }
        for id in ids { _ = try store.versions(of: id, owner: bench.owner) }
    }

    @Test("A damaged document is left out and reported, and the others stay", arguments: columns)
    func documents(table: String, column: String) throws {
        let bench = try makeBench()
        try spoil(bench, table, column)
        try readEverything(bench)
        let documents = try bench.store.allVersions(of: nil, behind: nil, limit: 99).elements
        #expect(documents.count >= 4, "good documents are hidden")
        #expect(try bench.page { $0.limit = 200 }.documents.count >= 4)
        // Unreadable rows were reported, as often as rows are missing.
        let damaged = try OtherProgram.sqlite(bench.path, "SELECT count(*) FROM documents WHERE shown;")
        let found = try bench.page { $0.limit = 200 }.documents.count
        if ["type", "digest", "version", "state", "created_at", "updated_at", "byte_count", "title"].contains(column) {
            #expect(found < 16 && !bench.unreadable.rows.isEmpty)
            #expect(damaged == ["16"])
        }
        for document in documents.suffix(2) where document.owner == bench.owner {
            _ = try bench.store.change(document.id, of: bench.owner, to: DocumentChange(title: "still changed"))
            try bench.store.removeLine(of: document.id, owner: bench.owner)
        }
        _ = try bench.add("still added")
    }

    @Test("Damage of any other table crashes nothing and hides no document", arguments: others)
    func otherTables(table: String, column: String) throws {
        let bench = try makeBench()
        try spoil(bench, table, column)
        try readEverything(bench)
        #expect(try bench.store.allVersions(of: bench.owner, behind: nil, limit: 99).elements.count == 16)
    }
}
