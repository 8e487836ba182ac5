public import Documents
internal import GRDB
internal import Media

/// The files that rows name, and what is known of files beside their rows.
extension SQLiteDocumentStore {
    /// Seeks by the unique index of paths.
    public func files(behind path: String?, limit: Int) throws(DocumentError) -> [Document] {
        try read { table in
            try table.documents("WHERE object_path > ? ORDER BY object_path LIMIT ?", [path ?? "", limit])
        }
    }

    /// Seeks by the key of removals.
    public func removal(of path: String) throws(DocumentError) -> Removal? {
        try read { table in
            let row = try Row.fetchOne(
                table.database.cachedStatement(sql: "SELECT path, digest, failures FROM removals WHERE path = ?"),
                arguments: [path])
            return row.flatMap { table.removal($0) }
        }
    }

    /// Seeks by the key of notes; notes that cannot be read are reported, and count as none.
    public func notes(ofFile path: String) throws(DocumentError) -> FileNotes {
        try read { table in
            let row = try Row.fetchOne(
                table.database.cachedStatement(sql: "SELECT cache_control, metadata FROM file_notes WHERE path = ?"),
                arguments: [path])
            guard let row else { return FileNotes() }
            let text = DocumentRow.text(row[1])
            let metadata = text.flatMap { try? JSON(parsing: Array($0.utf8)) }
            if text != nil, metadata == nil { table.unreadable("notes of the file \(path)") }
            return FileNotes(cacheControl: DocumentRow.text(row[0]), metadata: metadata)
        }
    }

    /// Replaces the row, or deletes it for notes that say nothing.
    public func keep(_ notes: FileNotes, ofFile path: String) throws(DocumentError) {
        // Most files have none, and then nothing is written.
        if notes.isEmpty, try self.notes(ofFile: path).isEmpty { return }
        try write { table in
            if notes.isEmpty { return try table.forgetNotes(ofFile: path) }
            try table.database.cachedStatement(sql: "INSERT OR REPLACE INTO file_notes VALUES (?, ?, ?)")
                .execute(arguments: [path, notes.cacheControl, notes.metadata?.text])
        }
    }
}

extension DocumentTable {
    /// The removal of a row with path, digest and number of failures; one that cannot be read is reported.
    func removal(_ row: Row) -> Removal? {
        guard let path = DocumentRow.text(row[0]), let digest = DocumentRow.text(row[1]).flatMap({ Digest(hex: $0) })
        else {
            unreadable("removal \(DocumentRow.words(row[0]))")
            return nil
        }
        return Removal(path: path, digest: digest, failureCount: Int(DocumentRow.integer(row[2]) ?? 0))
    }

    func forgetNotes(ofFile path: String) throws {
        try database.cachedStatement(sql: "DELETE FROM file_notes WHERE path = ?").execute(arguments: [path])
    }
}
