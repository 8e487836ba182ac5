internal import Database
public import Media

/// Communication templates.
extension DocumentStore {
    static let columns = "id, user_id, type, name, body, created_at, updated_at"

    /// A person's templates, last changed first.
    public func templates(of owner: ID<Person>) throws(DocumentError) -> [CommunicationTemplate] {
        try read { table in
            try table.session.all(
                """
                SELECT \(Self.columns) FROM communication_templates WHERE user_id = ? ORDER BY updated_at DESC, id DESC
                """, [owner.text]
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

    /// Adds a template with checked texts.
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
            try table.insert(template)
            try table.requireBoundedTemplates(of: owner)
            return template
        }
    }

    /// Changes a template, field by field.
    public func changeTemplate(
        _ id: ID<CommunicationTemplate>, of owner: ID<Person>, name: String?, type: CommunicationTemplate.Channel?,
        body: String?
    ) throws(DocumentError) -> CommunicationTemplate {
        try write(of: owner) { table in
            let sql = "SELECT \(Self.columns) FROM communication_templates WHERE id = ? AND user_id = ?"
            guard var template = try table.session.first(sql, [id.text, owner.text], Self.template) else {
                throw DocumentError.notFound(.template)
            }
            let former = template
            template.name = name ?? template.name
            template.type = type ?? template.type
            template.body = body ?? template.body
            template.updated = table.now
            try table.session.execute(
                """
                UPDATE communication_templates
                SET name = ?, type = ?, body = ?, variables = ?, byte_count = ?, updated_at = ? WHERE id = ?
                """,
                [
                    template.name, template.type.rawValue, template.body, template.variablesText,
                    template.byteCount, table.now.microseconds, id.text,
                ])
            if template.byteCount > former.byteCount { try table.requireBoundedTemplates(of: owner) }
            return template
        }
    }

    /// Removes a template from its owner's list for good.
    public func removeTemplate(_ id: ID<CommunicationTemplate>, of owner: ID<Person>) throws(DocumentError) {
        try write(of: owner) { table in
            let count = try table.session.execute(
                "DELETE FROM communication_templates WHERE id = ? AND user_id = ?", [id.text, owner.text])
            if count == 0 { throw DocumentError.notFound(.template) }
        }
    }
}

extension DocumentTable {
    /// Inserts a template's row, unless its ID exists.
    ///
    /// - Returns: the number of inserted rows.
    @discardableResult
    func insert(_ template: CommunicationTemplate) throws -> Int {
        try session.execute(
            """
            INSERT INTO communication_templates (\(DocumentStore.columns), variables, byte_count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                template.id.text, template.owner.text, template.type.rawValue, template.name, template.body,
                template.created.microseconds, template.updated.microseconds, template.variablesText,
                template.byteCount,
            ])
    }

    /// Throws `tooMany` if the texts of a person's templates have more bytes together than allowed.
    fileprivate func requireBoundedTemplates(of owner: ID<Person>) throws {
        let total = try session.integer(
            "SELECT CAST(sum(byte_count) AS BIGINT) FROM communication_templates WHERE user_id = ?", [owner.text])
        if Int(total ?? 0) > PersonBounds.templateBytes {
            throw DocumentError.tooMany("bytes in all templates", most: PersonBounds.templateBytes)
        }
    }
}

extension CommunicationTemplate {
    /// The size of its texts, as counted for `PersonBounds.templateBytes`.
    fileprivate var byteCount: Int { name.utf8.count + body.utf8.count }

    /// The names of the variables as a JSON array.
    fileprivate var variablesText: String { JSON.array(variables.map(JSON.string)).text }
}
