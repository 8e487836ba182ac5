internal import Documents
internal import GRDB
internal import Media

/// The statements over documents, inside one transaction.
struct DocumentTable {
    let database: Database
    let now: Instant
    let unreadable: @Sendable (String) -> Void

    /// The version with an identity, with its shares.
    ///
    /// - Throws: `notFound` where it is not this person's, or cannot be read.
    func document(_ id: ID<Document>, of owner: ID<Person>) throws -> Document {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(DocumentRow.columns) FROM documents WHERE id = ? AND user_id = ?"),
            arguments: [id.text, owner.text])
        guard let row, let document = try documents([row]).first else { throw DocumentError.notFound(.document) }
        return document
    }

    /// All versions of a line, the highest number first.
    func versions(of line: ID<Line>) throws -> [Document] {
        try documents(
            Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT \(DocumentRow.columns) FROM documents WHERE line = ? ORDER BY version DESC"),
                arguments: [line.text]))
    }

    /// The versions in rows, with their shares; an unreadable row is left out and reported.
    func documents(_ rows: [Row]) throws -> [Document] {
        try rows.compactMap { row in
            guard var document = DocumentRow.document(row) else {
                unreadable(DocumentRow.text(row[0]) ?? "?")
                return nil
            }
            if DocumentRow.integer(row[21]) != 0 { document.shares = try shares(of: document.line) }
            return document
        }
    }

    /// The schools that a line is shared with, the first one first.
    func shares(of line: ID<Line>) throws -> [Share] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT school_id, permission FROM document_shares WHERE line = ? ORDER BY created_at, school_id
                    """), arguments: [line.text]
        ).compactMap { row in
            guard let school = DocumentRow.text(row[0]).flatMap({ ID<School>($0) }),
                let permission = DocumentRow.text(row[1]).flatMap(Share.Permission.init(rawValue:))
            else { return nil }
            return Share(school: school, permission: permission)
        }
    }

    /// Throws `notFound` unless the school is in the person's list.
    func requireSchool(_ id: ID<School>?, of owner: ID<Person>) throws {
        guard let id else { return }
        let isThere =
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT 1 FROM schools WHERE id = ? AND user_id = ?"),
                arguments: [id.text, owner.text]) ?? false
        if !isThere { throw DocumentError.notFound(.school) }
    }

    /// Writes an event.
    func note(_ kind: DocumentEvent.Kind, _ document: Document) throws {
        try note(kind, document.id, document.line, document.owner)
    }

    /// Writes an event about the version of an identity.
    func note(_ kind: DocumentEvent.Kind, _ id: ID<Document>, _ line: ID<Line>, _ owner: ID<Person>) throws {
        try database.cachedStatement(
            sql: "INSERT INTO document_events (user_id, kind, document, line, created_at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [owner.text, kind.rawValue, id.text, line.text, now.microseconds])
        try database.cachedStatement(sql: "DELETE FROM document_events WHERE created_at < ?")
            .execute(arguments: [(now - Self.eventLifetime).microseconds])
    }

    /// Stores a version's row.
    func insert(_ document: Document, isShown: Bool) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO documents (\(DocumentRow.columns), title_key, search, shown)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            document.id.text, document.line.text, document.owner.text, document.type.rawValue, document.title,
            document.description, document.version, document.isCurrent, document.school?.text, document.file.path,
            document.file.name, document.file.mediaType.rawValue, document.file.digest.hex, document.file.byteCount,
            document.facts?.json.text, document.placeholder, document.state.rawValue, document.failure,
            document.uploader.text, document.created.microseconds, document.updated.microseconds,
            document.shares.count, document.title.folded,
            DocumentRow.searchText(title: document.title, description: document.description), isShown,
        ])
    }

    /// Makes a version the current one of its line, and the one that lists show.
    func makeCurrent(_ document: Document) throws {
        try database.cachedStatement(
            sql: "UPDATE documents SET is_current = 0, shown = 0 WHERE line = ? AND (is_current OR shown)"
        ).execute(arguments: [document.line.text])
        try database.cachedStatement(
            sql: "UPDATE documents SET is_current = 1, shown = 1, updated_at = ? WHERE id = ?"
        ).execute(arguments: [now.microseconds, document.id.text])
    }

    /// Removes a version's row; its file becomes a removal.
    func remove(_ document: Document) throws {
        try database.cachedStatement(sql: "DELETE FROM documents WHERE id = ?").execute(arguments: [document.id.text])
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO removals VALUES (?, ?, 0, ?)")
            .execute(arguments: [document.file.path, document.file.digest.hex, now.microseconds])
        try note(.deleted, document)
    }

    private static let eventLifetime: Duration = .seconds(7 * 86_400)
}
