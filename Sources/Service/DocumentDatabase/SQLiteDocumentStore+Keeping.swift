public import Documents
internal import GRDB
internal import Glibc
internal import JobQueue
internal import Linux

/// Backups, checks, and the removal of what deletions leave behind.
extension SQLiteDocumentStore {
    /// Copies the file, with documents and jobs, as it is at one moment; changes go on meanwhile.
    ///
    /// The copy is compact, and on the disk on return. It appears under its name only once it is whole.
    /// - Throws: `conflict` where there is a file at the path.
    public func backup(to copy: String) throws(DocumentError) {
        let part = copy + "-part"
        do {
            if (try? FileStatus.of(path: copy)) != nil {
                throw DocumentError.conflict(message: "There is a file at the backup's path already.")
            }
            unlink(part)
            defer { unlink(part) }
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: path, configuration: configuration)
            try source.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [part]) }
            try Self.sync(part)
            try checking("rename") { rename(part, copy) }
            try Self.sync(Self.folder(of: copy))
        } catch {
            throw DocumentError(error)
        }
    }

    /// Closes the file, whose log is then part of it. The store must not be used any more.
    public func close() throws(DocumentError) {
        do {
            try database.close()
        } catch {
            throw DocumentError(error)
        }
    }

    private static func sync(_ path: String) throws(SystemError) {
        let file = try Descriptor.open(path, O_RDONLY)
        try checking("fsync") { fsync(file.number) }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Removes from this store, which a backup was restored into, what has been deleted since from the store at `current`.
    ///
    /// Documents, schools, shares, links and templates that `current` does not have are removed as a person removes them: the
    /// documents' files become removals.
    /// - Returns: how many versions were removed.
    @discardableResult
    public func removeWhatWasDeleted(in current: String) throws(DocumentError) -> Int {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let current = try DatabaseQueue(path: current, configuration: configuration)
            func kept(_ sql: String) throws -> Set<String> {
                try current.read { try Set(String.fetchAll($0, sql: "SELECT \(sql)")) }
            }
            let documents = try kept("id FROM documents")
            let schools = try kept("id FROM schools")
            let templates = try kept("id FROM communication_templates")
            let shares = try kept("line || school_id FROM document_shares")
            let hasLinks = try current.read { try $0.tableExists("share_links") }
            let links = hasLinks ? try kept("id FROM share_links") : []
            return try write { table in
                try table.removeRows(of: "communication_templates", except: templates)
                try table.removeRows(of: "share_links", except: links)
                try table.removeShares(except: shares)
                try table.removeSchools(except: schools)
                return try removeDocuments(except: documents, in: table)
            }
        } catch {
            throw DocumentError(error)
        }
    }

    private func removeDocuments(except kept: Set<String>, in table: DocumentTable) throws -> Int {
        let gone = try String.fetchAll(table.database, sql: "SELECT id FROM documents").filter { !kept.contains($0) }
        for id in gone {
            if let document = try table.documents("WHERE id = ?", [id]).first { try remove(document, in: table) }
        }
        return gone.count
    }

    /// Looks for damage: of the file, of its indexes, and of what triggers keep.
    ///
    /// - Returns: a sentence about each fault, at most a hundred; empty for a sound file.
    public func faults() throws(DocumentError) -> [String] {
        try read { table in
            let database = table.database
            var faults = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
            for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check") {
                faults.append(
                    "a row of \(DocumentRow.words(row[0])) names a row of \(DocumentRow.words(row[2])) that is gone")
            }
            for (fault, sql) in Self.faultQueries {
                let found = try DatabaseValue.fetchAll(database, sql: sql + " LIMIT 10").map(DocumentRow.words)
                faults += found.map { "\(fault) \($0)" }
            }
            return Array(faults.prefix(100))
        }
    }

    private static let faultQueries = [
        ("there is no shown version of line", "SELECT line FROM documents GROUP BY line HAVING total(shown) <> 1"),
        (
            "the versions differ in owner, type or title in line",
            """
            SELECT line FROM documents GROUP BY line HAVING count(DISTINCT user_id) > 1 OR count(DISTINCT type) > 1
                OR count(DISTINCT title) > 1
            """
        ),
        (
            "the counts are wrong of the documents of",
            """
            SELECT DISTINCT user_id FROM (
                SELECT user_id, type, ifnull(school_id, '') AS school, share_count > 0 AS shared, count(*) AS documents
                    FROM documents WHERE shown GROUP BY 1, 2, 3, 4
                EXCEPT SELECT * FROM document_counts)
            UNION SELECT user_id FROM (
                SELECT * FROM document_counts EXCEPT
                SELECT user_id, type, ifnull(school_id, ''), share_count > 0, count(*)
                    FROM documents WHERE shown GROUP BY 1, 2, 3, 4)
            """
        ),
        (
            "the sum of bytes is wrong of the documents of",
            """
            SELECT user_id FROM document_owners WHERE byte_count <>
                (SELECT total(byte_count) FROM documents WHERE documents.user_id = document_owners.user_id)
            """
        ),
        (
            "the number of schools is wrong of line",
            """
            SELECT DISTINCT line FROM documents WHERE share_count <>
                (SELECT count(*) FROM document_shares WHERE document_shares.line = documents.line)
            """
        ),
        (
            "there are shares without documents of line",
            "SELECT DISTINCT line FROM document_shares WHERE line NOT IN (SELECT line FROM documents)"
        ),
    ]

    /// Deletes the rows of every table that names the person, and the notes of files below their folder. Only the identity is kept, for two
    /// days: no upload takes longer.
    public func forget(_ owner: ID<Person>) throws(DocumentError) {
        try write { table in
            try table.database.execute(
                sql: "DELETE FROM removed_persons WHERE removed_at < ?",
                arguments: [(table.now - .seconds(2 * 86_400)).microseconds])
            try table.database.execute(
                sql: "INSERT OR REPLACE INTO removed_persons VALUES (?, ?)",
                arguments: [owner.text, table.now.microseconds])
            for name in [
                "documents", "communication_templates", "schools", "uploads", "document_events", "document_counts",
                "document_owners", "share_links",
            ] {
                try table.database.execute(sql: "DELETE FROM \(name) WHERE user_id = ?", arguments: [owner.text])
            }
            // Behind a person's last path: `0` follows `/`.
            try table.database.execute(
                sql: "DELETE FROM file_notes WHERE path > ? AND path < ?", arguments: ["\(owner)/", "\(owner)0"])
        }
    }

    /// Overwrites what deletions have left in the write-ahead log and the search index. To be called now and then: a change
    /// in between waits for a few milliseconds.
    ///
    /// SQLite overwrites the rows themselves at once (`secure_delete`), but older copies of pages stay in the log until it is
    /// emptied, and deleted texts stay as single trigrams in the search index until its segments are merged.
    public func tidy() throws(DocumentError) {
        do {
            try mergeSearchIndex()
            try database.writeWithoutTransaction { database in
                _ = try database.checkpoint(.truncate)
            }
        } catch {
            throw DocumentError(error)
        }
    }

    /// Merges the segments of the search index into one, a few pages a transaction
    /// (sqlite.org/fts5.html#the_merge_command).
    private func mergeSearchIndex() throws {
        var pages = -Self.mergedPages
        while true {
            let hasMore = try database.writeWithoutTransaction { database in
                let before = database.totalChangesCount
                try database.inTransaction(.immediate) {
                    try database.execute(
                        sql: "INSERT INTO document_search (document_search, rank) VALUES ('merge', ?)",
                        arguments: [pages])
                    return .commit
                }
                return database.totalChangesCount - before >= 2
            }
            if !hasMore { return }
            pages = Self.mergedPages
        }
    }

    private static let mergedPages = 200
}

extension DocumentTable {
    fileprivate func removeRows(of table: String, except kept: Set<String>) throws {
        for id in try String.fetchAll(database, sql: "SELECT id FROM \(table)") where !kept.contains(id) {
            try database.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id])
        }
    }

    fileprivate func removeShares(except kept: Set<String>) throws {
        for row in try Row.fetchAll(database, sql: "SELECT line, school_id FROM document_shares") {
            guard let line = DocumentRow.text(row[0]), let school = DocumentRow.text(row[1]),
                !kept.contains(line + school)
            else { continue }
            try database.execute(
                sql: "DELETE FROM document_shares WHERE line = ? AND school_id = ?", arguments: [line, school])
            try countShares(of: [line.databaseValue])
        }
    }

    fileprivate func removeSchools(except kept: Set<String>) throws {
        for id in try String.fetchAll(database, sql: "SELECT id FROM schools") where !kept.contains(id) {
            try removeSchool(id)
        }
    }
}
