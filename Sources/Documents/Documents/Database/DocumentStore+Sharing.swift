internal import Database
public import Media

/// Sharing with schools, and the list of schools.
extension DocumentStore {
    /// Shares a version's line with schools; a school that has it already gets the new permission.
    ///
    /// Inserts a row for each school, and writes the number of schools to all versions of the line.
    public func share(
        _ id: ID<Document>, of owner: ID<Person>, with schools: [ID<School>], permission: Share.Permission
    ) throws(DocumentError) -> Document {
        try write(of: owner) { table in
            let document = try table.document(id, of: owner)
            let present = Set(document.shares.map(\.school))
            guard present.union(schools).count <= PersonBounds.sharesOfDocument else {
                throw DocumentError.tooMany("schools for one document", most: PersonBounds.sharesOfDocument)
            }
            for school in schools {
                try table.requireSchool(school, of: owner)
                try table.session.execute(
                    """
                    INSERT INTO document_shares (id, line, school_id, permission, created_at) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT (line, school_id) DO UPDATE SET permission = excluded.permission
                    """,
                    [
                        ID<Share>.make(at: table.now).text, document.line.text, school.text, permission.rawValue,
                        table.now.microseconds,
                    ])
            }
            return try Self.changed(document, in: table)
        }
    }

    /// Stops sharing a version's line with schools.
    ///
    /// - Throws: `notFound` if it is not shared with one of them; then nothing changes.
    public func unshare(
        _ id: ID<Document>, of owner: ID<Person>, from schools: [ID<School>]
    ) throws(DocumentError) -> Document {
        try write(of: owner) { table in
            let document = try table.document(id, of: owner)
            guard Set(document.shares.map(\.school)).isSuperset(of: schools) else {
                throw DocumentError.notFound(.school)
            }
            let dialect = table.session.dialect
            try table.session.execute(
                "DELETE FROM document_shares WHERE line = ? AND \(dialect.isAmong("school_id", "text"))",
                [document.line.text, dialect.list(schools.map { "\"\($0)\"" })])
            return try Self.changed(document, in: table)
        }
    }

    private static func changed(_ document: Document, in table: DocumentTable) throws -> Document {
        try table.countShares(of: document.line.text)
        try table.note(.changed, document)
        return try table.document(document.id, of: document.owner)
    }

    /// A person's schools, ordered by name.
    public func schools(of owner: ID<Person>) throws(DocumentError) -> [School] {
        try read { table in
            try table.session.all(
                "SELECT \(Self.schoolColumns) FROM schools WHERE user_id = ? ORDER BY name_key", [owner.text]
            ) { row in
                let school = Self.school(row)
                if school == nil { table.unreadable("school \(row.words)") }
                return school
            }
        }
    }

    static let schoolColumns = "id, user_id, name, created_at"

    static func school(_ row: any SQLRow) -> School? {
        guard let id: ID<School> = row.id(0), let owner: ID<Person> = row.id(1), let name = row.text(2),
            let created = row.instant(3)
        else { return nil }
        return School(id: id, owner: owner, name: name, created: created)
    }

    /// Adds schools, all or none.
    ///
    /// - Throws: `conflict` if the list has one of the names, or `names` has one twice.
    public func addSchools(named names: [String], of owner: ID<Person>) throws(DocumentError) -> [School] {
        try write(of: owner) { table in
            var keys: Set<String> = []
            for name in names {
                guard keys.insert(name.folded).inserted else { throw Self.nameTaken }
                try Self.requireFreeName(name, of: owner, in: table)
            }
            try table.requireFewer(
                than: PersonBounds.schools, "schools", in: "SELECT 1 FROM schools WHERE user_id = ?", [owner.text],
                adding: names.count)
            return try names.map { name in
                let school = School(id: .make(at: table.now), owner: owner, name: name, created: table.now)
                try table.session.execute(
                    "INSERT INTO schools VALUES (?, ?, ?, ?, ?)",
                    [school.id.text, owner.text, name, name.folded, table.now.microseconds])
                return school
            }
        }
    }

    /// Gives a school another name.
    public func renameSchool(
        _ id: ID<School>, of owner: ID<Person>, to name: String
    ) throws(DocumentError) -> School {
        try write(of: owner) { table in
            try table.requireSchool(id, of: owner)
            try Self.requireFreeName(name, of: owner, besides: id, in: table)
            try table.session.execute(
                "UPDATE schools SET name = ?, name_key = ? WHERE id = ?", [name, name.folded, id.text])
            let sql = "SELECT \(Self.schoolColumns) FROM schools WHERE id = ?"
            guard let school = try table.session.first(sql, [id.text], Self.school) else {
                throw DocumentError.notFound(.school)
            }
            return school
        }
    }

    private static func requireFreeName(
        _ name: String, of owner: ID<Person>, besides id: ID<School>? = nil, in table: DocumentTable
    ) throws {
        let isTaken = try table.session.hasRow(
            "SELECT 1 FROM schools WHERE user_id = ? AND name_key = ? AND id <> ?",
            [owner.text, name.folded, id?.text ?? ""])
        if isTaken { throw nameTaken }
    }

    private static let nameTaken = DocumentError.conflict(message: "A school with this name already exists.")

    /// Removes a school. Its documents become "General", and are no longer shared with it; each counts as changed.
    ///
    /// Removes the school with its shares, several thousand versions per transaction: SQLite has one writer, and other
    /// changes take turns in between. If a transaction fails, the school keeps its remaining documents, and can be
    /// removed again.
    public func removeSchool(_ id: ID<School>, of owner: ID<Person>) throws(DocumentError) {
        var isRemoved = false
        while !isRemoved {
            isRemoved = try write(of: owner) { table in
                try table.requireSchool(id, of: owner)
                return try table.removePart(ofSchool: id.text)
            }
        }
    }
}

extension DocumentTable {
    /// Ends a school's shares, removes it from its documents, and deletes it.
    func removeSchool(_ id: String) throws {
        while try !removePart(ofSchool: id) {}
    }

    /// Removes a school from some of its lines; if few are left, from all of them, and then deletes it.
    ///
    /// - Returns: whether the school is deleted.
    fileprivate func removePart(ofSchool id: String) throws -> Bool {
        let end = try session.text(
            "SELECT line FROM documents WHERE line IN (\(Self.linesOfSchool())) ORDER BY line LIMIT 1 OFFSET ?2",
            [id, Self.longestPart])
        // A line with an unreadable ID bounds no part.
        if let end, try leave(school: id, through: end) > 0 { return false }
        try leave(school: id, through: nil)
        try session.execute("DELETE FROM schools WHERE id = ?", [id])
        return true
    }

    /// Ends a school's shares and removes it from its documents, with an event about the shown version of each line.
    ///
    /// - Parameter end: the last line to change; `nil` for all.
    /// - Returns: the number of changed versions.
    @discardableResult
    private func leave(school id: String, through end: String?) throws -> Int {
        let isInPart = end == nil ? "" : "AND line <= ?2"
        let isMeant = "line IN (\(Self.linesOfSchool(isInPart)))"
        let values: [(any SQLConvertible)?] = end.map { [id, $0] } ?? [id]
        let moment = "?\(values.count + 1)"
        try session.execute(
            """
            INSERT INTO document_events (user_id, kind, document, line, created_at)
                SELECT user_id, '\(DocumentEvent.Kind.changed.rawValue)', id, line, CAST(\(moment) AS bigint) FROM documents
                WHERE shown AND \(isMeant)
            """, values + [now.microseconds])
        // One statement: a trigger runs once per version, and each index is written once.
        let count = try session.execute(
            """
            UPDATE documents SET updated_at = \(moment), school_id = nullif(school_id, ?1), share_count = share_count
                - (SELECT count(*) FROM document_shares WHERE line = documents.line AND school_id = ?1)
            WHERE \(isMeant)
            """, values + [now.microseconds])
        try session.execute("DELETE FROM document_shares WHERE school_id = ?1 \(isInPart)", values)
        return count
    }

    /// A statement that selects the lines that are shared with a school, or have a version filed under it.
    private static func linesOfSchool(_ condition: String = "") -> String {
        """
        SELECT line FROM document_shares WHERE school_id = ?1 \(condition)
        UNION SELECT line FROM documents WHERE school_id = ?1 \(condition)
        """
    }

    /// The number of versions that are changed together, plus the rest of the last line. They take about 0.4 s.
    private static let longestPart = 5000

    /// Writes the number of schools to all versions of a line.
    func countShares(of line: String) throws {
        try session.execute(
            """
            UPDATE documents SET updated_at = ?,
                share_count = (SELECT count(*) FROM document_shares WHERE line = documents.line)
            WHERE line = ?
            """, [now.microseconds, line])
    }
}
