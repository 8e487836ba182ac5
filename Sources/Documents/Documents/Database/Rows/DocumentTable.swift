internal import Database
internal import JobQueue
internal import Media

/// The statements over documents, inside one transaction.
struct DocumentTable {
    let session: any SQLSession
    let database: any SQLDatabase
    let now: Instant
    let unreadable: @Sendable (String) -> Void

    /// The version with an ID, with its shares.
    ///
    /// - Throws: `notFound` if it is not this person's, or is unreadable.
    func document(_ id: ID<Document>, of owner: ID<Person>) throws -> Document {
        let found = try documents("WHERE id = ? AND user_id = ?", [id.text, owner.text])
        guard let document = found.first else { throw DocumentError.notFound(.document) }
        return document
    }

    /// All versions of a line, highest number first.
    func versions(of line: ID<Line>) throws -> [Document] {
        try documents("WHERE line = ? ORDER BY version DESC", [line.text])
    }

    /// The versions in the rows of a condition, with their shares; an unreadable row is left out and reported.
    func documents(_ condition: String, _ values: [(any SQLConvertible)?]) throws -> [Document] {
        var documents: [Document] = []
        var sharedLines: Set<ID<Line>> = []
        let sql = "SELECT \(DocumentRow.columns(session.dialect)) FROM documents \(condition)"
        try session.forEachRow(sql, values) { row in
            guard let document = document(row, &sharedLines) else { return }
            documents.append(document)
        }
        try addShares(of: sharedLines, to: &documents)
        return documents
    }

    /// The version in a row that begins with `DocumentRow.columns`; `nil` if it is unreadable, which is reported.
    ///
    /// - Parameter sharedLines: gets the version's line if it is shared: its shares must be added.
    func document(_ row: any SQLRow, _ sharedLines: inout Set<ID<Line>>) -> Document? {
        guard let document = DocumentRow.document(row) else {
            unreadable("document \(row.words)")
            return nil
        }
        if row.integer(DocumentRow.shareCountColumn) != 0 { sharedLines.insert(document.line) }
        return document
    }

    /// Reads the shares of lines into their documents.
    func addShares(of lines: Set<ID<Line>>, to documents: inout [Document]) throws {
        if lines.isEmpty { return }
        let shares = try shares(of: lines)
        for index in documents.indices { documents[index].shares = shares[documents[index].line] ?? [] }
    }

    /// The schools that lines are shared with, in the order in which they were added.
    private func shares(of lines: Set<ID<Line>>) throws -> [ID<Line>: [Share]] {
        let dialect = session.dialect
        let sql = """
            SELECT line, school_id, permission FROM document_shares WHERE \(dialect.isAmong("line", "text"))
            ORDER BY created_at, school_id
            """
        var shares: [ID<Line>: [Share]] = [:]
        try session.forEachRow(sql, [dialect.list(lines.map { "\"\($0)\"" })]) { row in
            guard let line: ID<Line> = row.id(0), let school: ID<School> = row.id(1),
                let permission = row.text(2).flatMap(Share.Permission.init(rawValue:))
            else { return unreadable("share of \(row.words)") }
            shares[line, default: []].append(Share(school: school, permission: permission))
        }
        return shares
    }

    /// Queues a job in the same transaction.
    func enqueue(_ request: JobRequest) throws -> Enqueued {
        try QueueTables.enqueue(
            [request], in: session, at: QueueInstant(milliseconds: database.microseconds / 1000))[0]
    }

    /// The same, unless its party has `limit` unfinished jobs of its priority; then `nil`.
    func enqueue(_ request: JobRequest, upTo limit: Int) throws -> Enqueued? {
        try QueueTables.enqueue(
            request, upTo: limit, in: session, at: QueueInstant(milliseconds: database.microseconds / 1000))
    }

    /// Throws `notFound` unless the school is in the person's list.
    func requireSchool(_ id: ID<School>?, of owner: ID<Person>) throws {
        guard let id else { return }
        let isThere = try session.hasRow("SELECT 1 FROM schools WHERE id = ? AND user_id = ?", [id.text, owner.text])
        if !isThere { throw DocumentError.notFound(.school) }
    }

    /// Writes an event.
    func note(_ kind: DocumentEvent.Kind, _ document: Document) throws {
        try note(kind, document.id, document.line, document.owner)
    }

    /// Writes an event about the version with an ID.
    func note(_ kind: DocumentEvent.Kind, _ id: ID<Document>, _ line: ID<Line>, _ owner: ID<Person>) throws {
        try session.execute(
            "INSERT INTO document_events (user_id, kind, document, line, created_at) VALUES (?, ?, ?, ?, ?)",
            [owner.text, kind.rawValue, id.text, line.text, now.microseconds])
    }

    /// Stores a version's row.
    func insert(_ document: Document, isShown: Bool) throws {
        try session.execute(
            """
            INSERT INTO documents (\(DocumentRow.names), title_key, search, shown, number)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                document.id.text, document.line.text, document.owner.text, document.type.rawValue, document.title,
                document.description, document.version, document.isCurrent, document.school?.text,
                document.file.object?.rawValue, document.file.name, document.file.mediaType.rawValue,
                document.file.digest.hex, document.file.byteCount,
                document.factsText?.text, document.placeholder, document.state.rawValue, document.failure,
                document.uploader.text, document.created.microseconds, document.updated.microseconds,
                document.shares.count, document.file.path, document.title.folded,
                DocumentRow.searchText(title: document.title, description: document.description), isShown,
                try nextNumber(of: document.owner),
            ])
    }

    /// The number for an owner's next row, after the owner's other rows.
    private func nextNumber(of owner: ID<Person>) throws -> Int64 {
        try session.execute("INSERT INTO document_owners (user_id) VALUES (?) ON CONFLICT DO NOTHING", [owner.text])
        let numbers = try numbers(of: owner)
        let highest = try session.integer(
            "SELECT max(number) FROM documents WHERE number BETWEEN ? AND ?", [numbers.lowerBound, numbers.upperBound])
        return (highest ?? numbers.lowerBound) + 1
    }

    /// The range of an owner's row numbers; for an owner without rows, a range that nobody has.
    func numbers(of owner: ID<Person>) throws -> ClosedRange<Int64> {
        let number = try session.integer("SELECT number FROM document_owners WHERE user_id = ?", [owner.text]) ?? 0
        return number << 32...(number << 32 | 0xFFFF_FFFF)
    }

    /// Whether a version of a line is marked as current.
    func hasCurrentVersion(_ line: ID<Line>) throws -> Bool {
        try session.hasRow("SELECT 1 FROM documents WHERE line = ? AND is_current", [line.text])
    }

    /// Clears the marks `is_current` and `shown` of all versions of a line.
    func clearMarks(of line: ID<Line>) throws {
        try session.execute(
            "UPDATE documents SET is_current = FALSE, shown = FALSE WHERE line = ? AND (is_current OR shown)",
            [line.text])
    }

    /// Makes a version the current one of its line, and the one that lists show.
    func makeCurrent(_ document: Document) throws {
        try clearMarks(of: document.line)
        try session.execute(
            "UPDATE documents SET is_current = TRUE, shown = TRUE, updated_at = ? WHERE id = ?",
            [now.microseconds, document.id.text])
    }

    /// Shows the highest version of a line that shows none.
    func showHighest(of line: ID<Line>) throws {
        try session.execute(
            """
            UPDATE documents SET shown = TRUE WHERE line = ?1
                AND version = (SELECT max(version) FROM documents WHERE line = ?1)
                AND NOT EXISTS (SELECT 1 FROM documents WHERE line = ?1 AND shown)
            """, [line.text])
    }
}
