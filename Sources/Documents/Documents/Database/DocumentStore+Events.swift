internal import Database
public import Media

/// The events of documents.
extension DocumentStore {
    /// A person's events after a number, in order; events expire after a week. An unreadable event is skipped, and does
    /// not shorten the answer.
    public func events(
        after number: Int64, of owner: ID<Person>, limit: Int
    ) throws(DocumentError) -> [DocumentEvent] {
        try read { table in
            let oldest = (table.now - Self.eventLifetime).microseconds
            var (events, last) = ([DocumentEvent](), number)
            while events.count < limit {
                let (wanted, before) = (limit - events.count, last)
                try table.session.forEachRow(
                    """
                    SELECT number, user_id, kind, document, line, created_at FROM document_events
                    WHERE user_id = ? AND number > ? AND created_at >= ? ORDER BY number LIMIT ?
                    """, [owner.text, last, oldest, wanted]
                ) { row in
                    last = row.integer(0) ?? last
                    if let event = Self.event(row, in: table) { events.append(event) }
                }
                if last == before { break }
            }
            return events
        }
    }

    private static func event(_ row: any SQLRow, in table: DocumentTable) -> DocumentEvent? {
        guard let number = row.integer(0), let owner: ID<Person> = row.id(1),
            let kind = row.text(2).flatMap(DocumentEvent.Kind.init(rawValue:)),
            let document: ID<Document> = row.id(3), let line: ID<Line> = row.id(4),
            let created = row.instant(5)
        else {
            table.unreadable("event \(row.integer(0) ?? 0)")
            return nil
        }
        return DocumentEvent(
            number: number, owner: owner, kind: kind, document: document, line: line, moment: created)
    }

    /// The number of a person's latest event, including events of open transactions: every later event has a larger
    /// number. 0 if there is none.
    ///
    /// Reads the largest number once the changes of the person's data that have begun are committed.
    public func latestEvent(of owner: ID<Person>) throws(DocumentError) -> Int64 {
        func latest(_ session: any SQLSession) throws -> Int64 {
            try session.integer("SELECT max(number) FROM document_events WHERE user_id = ?", [owner.text]) ?? 0
        }
        do {
            // PostgreSQL may commit the change with the larger number first: the lock waits for both.
            return switch database.dialect {
            case .sqlite: try database.read(latest)
            case .postgreSQL: try database.write([Self.lock(of: owner)], .fast, latest)
            }
        } catch {
            throw DocumentError(database: error)
        }
    }
}
