internal import Database
public import Media

/// Resumable uploads.
extension DocumentStore {
    /// Begins an upload that expires after `lifetime`, and reserves space for its declared length. The caller may retry
    /// after a lost response.
    ///
    /// - Parameter allowed: the most bytes that the person's files may take including this one; `nil` for no limit.
    /// - Throws: `overQuota`; `tooMany`.
    public func addUpload(
        _ id: ID<Upload>, of owner: ID<Person>, by uploader: ID<Person>, for purpose: Upload.Purpose, length: Int64?,
        lifetime: Duration, allowed: Int64?
    ) throws(DocumentError) -> Upload {
        try write(of: owner) { table in
            // A retry after a lost response.
            if let upload = try table.foundUpload(id) { return upload }
            try Self.requireNotRemoved(owner, in: table)
            try Self.requireFewUploads(of: owner, in: table)
            try table.requireRoom(for: length ?? 0, of: owner, allowed: allowed, besides: nil)
            let upload = Upload(
                id: id, object: .random(), owner: owner, uploader: uploader, purpose: purpose,
                length: length, created: table.now, expires: table.now + lifetime, state: .receiving)
            try table.session.execute(
                """
                INSERT INTO uploads
                    (id, object_id, user_id, uploaded_by, purpose, length, reserved, created_at, expires_at, state)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'receiving')
                """,
                [
                    upload.id.text, upload.object.rawValue, owner.text, uploader.text, purpose.json.text, length,
                    length ?? 0, upload.created.microseconds, upload.expires.microseconds,
                ])
            return upload
        }
    }

    private static func requireFewUploads(of owner: ID<Person>, in table: DocumentTable) throws {
        try table.requireFewer(
            than: PersonBounds.openUploads, "uploads in progress",
            in: "SELECT 1 FROM uploads WHERE user_id = ? AND \(UploadRow.isOpen())",
            [owner.text, table.now.microseconds])
        try table.requireFewer(
            than: PersonBounds.uploads, "uploads a day", in: "SELECT 1 FROM uploads WHERE user_id = ?", [owner.text])
    }

    /// An upload by its ID, expired or not.
    ///
    /// - Parameter owner: the required owner; `nil` for any.
    public func upload(_ id: ID<Upload>, of owner: ID<Person>?) throws(DocumentError) -> Upload {
        try read { table in try table.upload(id, of: owner) }
    }

    /// Declares the size of an upload that began without one, and reserves that space.
    ///
    /// - Throws: `conflict` if another size was declared, or the upload takes no more bytes; `overQuota`.
    @discardableResult
    public func declareLength(
        _ length: Int64, of id: ID<Upload>, owner: ID<Person>, allowed: Int64?
    ) throws(DocumentError) -> Upload {
        try write(of: owner) { table in
            var upload = try table.upload(id, of: owner)
            if upload.length == length { return upload }
            guard upload.length == nil, upload.state == .receiving else {
                throw DocumentError.conflict(message: "The upload's length is already known.")
            }
            try table.requireRoom(for: length, of: owner, allowed: allowed, besides: upload.object)
            upload.length = length
            try table.session.execute(
                "UPDATE uploads SET length = ?1, reserved = ?1 WHERE id = ?2", [length, id.text])
            return upload
        }
    }

    /// Ends the arrival of an upload whose bytes are all on disk: from `receiving` to `checking`. A later state stays.
    ///
    /// - Parameters:
    ///   - uploader: the person who requests the end, and must have the right to it; `nil` for the previous one.
    ///   - replacing: whether they allow a file of the bucket to be replaced. That holds until the upload has ended.
    /// - Returns: the upload as it is now.
    public func endArrival(
        of upload: Upload, by uploader: ID<Person>?, replacing: Bool
    ) throws(DocumentError) -> Upload {
        try write(of: upload.owner) { table in
            let now = try table.upload(upload.id, of: upload.owner)
            // Its bytes have been lost since.
            if now.state == .receiving, upload.state != .receiving { return now }
            let purpose = replacing ? now.purpose.allowingReplacement() : now.purpose
            let uploader = uploader ?? now.uploader
            if now.state != .receiving, purpose == now.purpose, uploader == now.uploader { return now }
            try table.session.execute(
                """
                UPDATE uploads SET purpose = ?, uploaded_by = ?,
                    state = CASE WHEN state = 'receiving' THEN 'checking' ELSE state END
                WHERE id = ? AND \(UploadRow.isUnfinished)
                """, [purpose.json.text, uploader.text, upload.id.text])
            return try table.upload(upload.id, of: upload.owner)
        }
    }

    /// Records what an upload's file is: from `checking` to `finishing`. Another state stays.
    ///
    /// - Returns: the upload as it is now.
    public func note(_ content: FileContent, of upload: Upload) throws(DocumentError) -> Upload {
        try write(of: upload.owner) { table in
            try table.session.execute(
                """
                UPDATE uploads SET state = 'finishing', digest = ?, media_type = ?, facts = ?
                WHERE id = ? AND state = 'checking'
                """, [content.digest.hex, content.mediaType.rawValue, content.facts?.text, upload.id.text])
            return try table.upload(upload.id, of: upload.owner)
        }
    }

    /// Records what a client was told about an upload whose bytes are all there, and which a later request may still
    /// finish.
    public func note(trouble: String, of upload: Upload) throws(DocumentError) {
        _ = try write(of: upload.owner) { table in
            try table.session.execute(
                "UPDATE uploads SET failure = ? WHERE id = ? AND \(UploadRow.isUnfinished)", [trouble, upload.id.text])
        }
    }

    /// Lets an upload whose bytes are lost receive them again, if it is still in the state that the caller knows.
    ///
    /// - Returns: the upload as it is now.
    public func restart(_ upload: Upload) throws(DocumentError) -> Upload {
        try write(of: upload.owner) { table in
            try table.session.execute(
                """
                UPDATE uploads SET state = 'receiving', digest = NULL, media_type = NULL, facts = NULL, failure = NULL
                WHERE id = ? AND state = ? AND \(UploadRow.isUnfinished)
                """, [upload.id.text, UploadRow.name(of: upload.state)])
            return try table.upload(upload.id, of: upload.owner)
        }
    }

    /// Refuses an upload that is still in the state that the caller knows, and removes its bytes. `add` ends an upload
    /// whose file is stored.
    ///
    /// - Returns: the upload as it is now.
    @discardableResult
    public func refuse(_ upload: Upload, message: String) throws(DocumentError) -> Upload {
        try write(of: upload.owner) { table in
            let count = try table.session.execute(
                "UPDATE uploads SET state = 'refused', failure = ? WHERE id = ? AND state = ? AND \(UploadRow.isUnfinished)",
                [message, upload.id.text, UploadRow.name(of: upload.state)])
            if count > 0 { try table.addRemoval(of: upload.object.rawValue, owner: upload.owner.text, digest: nil) }
            return try table.upload(upload.id, of: upload.owner)
        }
    }

    /// A page of the uploads that have not ended, oldest first.
    ///
    /// - Parameter owner: whose uploads, without expired ones that take no more bytes; `nil` for all owners.
    public func openUploads(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Upload, StorePlace> {
        let condition = owner == nil ? UploadRow.isUnfinished : "user_id = ? AND \(UploadRow.isOpen())"
        return try read { table in
            let values: [(any SQLConvertible)?] = owner.map { [$0.text, table.now.microseconds] } ?? []
            return try table.page(
                "SELECT \(UploadRow.columns) FROM uploads WHERE \(condition) AND id > ? ORDER BY id LIMIT ?",
                values + [place?.key ?? ""], behind: place, limit: limit, key: 0, table.upload)
        }
    }

    /// Removes an upload with its bytes. A client that still writes to it can no longer finish it.
    ///
    /// - Returns: `false` if its file is stored; such an upload stays.
    @discardableResult
    public func removeUpload(_ id: ID<Upload>, of owner: ID<Person>) throws(DocumentError) -> Bool {
        try write(of: owner) { table in
            let count = try table.removeUploads(
                where: "id = ? AND user_id = ? AND state <> 'stored'", [id.text, owner.text])
            if count == 0 { _ = try table.upload(id, of: owner) }
            return count > 0
        }
    }

    /// Removes expired uploads, with bytes that are no stored file: an hour after expiry, or a day if all bytes have
    /// arrived. Until then somebody may finish them.
    ///
    /// - Returns: how many there were.
    /// - Returns: how many there were.
    public func removeExpiredUploads() throws(DocumentError) -> Int {
        var total = 0
        while true {
            let count = try write(of: nil) { table in
                // An upload that somebody is changing stays, and is not waited for.
                let expired = """
                    WITH ended AS (
                        SELECT id FROM uploads
                        WHERE expires_at <= ? AND (state NOT IN ('checking', 'finishing') OR expires_at <= ?)
                        ORDER BY expires_at LIMIT 500 \(table.session.dialect.skippingLocked))
                    SELECT id FROM ended
                    """
                let (now, hour) = (table.now, Duration.seconds(3600))
                return try table.removeUploads(
                    where: "id IN (\(expired))", [(now - hour).microseconds, (now - hour * 24).microseconds])
            }
            if count == 0 { return total }
            total += count
        }
    }
}

extension DocumentTable {
    /// The upload with an ID.
    ///
    /// - Throws: `notFound` if it is not this person's, or is unreadable.
    func upload(_ id: ID<Upload>, of owner: ID<Person>?) throws -> Upload {
        guard let upload = try foundUpload(id), owner.map({ $0 == upload.owner }) ?? true else {
            throw DocumentError.notFound(.upload)
        }
        return upload
    }

    fileprivate func foundUpload(_ id: ID<Upload>) throws -> Upload? {
        try session.first("SELECT \(UploadRow.columns) FROM uploads WHERE id = ?", [id.text], upload)
    }

    /// Ends an upload whose file is stored.
    ///
    /// - Throws: `notFound` if it has already ended, or was removed.
    func end(_ id: ID<Upload>, with document: ID<Document>?) throws {
        let count = try session.execute(
            "UPDATE uploads SET state = 'stored', document = ?, failure = NULL WHERE id = ? AND \(UploadRow.isUnfinished)",
            [document?.text, id.text])
        if count == 0 { throw DocumentError.notFound(.upload) }
    }

    /// Deletes the rows of uploads, readable or not. Bytes that are no stored file become removals.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func removeUploads(where condition: String, _ values: [(any SQLConvertible)?]) throws -> Int {
        try removeArrivals(from: "uploads", where: condition, values, leavingBytes: UploadRow.isUnfinished)
    }

    /// Deletes rows of `uploads` or `intakes`.
    ///
    /// - Parameter leavingBytes: the condition for rows whose bytes become removals.
    /// - Returns: how many there were.
    func removeArrivals(
        from table: String, where condition: String, _ values: [(any SQLConvertible)?], leavingBytes: String
    ) throws -> Int {
        let removed = try session.all(
            "DELETE FROM \(table) WHERE \(condition) RETURNING object_id, user_id, CASE WHEN \(leavingBytes) THEN 1 ELSE 0 END",
            values
        ) { row in (object: row.text(0), owner: row.text(1), leavesBytes: row.integer(2) == 1) }
        for row in removed where row.leavesBytes { try addRemoval(of: row.object, owner: row.owner, digest: nil) }
        return removed.count
    }

    /// Queues bytes for removal, due at once.
    ///
    /// - Parameter object: `nil` for an unreadable one; a sweep finds its bytes.
    func addRemoval(of object: String?, owner: String?, digest: String?) throws {
        guard let object else { return }
        try session.execute(
            """
            INSERT INTO removals (object_id, user_id, digest, failures, due) VALUES (?, ?, ?, 0, ?)
                ON CONFLICT (object_id) DO NOTHING
            """, [object, owner, digest, now.microseconds])
    }

    fileprivate func upload(_ row: any SQLRow) -> Upload? {
        let upload = UploadRow.upload(row)
        if upload == nil { unreadable("upload \(row.words)") }
        return upload
    }
}
