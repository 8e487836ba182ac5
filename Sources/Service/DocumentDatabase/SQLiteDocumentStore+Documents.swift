public import Documents
internal import GRDB
internal import JobQueue
internal import Media

/// Storing, reading, changing and removing documents.
extension SQLiteDocumentStore {
    /// Inserts the row, its event and its job in one transaction.
    public func add(_ new: NewDocument) throws(DocumentError) -> Document {
        let queues = new.state == .stored
        return try write(addsJobs: queues) { table in
            let document = try Self.version(new, in: table)
            if new.predecessor != nil {
                try table.database.cachedStatement(
                    sql: "UPDATE documents SET is_current = 0, shown = 0 WHERE line = ? AND (is_current OR shown)"
                ).execute(arguments: [document.line.text])
            }
            try table.insert(document, isShown: true)
            try table.note(.stored, document)
            if queues { try enqueuePictures(of: document, in: table) }
            return document
        }
    }

    /// Queues the pictures of a version's file.
    func enqueuePictures(of document: Document, in table: DocumentTable) throws {
        let request = JobRequest(
            source: .object(document.file.path), digest: document.file.digest, recipes: recipes)
        for enqueued in try SQLiteQueue.enqueue([request], in: table.database) {
            try table.database.cachedStatement(sql: "INSERT OR IGNORE INTO picture_jobs VALUES (?)")
                .execute(arguments: [enqueued.id.rawValue])
        }
    }

    /// The version that a new document becomes. It shares the title of its line, and its school where it names none.
    private static func version(_ new: NewDocument, in table: DocumentTable) throws -> Document {
        try table.requireSchool(new.school, of: new.owner)
        let predecessor = try new.predecessor.map { try table.document($0, of: new.owner) }
        if let predecessor, predecessor.type != new.type {
            throw DocumentError.invalid(
                field: "type",
                message: "A new version must be of the same type as the document: \(predecessor.type.label).")
        }
        let highest = try predecessor.flatMap { predecessor in
            try Int.fetchOne(
                table.database.cachedStatement(sql: "SELECT max(version) FROM documents WHERE line = ?"),
                arguments: [predecessor.line.text])
        }
        return Document(
            id: .make(at: table.now), line: predecessor?.line ?? .make(at: table.now), owner: new.owner,
            type: new.type, title: predecessor?.title ?? new.title, description: new.description,
            version: (highest ?? 0) + 1, isCurrent: true, school: new.school ?? predecessor?.school, file: new.file,
            facts: new.facts, placeholder: nil, state: new.state, failure: nil, uploader: new.uploader,
            created: table.now, updated: table.now, shares: predecessor?.shares ?? [])
    }

    /// Reads the row by its key.
    public func document(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try read { table in try table.document(id, of: owner) }
    }

    /// Reads the row by the unique index of paths.
    public func document(withFile path: String) throws(DocumentError) -> Document? {
        try read { table in
            let row = try Row.fetchOne(
                table.database.cachedStatement(
                    sql: "SELECT \(DocumentRow.columns) FROM documents WHERE object_path = ?"), arguments: [path])
            return try row.flatMap { try table.documents([$0]).first }
        }
    }

    /// Reads the line's rows.
    public func versions(of id: ID<Document>, owner: ID<Person>) throws(DocumentError) -> [Document] {
        try read { table in try table.versions(of: try table.document(id, of: owner).line) }
    }

    /// Writes the texts with their search keys; a title to all versions of the line.
    public func change(
        _ id: ID<Document>, of owner: ID<Person>, to change: DocumentChange
    ) throws(DocumentError) -> Document {
        try write { table in
            var document = try table.document(id, of: owner)
            if let school = change.school {
                try table.requireSchool(school, of: owner)
                document.school = school
            }
            if let description = change.description { document.description = description }
            if let title = change.title, title != document.title {
                document.title = title
                for version in try table.versions(of: document.line) where version.id != id {
                    try Self.writeTexts(title, version.description, of: version.id, in: table)
                }
            }
            document.updated = table.now
            try Self.writeTexts(document.title, document.description, of: id, in: table)
            try table.database.cachedStatement(sql: "UPDATE documents SET school_id = ? WHERE id = ?")
                .execute(arguments: [document.school?.text, id.text])
            try table.note(.changed, document)
            return document
        }
    }

    private static func writeTexts(
        _ title: String, _ description: String?, of id: ID<Document>, in table: DocumentTable
    ) throws {
        try table.database.cachedStatement(
            sql: """
                UPDATE documents SET title = ?, title_key = ?, description = ?, search = ?, updated_at = ? WHERE id = ?
                """
        ).execute(arguments: [
            title, title.folded, description, DocumentRow.searchText(title: title, description: description),
            table.now.microseconds, id.text,
        ])
    }

    /// Moves the marks `is_current` and `shown` to the version.
    public func restore(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write { table in
            let document = try table.document(id, of: owner)
            if document.isCurrent { return document }
            try table.makeCurrent(document)
            try table.note(.changed, document)
            return try table.document(id, of: owner)
        }
    }

    /// Removes the rows of all versions, and the line's shares.
    @discardableResult
    public func removeLine(of id: ID<Document>, owner: ID<Person>) throws(DocumentError) -> [Document] {
        try write { table in
            let versions = try table.versions(of: try table.document(id, of: owner).line)
            for version in versions { try table.remove(version) }
            try table.database.cachedStatement(sql: "DELETE FROM document_shares WHERE line = ?")
                .execute(arguments: [versions.first?.line.text])
            return versions
        }
    }

    /// Removes the version's row, and shows the highest of the rest where it was shown.
    @discardableResult
    public func removeVersion(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write { table in
            let document = try table.document(id, of: owner)
            try table.remove(document)
            let rest = try table.versions(of: document.line)
            if let highest = rest.first {
                try table.database.cachedStatement(
                    sql: """
                        UPDATE documents SET shown = 1 WHERE id = ?
                            AND NOT EXISTS (SELECT 1 FROM documents WHERE line = ? AND shown)
                        """
                ).execute(arguments: [highest.id.text, highest.line.text])
            } else {
                try table.database.cachedStatement(sql: "DELETE FROM document_shares WHERE line = ?")
                    .execute(arguments: [document.line.text])
            }
            return document
        }
    }
}
