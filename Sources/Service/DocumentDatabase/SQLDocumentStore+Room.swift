public import Documents
public import Media
internal import SQL

/// What the files of persons take of what they may store.
extension SQLDocumentStore {
    /// Adds up sums and rows of the person alone.
    public func usedByteCount(of owner: ID<Person>) throws(DocumentError) -> Int64 {
        try read { table in try table.usedByteCount(of: owner) }
    }

    /// Writes the file's row in place of another one at its path.
    public func addLooseFile(
        at path: String, of owner: ID<Person>, byteCount: Int64, allowed: Int64?, upload: ID<Upload>?
    ) throws(DocumentError) -> LooseFileReceipt {
        try write(of: owner) { table in
            try Self.requireNotRemoved(owner, in: table)
            let receipt = LooseFileReceipt(
                path: path, text: ID<LooseFileReceipt>.make(at: table.now).text, former: try table.looseFile(at: path))
            try table.session.execute("DELETE FROM loose_files WHERE path = ?", [path])
            try table.requireFewer(
                than: PersonBounds.looseFiles, "files without a document",
                in: "SELECT 1 FROM loose_files WHERE user_id = ?", [owner.text])
            try table.requireRoom(for: byteCount, of: owner, allowed: allowed, replacingUpload: upload)
            try table.insertLooseFile(at: path, of: owner, byteCount: byteCount, receipt: receipt.text)
            return receipt
        }
    }

    /// Puts the row back that was there before.
    public func takeBack(_ receipt: LooseFileReceipt) throws(DocumentError) {
        try write(of: nil) { table in
            let count = try table.session.execute(
                "DELETE FROM loose_files WHERE path = ? AND receipt = ?", [receipt.path, receipt.text])
            guard count > 0, let former = receipt.former else { return }
            try table.insertLooseFile(
                at: receipt.path, of: former.owner, byteCount: former.byteCount, receipt: receipt.text)
        }
    }

    /// Writes the path and the owner.
    public func moveLooseFile(
        from path: String, to newPath: String, of owner: ID<Person>
    ) throws(DocumentError) {
        try write(of: owner) { table in
            try table.session.execute("DELETE FROM loose_files WHERE path = ?", [newPath])
            try table.session.execute(
                "UPDATE loose_files SET path = ?, user_id = ? WHERE path = ?", [newPath, owner.text, path])
        }
    }

    /// Deletes the rows by their keys, if there are any.
    public func forgetFile(at path: String) throws(DocumentError) {
        let isKnown = try read { table in
            try table.session.hasRow(
                "SELECT 1 FROM loose_files WHERE path = ?1 UNION ALL SELECT 1 FROM file_notes WHERE path = ?1", [path])
        }
        if !isKnown { return }
        try write(of: nil) { table in
            try table.session.execute("DELETE FROM loose_files WHERE path = ?", [path])
            try table.forgetNotes(ofFile: path)
        }
    }

    /// Reads by the key.
    public func looseFiles(
        before moment: Instant, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<String, StorePlace> {
        try read { table in
            try table.page(
                "SELECT path FROM loose_files WHERE path > ? AND added_at < ? ORDER BY path LIMIT ?",
                [place?.key ?? "", moment.microseconds], behind: place, limit: limit, key: 0
            ) { $0.text(0) }
        }
    }
}

extension DocumentTable {
    /// The sum that triggers keep of the versions, and those of files without a version and of uploads in progress.
    ///
    /// - Parameter upload: an upload that does not count.
    fileprivate func usedByteCount(of owner: ID<Person>, besides upload: ID<Upload>? = nil) throws -> Int64 {
        let versions = try session.integer("SELECT byte_count FROM document_owners WHERE user_id = ?", [owner.text])
        let files = try session.integer(
            "SELECT CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM loose_files WHERE user_id = ?", [owner.text])
        let uploads = try session.integer(
            """
            SELECT CAST(coalesce(sum(reserved), 0) AS BIGINT) FROM uploads
            WHERE user_id = ? AND is_finished IS NULL AND expires_at > ? AND id <> ?
            """, [owner.text, now.microseconds, upload?.text ?? ""])
        return max(0, versions ?? 0) + max(0, files ?? 0) + max(0, uploads ?? 0)
    }

    /// Throws `overQuota` unless a person may store so many bytes more.
    ///
    /// - Parameters:
    ///   - allowed: the most bytes of the person; `nil` for no bound.
    ///   - upload: the upload whose room the bytes take over.
    func requireRoom(
        for byteCount: Int64, of owner: ID<Person>, allowed: Int64?, replacingUpload upload: ID<Upload>?
    ) throws {
        guard let allowed else { return }
        let used = try usedByteCount(of: owner, besides: upload)
        guard used + byteCount <= allowed else { throw DocumentError.overQuota(used: used, allowed: allowed) }
    }

    fileprivate func looseFile(at path: String) throws -> LooseFileReceipt.Former? {
        try session.first("SELECT user_id, byte_count FROM loose_files WHERE path = ?", [path]) { row in
            guard let owner: ID<Person> = row.id(0), let byteCount = row.integer(1) else { return nil }
            return LooseFileReceipt.Former(owner: owner, byteCount: byteCount)
        }
    }

    fileprivate func insertLooseFile(
        at path: String, of owner: ID<Person>, byteCount: Int64, receipt: String
    ) throws {
        try session.execute(
            """
            INSERT INTO loose_files (path, user_id, byte_count, receipt, added_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (path) DO NOTHING
            """, [path, owner.text, byteCount, receipt, now.microseconds])
    }
}
