public import Documents
internal import GRDB

/// The events of documents.
extension SQLiteDocumentStore {
    /// Reads by the index of owners.
    public func events(
        after number: Int64, of owner: ID<Person>, limit: Int
    ) throws(DocumentError) -> [DocumentEvent] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: """
                        SELECT number, user_id, kind, document, line, created_at FROM document_events
                        WHERE user_id = ? AND number > ? ORDER BY number LIMIT ?
                        """), arguments: [owner.text, number, limit]
            ).compactMap { row in
                guard let number = DocumentRow.integer(row[0]),
                    let owner = DocumentRow.text(row[1]).flatMap({ ID<Person>($0) }),
                    let kind = DocumentRow.text(row[2]).flatMap(DocumentEvent.Kind.init(rawValue:)),
                    let document = DocumentRow.text(row[3]).flatMap({ ID<Document>($0) }),
                    let line = DocumentRow.text(row[4]).flatMap({ ID<Line>($0) }),
                    let created = DocumentRow.integer(row[5])
                else {
                    table.unreadable("event \(DocumentRow.integer(row[0]) ?? 0)")
                    return nil
                }
                return DocumentEvent(
                    number: number, owner: owner, kind: kind, document: document, line: line,
                    moment: Instant(microseconds: created))
            }
        }
    }

    /// Reads the largest number.
    public func latestEvent() throws(DocumentError) -> Int64 {
        try read { table in
            try Int64.fetchOne(
                table.database.cachedStatement(sql: "SELECT ifnull(max(number), 0) FROM document_events")) ?? 0
        }
    }
}
