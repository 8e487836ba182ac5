public import Documents
public import Media
internal import SQL

/// Resumable uploads.
extension SQLDocumentStore {
    /// Inserts the row.
    public func addUpload(
        of owner: ID<Person>, by uploader: ID<Person>, metadata: JSON, length: Int64?, lifetime: Duration,
        allowed: Int64?
    ) throws(DocumentError) -> Upload {
        try write(of: owner) { table in
            try Self.requireNotRemoved(owner, in: table)
            try Self.requireFewUploads(of: owner, in: table)
            try table.requireRoom(for: length ?? 0, of: owner, allowed: allowed, replacingUpload: nil)
            let upload = Upload(
                id: .make(at: table.now), owner: owner, uploader: uploader, metadata: metadata, length: length,
                created: table.now, expires: table.now + lifetime, end: nil)
            try table.session.execute(
                """
                INSERT INTO uploads (id, user_id, uploaded_by, metadata, length, created_at, expires_at, reserved)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    upload.id.text, owner.text, uploader.text, metadata.text, length, upload.created.microseconds,
                    upload.expires.microseconds, length ?? 0,
                ])
            return upload
        }
    }

    private static func requireFewUploads(of owner: ID<Person>, in table: DocumentTable) throws {
        try table.requireFewer(
            than: PersonBounds.openUploads, "uploads in progress",
            in: "SELECT 1 FROM uploads WHERE user_id = ? AND is_finished IS NULL AND expires_at > ?",
            [owner.text, table.now.microseconds])
        try table.requireFewer(
            than: PersonBounds.uploads, "uploads a day", in: "SELECT 1 FROM uploads WHERE user_id = ?", [owner.text])
    }

    /// Writes the room, which only grows.
    public func reserve(
        _ byteCount: Int64, forUpload id: ID<Upload>, of owner: ID<Person>, allowed: Int64?
    ) throws(DocumentError) {
        try write(of: owner) { table in
            try table.requireRoom(for: byteCount, of: owner, allowed: allowed, replacingUpload: id)
            try table.session.execute(
                "UPDATE uploads SET reserved = ?1 WHERE id = ?2 AND user_id = ?3 AND reserved < ?1",
                [byteCount, id.text, owner.text])
        }
    }

    /// Reads the row by its key.
    public func upload(_ id: ID<Upload>) throws(DocumentError) -> Upload {
        try read { table in
            let sql = "SELECT \(DocumentTable.uploadColumns) FROM uploads WHERE id = ?"
            guard let upload = try table.session.first(sql, [id.text], table.upload) else {
                throw DocumentError.notFound(.upload)
            }
            return upload
        }
    }

    /// Reads the row by its key.
    public func upload(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) -> Upload {
        try read { table in try table.upload(id, of: owner) }
    }

    /// Seeks the key.
    public func hasUpload(_ id: ID<Upload>) throws(DocumentError) -> Bool {
        try read { table in
            try table.session.hasRow("SELECT 1 FROM uploads WHERE id = ?", [id.text])
        }
    }

    /// Writes the size.
    @discardableResult
    public func declareLength(
        _ length: Int64, of id: ID<Upload>, owner: ID<Person>, allowed: Int64?
    ) throws(DocumentError) -> Upload {
        try write(of: owner) { table in
            var upload = try table.upload(id, of: owner)
            if upload.length == length { return upload }
            guard upload.length == nil, upload.end == nil else {
                throw DocumentError.conflict(message: "The upload's length is known already.")
            }
            try table.requireRoom(for: length, of: owner, allowed: allowed, replacingUpload: id)
            upload.length = length
            try table.session.execute(
                "UPDATE uploads SET length = ?1, reserved = ?1 WHERE id = ?2", [length, id.text])
            return upload
        }
    }

    /// Writes the end, unless there is one.
    @discardableResult
    public func endUpload(
        _ id: ID<Upload>, of owner: ID<Person>, _ end: Upload.End
    ) throws(DocumentError) -> Upload {
        try write(of: owner) { table in
            var upload = try table.upload(id, of: owner)
            if upload.end != nil { return upload }
            try table.end(id, end)
            upload.end = end
            return upload
        }
    }

    /// Reads by the index of owners, or by the key.
    public func openUploads(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Upload, StorePlace> {
        let ofOwner = owner == nil ? "" : "user_id = ? AND "
        return try read { table in
            let values: [(any SQLConvertible)?] = owner.map { [$0.text as (any SQLConvertible)?] } ?? []
            return try table.page(
                """
                SELECT \(DocumentTable.uploadColumns) FROM uploads
                WHERE \(ofOwner)is_finished IS NULL AND id > ? AND expires_at > ? ORDER BY id LIMIT ?
                """, values + [place?.key ?? "", table.now.microseconds], behind: place, limit: limit, key: 0,
                table.upload)
        }
    }

    /// Reads by the key: those whose time is over are the first ones.
    public func expiredUploads(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Upload, StorePlace> {
        try read { table in
            try table.page(
                """
                SELECT \(DocumentTable.uploadColumns) FROM uploads WHERE expires_at <= ? AND id > ?
                ORDER BY id LIMIT ?
                """, [table.now.microseconds, place?.key ?? ""], behind: place, limit: limit, key: 0, table.upload)
        }
    }

    /// Deletes the row.
    public func removeUpload(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) {
        try write(of: owner) { table in
            let count = try table.session.execute(
                "DELETE FROM uploads WHERE id = ? AND user_id = ?", [id.text, owner.text])
            if count == 0 { throw DocumentError.notFound(.upload) }
        }
    }
}

extension DocumentTable {
    fileprivate static let uploadColumns = """
        id, user_id, uploaded_by, metadata, length, created_at, expires_at, is_finished, document, failure
        """

    /// The upload with an identity.
    ///
    /// - Throws: `notFound` where it is not this person's, or cannot be read.
    func upload(_ id: ID<Upload>, of owner: ID<Person>) throws -> Upload {
        let sql = "SELECT \(Self.uploadColumns) FROM uploads WHERE id = ? AND user_id = ?"
        guard let upload = try session.first(sql, [id.text, owner.text], upload) else {
            throw DocumentError.notFound(.upload)
        }
        return upload
    }

    /// Writes how an upload has ended.
    /// Whether an upload is there and has not ended.
    func isOpen(_ id: ID<Upload>) throws -> Bool {
        try session.integer("SELECT 1 FROM uploads WHERE id = ? AND is_finished IS NULL", [id.text]) != nil
    }

    func end(_ id: ID<Upload>, _ end: Upload.End) throws {
        let (document, failure): (String?, String?) =
            switch end {
            case .finished(let document): (document?.text, nil)
            case .failed(let message): (nil, message)
            }
        try session.execute(
            "UPDATE uploads SET is_finished = ?, document = ?, failure = ? WHERE id = ?",
            [failure == nil, document, failure, id.text])
    }

    fileprivate func upload(_ row: any SQLRow) -> Upload? {
        guard let id: ID<Upload> = row.id(0), let owner: ID<Person> = row.id(1),
            let uploader: ID<Person> = row.id(2), let metadata = row.json(3), let created = row.instant(5),
            let expires = row.instant(6)
        else {
            unreadable("upload \(row.words)")
            return nil
        }
        let end: Upload.End? =
            switch row.integer(7) {
            case nil: nil
            case 0: .failed(message: row.text(9) ?? "")
            default: .finished(row.id(8))
            }
        return Upload(
            id: id, owner: owner, uploader: uploader, metadata: metadata, length: row.integer(4), created: created,
            expires: expires, end: end)
    }
}
