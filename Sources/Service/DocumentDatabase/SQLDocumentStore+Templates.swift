public import Documents
internal import SQL

/// Communication templates.
extension SQLDocumentStore {
    static let columns = "id, user_id, type, name, body, created_at, updated_at"

    /// Reads the rows by the index of owners.
    public func templates(of owner: ID<Person>?) throws(DocumentError) -> [CommunicationTemplate] {
        try read { table in
            try table.session.all(
                """
                SELECT \(Self.columns) FROM communication_templates
                \(owner == nil ? "" : "WHERE user_id = ?") ORDER BY updated_at DESC, id DESC
                """, owner.map { [$0.text] } ?? []
            ) { row in
                let template = Self.template(row)
                if template == nil { table.unreadable("template \(row.words)") }
                return template
            }
        }
    }

    static func template(_ row: any SQLRow) -> CommunicationTemplate? {
        guard let id: ID<CommunicationTemplate> = row.id(0), let owner: ID<Person> = row.id(1),
            let type = row.text(2).flatMap(CommunicationTemplate.Channel.init(rawValue:)), let name = row.text(3),
            let body = row.text(4), let created = row.instant(5), let updated = row.instant(6)
        else { return nil }
        return CommunicationTemplate(
            id: id, owner: owner, type: type, name: name, body: body, created: created, updated: updated)
    }

    /// Inserts the row.
    public func addTemplate(
        named name: String, type: CommunicationTemplate.Channel, body: String, of owner: ID<Person>
    ) throws(DocumentError) -> CommunicationTemplate {
        try write(of: owner) { table in
            try table.requireFewer(
                than: PersonBounds.templates, "templates",
                in: "SELECT 1 FROM communication_templates WHERE user_id = ?", [owner.text])
            let template = CommunicationTemplate(
                id: .make(at: table.now), owner: owner, type: type, name: name, body: body, created: table.now,
                updated: table.now)
            try table.session.execute(
                "INSERT INTO communication_templates (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
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
        try write(of: owner) { table in
            let sql = "SELECT \(Self.columns) FROM communication_templates WHERE id = ? AND user_id = ?"
            guard var template = try table.session.first(sql, [id.text, owner.text], Self.template) else {
                throw DocumentError.notFound(.template)
            }
            template.name = name ?? template.name
            template.type = type ?? template.type
            template.body = body ?? template.body
            template.updated = table.now
            try table.session.execute(
                "UPDATE communication_templates SET name = ?, type = ?, body = ?, updated_at = ? WHERE id = ?",
                [
                    template.name, template.type.rawValue, template.body, table.now.microseconds, id.text,
                ])
            return template
        }
    }

    /// Deletes the row.
    public func removeTemplate(_ id: ID<CommunicationTemplate>, of owner: ID<Person>) throws(DocumentError) {
        try write(of: owner) { table in
            let count = try table.session.execute(
                "DELETE FROM communication_templates WHERE id = ? AND user_id = ?", [id.text, owner.text])
            if count == 0 { throw DocumentError.notFound(.template) }
        }
    }
}
