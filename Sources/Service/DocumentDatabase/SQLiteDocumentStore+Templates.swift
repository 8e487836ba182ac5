public import Documents
internal import GRDB

/// Communication templates.
extension SQLiteDocumentStore {
    private static let columns = "id, user_id, type, name, body, created_at, updated_at"

    /// Reads the rows by the index of owners.
    public func templates(of owner: ID<Person>?) throws(DocumentError) -> [CommunicationTemplate] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: """
                        SELECT \(Self.columns) FROM communication_templates
                        \(owner == nil ? "" : "WHERE user_id = ?") ORDER BY updated_at DESC, id DESC
                        """), arguments: StatementArguments(owner.map { [$0.text] } ?? [])
            ).compactMap { row in
                let template = Self.template(row)
                if template == nil { table.unreadable("template \(DocumentRow.words(row[0]))") }
                return template
            }
        }
    }

    private static func template(_ row: Row) -> CommunicationTemplate? {
        guard let id = DocumentRow.text(row[0]).flatMap({ ID<CommunicationTemplate>($0) }),
            let owner = DocumentRow.text(row[1]).flatMap({ ID<Person>($0) }),
            let type = DocumentRow.text(row[2]).flatMap(CommunicationTemplate.Channel.init(rawValue:)),
            let name = DocumentRow.text(row[3]), let body = DocumentRow.text(row[4]),
            let created = DocumentRow.integer(row[5]), let updated = DocumentRow.integer(row[6])
        else { return nil }
        return CommunicationTemplate(
            id: id, owner: owner, type: type, name: name, body: body, created: Instant(microseconds: created),
            updated: Instant(microseconds: updated))
    }

    /// Inserts the row.
    public func addTemplate(
        named name: String, type: CommunicationTemplate.Channel, body: String, of owner: ID<Person>
    ) throws(DocumentError) -> CommunicationTemplate {
        try write { table in
            let template = CommunicationTemplate(
                id: .make(at: table.now), owner: owner, type: type, name: name, body: body, created: table.now,
                updated: table.now)
            try table.database.cachedStatement(
                sql: "INSERT INTO communication_templates (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)"
            ).execute(arguments: [
                template.id.text, owner.text, type.rawValue, name, body, table.now.microseconds,
                table.now.microseconds,
            ])
            return template
        }
    }

    /// Writes the changed fields.
    public func changeTemplate(
        _ id: ID<CommunicationTemplate>, of owner: ID<Person>, name: String?, type: CommunicationTemplate.Channel?,
        body: String?
    ) throws(DocumentError) -> CommunicationTemplate {
        try write { table in
            let row = try Row.fetchOne(
                table.database.cachedStatement(
                    sql: "SELECT \(Self.columns) FROM communication_templates WHERE id = ? AND user_id = ?"),
                arguments: [id.text, owner.text])
            guard var template = row.flatMap(Self.template) else { throw DocumentError.notFound(.template) }
            template.name = name ?? template.name
            template.type = type ?? template.type
            template.body = body ?? template.body
            template.updated = table.now
            try table.database.cachedStatement(
                sql: "UPDATE communication_templates SET name = ?, type = ?, body = ?, updated_at = ? WHERE id = ?"
            ).execute(arguments: [
                template.name, template.type.rawValue, template.body, table.now.microseconds, id.text,
            ])
            return template
        }
    }

    /// Deletes the row.
    public func removeTemplate(_ id: ID<CommunicationTemplate>, of owner: ID<Person>) throws(DocumentError) {
        try write { table in
            try table.database.cachedStatement(
                sql: "DELETE FROM communication_templates WHERE id = ? AND user_id = ?"
            ).execute(arguments: [id.text, owner.text])
            if table.database.changesCount == 0 { throw DocumentError.notFound(.template) }
        }
    }
}
