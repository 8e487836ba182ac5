public import Documents
internal import GRDB
internal import JobQueue
public import Media

/// Ended picture jobs, and files that are to be removed.
extension SQLiteDocumentStore {
    /// Reads the rows that a trigger on the queue has written.
    public func endedPictures(limit: Int) throws(DocumentError) -> [EndedPictures] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: "SELECT job, path, is_done, failure FROM ended_pictures ORDER BY job LIMIT ?"),
                arguments: [limit]
            ).compactMap { row in
                let job = DocumentRow.integer(row[0]) ?? 0
                let failure = DocumentRow.text(row[3]).flatMap { try? JSON(parsing: Array($0.utf8)) }
                return EndedPictures(
                    job: job, path: DocumentRow.text(row[1]) ?? "", isDone: DocumentRow.integer(row[2]) == 1,
                    failure: failure?["message"]?.string, isSourceMissing: failure?["code"]?.string == "sourceMissing")
            }
        }
    }

    /// Writes the outcome to the versions with the job's content. A job whose file was removed under it settles its own version
    /// alone: others with the content get a job with their own file.
    public func settle(_ ended: EndedPictures, _ outcome: PictureOutcome) throws(DocumentError) {
        try write(addsJobs: true) { table in
            let row = try Row.fetchOne(
                table.database.cachedStatement(
                    sql: "DELETE FROM ended_pictures WHERE job = ? AND is_done = ? RETURNING digest"),
                arguments: [ended.job, ended.isDone])
            guard let row else { return }
            let documents = try table.documents(
                """
                WHERE state <> 'quarantined'
                    AND digest = ifnull(?, (SELECT digest FROM documents WHERE object_path = ?))
                """, [DocumentRow.text(row[0]), ended.path])
            for document in documents {
                if ended.isSourceMissing, document.file.path != ended.path {
                    try enqueuePictures(of: document, in: table)
                } else {
                    try Self.write(outcome, to: document, in: table)
                }
            }
            // The job of a file that was removed meanwhile would keep its name in the queue.
            if try !table.hasDocument(withFile: ended.path) {
                _ = try SQLiteQueue.forget(JobID(rawValue: ended.job), in: table.database)
            }
        }
    }

    private static func write(_ outcome: PictureOutcome, to document: Document, in table: DocumentTable) throws {
        switch outcome {
        case .ready(let facts, let placeholder):
            try table.database.cachedStatement(
                sql: """
                    UPDATE documents SET state = 'ready', failure = NULL, facts = ifnull(?, facts),
                        placeholder = ifnull(?, placeholder) WHERE id = ?
                    """
            ).execute(arguments: [facts?.json.text, placeholder, document.id.text])
            try table.note(.pictureReady, document)
        case .failed(let message):
            try table.database.cachedStatement(sql: "UPDATE documents SET state = 'failed', failure = ? WHERE id = ?")
                .execute(arguments: [message, document.id.text])
            try table.note(.pictureFailed, document)
        }
    }

    /// Reads by the index of due times.
    public func dueRemovals(limit: Int) throws(DocumentError) -> [Removal] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: "SELECT path, digest, failures FROM removals WHERE due <= ? ORDER BY due LIMIT ?"),
                arguments: [table.now.microseconds, limit]
            ).compactMap { table.removal($0) }
        }
    }

    /// Seeks in the index of digests.
    public func isUsed(_ digest: Digest) throws(DocumentError) -> Bool {
        try read { table in
            try Bool.fetchOne(
                table.database.cachedStatement(sql: "SELECT 1 FROM documents WHERE digest = ? LIMIT 1"),
                arguments: [digest.hex]) ?? false
        }
    }

    /// Deletes the row, and the file's notes.
    public func endRemoval(_ removal: Removal) throws(DocumentError) {
        try write { table in
            try table.forgetNotes(ofFile: removal.path)
            try table.database.cachedStatement(sql: "DELETE FROM removals WHERE path = ?")
                .execute(arguments: [removal.path])
        }
    }

    /// Reads by the index of versions in quarantine.
    public func quarantined(behind id: ID<Document>?, limit: Int) throws(DocumentError) -> [Document] {
        try read { table in
            try table.documents(
                "INDEXED BY document_quarantine WHERE state = 'quarantined' AND id > ? ORDER BY id LIMIT ?",
                [id?.text ?? "", limit])
        }
    }

    /// Writes the state with an event, and queues the pictures.
    @discardableResult
    public func release(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write(addsJobs: true) { table in
            var document = try table.document(id, of: owner)
            if document.state != .quarantined { return document }
            document.state = .stored
            try table.database.cachedStatement(sql: "UPDATE documents SET state = 'stored' WHERE id = ?")
                .execute(arguments: [id.text])
            try table.note(.changed, document)
            try enqueuePictures(of: document, in: table)
            return document
        }
    }

    /// Writes the reason with an event; the state stays.
    public func condemn(_ id: ID<Document>, of owner: ID<Person>, reason: String) throws(DocumentError) {
        try write { table in
            let document = try table.document(id, of: owner)
            try table.database.cachedStatement(sql: "UPDATE documents SET failure = ? WHERE id = ?")
                .execute(arguments: [reason, id.text])
            try table.note(.pictureFailed, document)
        }
    }

    /// Counts the failure; the pause doubles from a second up to an hour.
    public func delayRemoval(_ removal: Removal) throws(DocumentError) {
        let pause = Duration.seconds(min(3600, 1 << min(removal.failureCount, 12)))
        try write { table in
            try table.database.cachedStatement(sql: "UPDATE removals SET failures = ?, due = ? WHERE path = ?")
                .execute(arguments: [removal.failureCount + 1, (table.now + pause).microseconds, removal.path])
        }
    }
}

extension DocumentTable {
    fileprivate func hasDocument(withFile path: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM documents WHERE object_path = ?"), arguments: [path]) ?? false
    }
}
