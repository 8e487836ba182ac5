public import Documents
public import Media
internal import SQL

/// The files that rows name, and what is known of files beside their rows.
extension SQLDocumentStore {
    /// Seeks by the unique index of paths.
    public func files(behind place: StorePlace?, limit: Int) throws(DocumentError) -> StorePage<Document, StorePlace> {
        try read { table in
            try table.documentPage(
                "WHERE object_path > ? ORDER BY object_path LIMIT ?", [place?.key ?? ""], behind: place, limit: limit,
                key: DocumentRow.pathColumn)
        }
    }

    /// Seeks by the key of removals.
    public func removal(of path: String) throws(DocumentError) -> Removal? {
        try read { table in
            try table.session.first(
                "SELECT \(DocumentTable.removalColumns) FROM removals WHERE path = ?", [path], table.removal)
        }
    }

    /// Seeks by the key of notes; notes that cannot be read are reported, and count as none.
    public func notes(ofFile path: String) throws(DocumentError) -> FileNotes {
        try read { table in
            let sql = "SELECT cache_control, metadata FROM file_notes WHERE path = ?"
            return try table.session.first(sql, [path]) { row in
                let metadata = row.json(1)
                if metadata == nil, !row.isNull(1) { table.unreadable("notes of the file \(path)") }
                return FileNotes(cacheControl: row.text(0), metadata: metadata)
            } ?? FileNotes()
        }
    }

    /// Replaces the row, or deletes it for notes that say nothing.
    public func keep(_ notes: FileNotes, ofFile path: String) throws(DocumentError) {
        // Most files have none, and then nothing is written.
        if notes.isEmpty, try self.notes(ofFile: path).isEmpty { return }
        try write(of: nil) { table in
            if notes.isEmpty { return try table.forgetNotes(ofFile: path) }
            try table.session.execute(
                """
                INSERT INTO file_notes VALUES (?, ?, ?)
                    ON CONFLICT (path) DO UPDATE SET cache_control = excluded.cache_control, metadata = excluded.metadata
                """, [path, notes.cacheControl, notes.metadata?.text])
        }
    }
}

extension DocumentTable {
    static let removalColumns = "path, digest, failures, due"

    /// The removal of a row; one that cannot be read is reported.
    func removal(_ row: any SQLRow) -> Removal? {
        guard let path = row.text(0), let digest = row.digest(1) else {
            unreadable("removal \(row.words)")
            return nil
        }
        return Removal(
            path: path, digest: digest, failureCount: Int(row.integer(2) ?? 0),
            due: row.instant(3) ?? Instant(microseconds: 0))
    }

    func forgetNotes(ofFile path: String) throws {
        try session.execute("DELETE FROM file_notes WHERE path = ?", [path])
    }
}
