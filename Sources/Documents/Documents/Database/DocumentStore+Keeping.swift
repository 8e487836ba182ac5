public import Database
internal import Glibc
internal import JobQueue
internal import Linux
public import Media

/// Backups, checks, and the removal of what deletions leave behind.
extension DocumentStore {
    /// Copies the file, with documents and jobs, as it is at one moment; changes continue meanwhile.
    ///
    /// The copy is compact, and on disk on return. It appears under its name only when it is complete.
    /// - Throws: `conflict` if a file exists at the path.
    public func backup(to copy: String) throws(DocumentError) {
        let part = copy + "-part"
        do {
            if (try? FileStatus.of(path: copy)) != nil {
                throw DocumentError.conflict(message: "A file already exists at the backup's path.")
            }
            // SQLite would take the journal of a killed copy for this one's.
            for ending in ["", "-journal"] { unlink(part + ending) }
            // SQLite takes an empty file for a new database.
            OwnerOnly.makeFile(part)
            defer { unlink(part) }
            try requireFile().copy(to: part)
            try Self.sync(part)
            try checking("rename") { rename(part, copy) }
            try Self.sync(Self.folder(of: copy))
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Closes the file and merges its log into it. The store must not be used afterwards.
    public func close() throws(DocumentError) {
        do {
            try requireFile().close()
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// The SQLite file of the store.
    private func requireFile() throws(DocumentError) -> SQLiteDatabase {
        if let file = database as? SQLiteDatabase { return file }
        throw .unavailable(detail: "the database is on a PostgreSQL server: back it up with pg_dump")
    }

    private static func sync(_ path: String) throws(SystemError) {
        let file = try Descriptor.open(path, O_RDONLY)
        try checking("fsync") { fsync(file.number) }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// A text that a database got when it was created; its backups have the same text.
    public static func identity(of database: any SQLDatabase) throws(DocumentError) -> String {
        do {
            return try database.read { session in try session.text("SELECT id FROM database_identity") ?? "" }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Whether a database has no documents, and none of the other rows that belong to them.
    public static func isEmpty(_ database: any SQLDatabase) throws(DocumentError) -> Bool {
        do {
            return try database.read { session in
                try ["documents", "objects", "schools", "communication_templates", "uploads"].allSatisfy { name in
                    try !session.hasRow("SELECT 1 FROM \(name) LIMIT 1", [])
                }
            }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Checks for damage: of the file, of its indexes, and of the values that triggers maintain.
    ///
    /// - Returns: a sentence about each fault, at most a hundred; empty for a sound file.
    public func faults() throws(DocumentError) -> [String] {
        try read { table in
            var faults = try database.structureFaults(in: table.session)
            for (fault, sql) in Self.faultQueries {
                faults += try table.session.all("SELECT * FROM (\(sql)) AS found LIMIT 10") { "\(fault) \($0.words)" }
            }
            return Array(faults.prefix(100))
        }
    }

    private static let faultQueries = [
        (
            "no version is shown in line",
            "SELECT line FROM documents GROUP BY line HAVING sum(CASE WHEN shown THEN 1 ELSE 0 END) <> 1"
        ),
        (
            "the versions differ in owner, type or title in line",
            """
            SELECT line FROM documents GROUP BY line HAVING count(DISTINCT user_id) > 1 OR count(DISTINCT type) > 1
                OR count(DISTINCT title) > 1
            """
        ),
        (
            "wrong document counts for person",
            """
            SELECT DISTINCT user_id FROM (
                SELECT user_id, type, coalesce(school_id, '') AS school, share_count > 0 AS shared, count(*) AS documents
                    FROM documents WHERE shown GROUP BY 1, 2, 3, 4
                EXCEPT SELECT * FROM document_counts)
            UNION SELECT user_id FROM (
                SELECT * FROM document_counts EXCEPT
                SELECT user_id, type, coalesce(school_id, ''), share_count > 0, count(*)
                    FROM documents WHERE shown GROUP BY 1, 2, 3, 4)
            """
        ),
        (
            "wrong total of file sizes for person",
            """
            SELECT user_id FROM document_owners WHERE byte_count <>
                (SELECT coalesce(sum(byte_count), 0) FROM objects WHERE objects.user_id = document_owners.user_id)
            """
        ),
        (
            "row and object have different files for version",
            """
            SELECT documents.id FROM documents JOIN objects ON objects.id = documents.object_id
                WHERE NOT objects.is_named OR objects.user_id <> documents.user_id OR objects.digest <> documents.digest
                    OR objects.byte_count <> documents.byte_count
            """
        ),
        (
            "wrong number of schools for line",
            """
            SELECT DISTINCT line FROM documents WHERE share_count <>
                (SELECT count(*) FROM document_shares WHERE document_shares.line = documents.line)
            """
        ),
        (
            "shares without a document in line",
            "SELECT DISTINCT line FROM document_shares WHERE line NOT IN (SELECT line FROM documents)"
        ),
    ]

    /// A person's rows that no list shows because they are unreadable: schools, templates and links.
    public func unreadableRows(of owner: ID<Person>) throws(DocumentError) -> [UnreadableRow] {
        try read { table in
            let lists: [(kind: String, sql: String, isReadable: (any SQLRow) -> Bool)] = [
                ("school", "SELECT \(Self.schoolColumns) FROM schools", { Self.school($0) != nil }),
                ("template", "SELECT \(Self.columns) FROM communication_templates", { Self.template($0) != nil }),
                ("link", "SELECT \(DocumentTable.linkColumns) FROM share_links", { ShareLink($0) != nil }),
            ]
            return try lists.flatMap { list in
                try table.session.all("\(list.sql) WHERE user_id = ?", [owner.text]) { row in
                    list.isReadable(row) ? nil : UnreadableRow(kind: list.kind, name: row.words)
                }
            }
        }
    }

    /// Deletes what is left of a person whose documents are removed: schools, templates, uploads, events, counts, and
    /// unreadable rows.
    ///
    /// Deletes the rows of every table that names the person; the bytes of their files become removals. Only the ID is
    /// kept for a time that no upload outlasts.
    public func forget(_ owner: ID<Person>) throws(DocumentError) {
        try write(of: owner, addsJobs: true) { table in
            try table.session.execute(
                "INSERT INTO removed_persons VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET removed_at = excluded.removed_at",
                [owner.text, table.now.microseconds])
            try removeObjects(where: "user_id = ?", [owner.text], in: table)
            // Also jobs for other people's files that the person asked for.
            try QueueTables.forget(party: owner.text, in: table.session)
            try table.removeUploads(where: "user_id = ?", [owner.text])
            try table.removeIntakes(where: "user_id = ?", [owner.text])
            for name in [
                "documents", "communication_templates", "schools", "document_events", "document_counts",
                "document_owners", "share_links",
            ] {
                try table.session.execute("DELETE FROM \(name) WHERE user_id = ?", [owner.text])
            }
        }
    }

    /// Overwrites what deletions leave behind, if the database does not do so automatically. Call it now and then: a
    /// concurrent change waits for a few milliseconds.
    public func tidy() throws(DocumentError) {
        do {
            if database.dialect == .sqlite { try mergeSearchIndex() }
            try database.tidy()
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Merges the segments of the search index into one, a few pages per transaction
    /// (sqlite.org/fts5.html#the_merge_command): until then, deleted texts stay there as single trigrams.
    private func mergeSearchIndex() throws {
        var pages = -Self.mergedPages
        while true {
            let changed = try database.write { session in
                func total() throws -> Int64 { try session.integer("SELECT total_changes()") ?? 0 }
                let before = try total()
                try session.execute(
                    "INSERT INTO document_search (document_search, rank) VALUES ('merge', ?)", [pages])
                return try total() - before
            }
            if changed < 2 { return }
            pages = Self.mergedPages
        }
    }

    private static let mergedPages = 200
}
