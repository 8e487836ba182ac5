public import Documents
internal import GRDB
public import Media

/// Resumable uploads.
extension SQLiteDocumentStore {
    /// Inserts the row.
    public func addUpload(
        of owner: ID<Person>, by uploader: ID<Person>, metadata: JSON, length: Int64?, lifetime: Duration
    ) throws(DocumentError) -> Upload {
        try write { table in
            let upload = Upload(
                id: .make(at: table.now), owner: owner, uploader: uploader, metadata: metadata, length: length,
                created: table.now, expires: table.now + lifetime, end: nil)
            try table.database.cachedStatement(
                sql: """
                    INSERT INTO uploads (id, user_id, uploaded_by, metadata, length, created_at, expires_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                upload.id.text, owner.text, uploader.text, metadata.text, length, upload.created.microseconds,
                upload.expires.microseconds,
            ])
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
            try Bool.fetchOne(
                table.database.cachedStatement(sql: "SELECT 1 FROM uploads WHERE id = ?"), arguments: [id.text])
                ?? false
        }
    }

    /// Writes the size.
    @discardableResult
    public func declareLength(
        _ length: Int64, of id: ID<Upload>, owner: ID<Person>
    ) throws(DocumentError) -> Upload {
        try write { table in
            var upload = try table.upload(id, of: owner)
            if upload.length == length { return upload }
            guard upload.length == nil, upload.end == nil else {
                throw DocumentError.conflict(message: "The upload's length is known already.")
            }
            upload.length = length
            try table.database.cachedStatement(sql: "UPDATE uploads SET length = ? WHERE id = ?")
                .execute(arguments: [length, id.text])
            return upload
        }
    }

    /// Writes the end, unless there is one.
    @discardableResult
    public func endUpload(
        _ id: ID<Upload>, of owner: ID<Person>, _ end: Upload.End
    ) throws(DocumentError) -> Upload {
        try write { table in
            var upload = try table.upload(id, of: owner)
            if upload.end != nil { return upload }
            try table.end(id, end)
            upload.end = end
            return upload
        }
    }

    /// Reads by the index of expiry: the uploads of a day.
    public func openUploads(of owner: ID<Person>?, limit: Int) throws(DocumentError) -> [Upload] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: """
                        SELECT \(DocumentTable.uploadColumns) FROM uploads
                        WHERE expires_at > ? AND is_finished IS NULL AND (? IS NULL OR user_id = ?)
                        ORDER BY expires_at, id LIMIT ?
                        """), arguments: [table.now.microseconds, owner?.text, owner?.text, limit]
            ).compactMap(table.upload)
        }
    }

    /// Reads by the index of expiry.
    public func expiredUploads(limit: Int) throws(DocumentError) -> [Upload] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: """
                        SELECT \(DocumentTable.uploadColumns) FROM uploads WHERE expires_at <= ?
                        ORDER BY expires_at, id LIMIT ?
                        """), arguments: [table.now.microseconds, limit]
            ).compactMap(table.upload)
        }
    }

    /// Deletes the row.
    public func removeUpload(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) {
        try write { table in
            try table.database.cachedStatement(sql: "DELETE FROM uploads WHERE id = ? AND user_id = ?")
                .execute(arguments: [id.text, owner.text])
            if table.database.changesCount == 0 { throw DocumentError.notFound(.upload) }
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
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(Self.uploadColumns) FROM uploads WHERE id = ? AND user_id = ?"),
            arguments: [id.text, owner.text])
        guard let upload = row.flatMap(upload) else { throw DocumentError.notFound(.upload) }
        return upload
    }

    /// Writes how an upload has ended.
    func end(_ id: ID<Upload>, _ end: Upload.End) throws {
        let (document, failure): (String?, String?) =
            switch end {
            case .finished(let document): (document?.text, nil)
            case .failed(let message): (nil, message)
            }
        try database.cachedStatement(
            sql: "UPDATE uploads SET is_finished = ?, document = ?, failure = ? WHERE id = ?"
        ).execute(arguments: [failure == nil, document, failure, id.text])
    }

    fileprivate func upload(_ row: Row) -> Upload? {
        guard let id = DocumentRow.text(row[0]).flatMap({ ID<Upload>($0) }),
            let owner = DocumentRow.text(row[1]).flatMap({ ID<Person>($0) }),
            let uploader = DocumentRow.text(row[2]).flatMap({ ID<Person>($0) }),
            let metadata = DocumentRow.text(row[3]).flatMap({ try? JSON(parsing: Array($0.utf8)) }),
            let created = DocumentRow.integer(row[5]), let expires = DocumentRow.integer(row[6])
        else {
            unreadable("upload \(DocumentRow.words(row[0]))")
            return nil
        }
        let end: Upload.End? =
            switch DocumentRow.integer(row[7]) {
            case nil: nil
            case 0: .failed(message: DocumentRow.text(row[9]) ?? "")
            default: .finished(DocumentRow.text(row[8]).flatMap { ID<Document>($0) })
            }
        return Upload(
            id: id, owner: owner, uploader: uploader, metadata: metadata, length: DocumentRow.integer(row[4]),
            created: Instant(microseconds: created), expires: Instant(microseconds: expires), end: end)
    }
}
