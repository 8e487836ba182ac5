public import Documents
internal import GRDB
internal import Media

/// Sharing with schools, and the list of schools.
extension SQLiteDocumentStore {
    /// Inserts a row for each school, and writes their number to all versions of the line.
    public func share(
        _ id: ID<Document>, of owner: ID<Person>, with schools: [ID<School>], permission: Share.Permission
    ) throws(DocumentError) -> Document {
        try write { table in
            let document = try table.document(id, of: owner)
            for school in schools {
                try table.requireSchool(school, of: owner)
                try table.database.cachedStatement(
                    sql: """
                        INSERT INTO document_shares VALUES (?, ?, ?, ?)
                            ON CONFLICT DO UPDATE SET permission = excluded.permission
                        """
                ).execute(arguments: [
                    document.line.text, school.text, permission.rawValue, table.now.microseconds,
                ])
            }
            return try Self.changed(document, in: table)
        }
    }

    /// Deletes the school's row.
    public func unshare(
        _ id: ID<Document>, of owner: ID<Person>, from school: ID<School>
    ) throws(DocumentError) -> Document {
        try write { table in
            let document = try table.document(id, of: owner)
            guard document.shares.contains(where: { $0.school == school }) else {
                throw DocumentError.notFound(.school)
            }
            try table.database.cachedStatement(sql: "DELETE FROM document_shares WHERE line = ? AND school_id = ?")
                .execute(arguments: [document.line.text, school.text])
            return try Self.changed(document, in: table)
        }
    }

    private static func changed(_ document: Document, in table: DocumentTable) throws -> Document {
        try table.countShares(of: [document.line.text.databaseValue])
        try table.note(.changed, document)
        return try table.document(document.id, of: document.owner)
    }

    /// Reads the list by its index of folded names.
    public func schools(of owner: ID<Person>?) throws(DocumentError) -> [School] {
        try read { table in
            try Row.fetchAll(
                table.database.cachedStatement(
                    sql: """
                        SELECT id, user_id, name, created_at FROM schools
                        \(owner == nil ? "" : "WHERE user_id = ?") ORDER BY name_key
                        """),
                arguments: StatementArguments(owner.map { [$0.text] } ?? [])
            ).compactMap { row in
                let school = Self.school(row)
                if school == nil { table.unreadable("school \(DocumentRow.words(row[0]))") }
                return school
            }
        }
    }

    private static func school(_ row: Row) -> School? {
        guard let id = DocumentRow.text(row[0]).flatMap({ ID<School>($0) }),
            let owner = DocumentRow.text(row[1]).flatMap({ ID<Person>($0) }), let name = DocumentRow.text(row[2]),
            let created = DocumentRow.integer(row[3])
        else { return nil }
        return School(id: id, owner: owner, name: name, created: Instant(microseconds: created))
    }

    /// Inserts the school; the unique index of folded names refuses a second one.
    public func addSchool(named name: String, of owner: ID<Person>) throws(DocumentError) -> School {
        try write { table in
            let school = School(id: .make(at: table.now), owner: owner, name: name, created: table.now)
            try Self.refusingTakenName {
                try table.database.cachedStatement(sql: "INSERT INTO schools VALUES (?, ?, ?, ?, ?)").execute(
                    arguments: [school.id.text, owner.text, name, name.folded, table.now.microseconds])
            }
            return school
        }
    }

    /// Writes the name with its key.
    public func renameSchool(
        _ id: ID<School>, of owner: ID<Person>, to name: String
    ) throws(DocumentError) -> School {
        try write { table in
            try table.requireSchool(id, of: owner)
            try Self.refusingTakenName {
                try table.database.cachedStatement(sql: "UPDATE schools SET name = ?, name_key = ? WHERE id = ?")
                    .execute(arguments: [name, name.folded, id.text])
            }
            let row = try Row.fetchOne(
                table.database.cachedStatement(sql: "SELECT id, user_id, name, created_at FROM schools WHERE id = ?"),
                arguments: [id.text])
            guard let school = row.flatMap(Self.school) else { throw DocumentError.notFound(.school) }
            return school
        }
    }

    private static func refusingTakenName(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw DocumentError.conflict(message: "A school of this name is in the list already.")
        }
    }

    /// Removes the school with its shares.
    public func removeSchool(_ id: ID<School>, of owner: ID<Person>) throws(DocumentError) {
        try write { table in
            try table.requireSchool(id, of: owner)
            try table.removeSchool(id.text)
        }
    }
}

extension DocumentTable {
    /// Ends a school's shares, takes it from its documents, and deletes it.
    func removeSchool(_ id: String) throws {
        let lines = try DatabaseValue.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT line FROM document_shares WHERE school_id = ?1
                    UNION SELECT line FROM documents WHERE school_id = ?1
                    """), arguments: [id])
        try database.cachedStatement(sql: "DELETE FROM document_shares WHERE school_id = ?").execute(arguments: [id])
        try database.cachedStatement(sql: "UPDATE documents SET school_id = NULL WHERE school_id = ?")
            .execute(arguments: [id])
        try countShares(of: lines)
        try noteChange(of: lines)
        try database.cachedStatement(sql: "DELETE FROM schools WHERE id = ?").execute(arguments: [id])
    }

    /// Writes the number of schools to all versions of lines.
    func countShares(of lines: [DatabaseValue]) throws {
        for line in lines {
            try database.cachedStatement(
                sql: """
                    UPDATE documents SET updated_at = ?,
                        share_count = (SELECT count(*) FROM document_shares WHERE line = documents.line)
                    WHERE line = ?
                    """
            ).execute(arguments: [now.microseconds, line])
        }
    }

    /// Writes an event about the shown version of each line.
    fileprivate func noteChange(of lines: [DatabaseValue]) throws {
        for line in lines {
            try database.cachedStatement(
                sql: """
                    INSERT INTO document_events (user_id, kind, document, line, created_at)
                        SELECT user_id, ?, id, line, ? FROM documents WHERE line = ? AND shown
                    """
            ).execute(arguments: [DocumentEvent.Kind.changed.rawValue, now.microseconds, line])
        }
    }
}
