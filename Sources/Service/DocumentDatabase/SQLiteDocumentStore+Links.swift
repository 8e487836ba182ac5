public import Documents
internal import GRDB

/// Links by which documents are seen without an account.
extension SQLiteDocumentStore {
    /// Inserts the row, and deletes those of all links that have ended.
    public func addLink(
        to id: ID<Document>, of owner: ID<Person>, permission: ShareLink.Permission, lifetime: Duration
    ) throws(DocumentError) -> ShareLink {
        try write { table in
            let line = try table.document(id, of: owner).line
            try table.database.cachedStatement(sql: "DELETE FROM share_links WHERE expires_at <= ?")
                .execute(arguments: [table.now.microseconds])
            guard try table.links("WHERE line = ?", [line.text]).count < Self.mostLinks else {
                throw DocumentError.conflict(
                    message: "This document has \(Self.mostLinks) links. End one of them first.")
            }
            let link = ShareLink(
                id: .make(at: table.now), token: .make(), line: line, owner: owner, permission: permission,
                created: table.now, expires: table.now + lifetime)
            try table.database.cachedStatement(
                sql: """
                    INSERT INTO share_links (id, token, line, user_id, permission, created_at, expires_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                link.id.text, link.token.text, line.text, owner.text, permission.rawValue, link.created.microseconds,
                link.expires.microseconds,
            ])
            return link
        }
    }

    /// Reads the links by the index of lines.
    public func links(to id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> [ShareLink] {
        try read { table in
            try table.links(
                "WHERE line = ? AND expires_at > ? ORDER BY created_at DESC, id DESC",
                [table.document(id, of: owner).line.text, table.now.microseconds])
        }
    }

    /// Deletes the link's row.
    public func removeLink(
        _ link: ID<ShareLink>, to id: ID<Document>, of owner: ID<Person>
    ) throws(DocumentError) {
        try write { table in
            let line = try table.document(id, of: owner).line
            try table.database.cachedStatement(sql: "DELETE FROM share_links WHERE id = ? AND line = ?")
                .execute(arguments: [link.text, line.text])
            if table.database.changesCount == 0 { throw DocumentError.notFound(.link) }
        }
    }

    /// Seeks by the unique index of tokens.
    public func sharedDocument(by token: ShareLink.Token, isVisit: Bool) throws(DocumentError) -> SharedDocument {
        guard isVisit else { return try read { try $0.sharedDocument(by: token) } }
        return try write { table in
            // Before the row is read, so that the visitor's own visit is counted in it.
            try table.database.cachedStatement(
                sql: """
                    UPDATE share_links SET visit_count = visit_count + 1, visited_at = ?1
                    WHERE token = ?2 AND expires_at > ?1
                    """
            ).execute(arguments: [table.now.microseconds, token.text])
            return try table.sharedDocument(by: token)
        }
    }
}

extension DocumentTable {
    fileprivate func sharedDocument(by token: ShareLink.Token) throws -> SharedDocument {
        let found = try links("WHERE token = ? AND expires_at > ?", [token.text, now.microseconds])
        guard let link = found.first,
            let document = try documents(
                "WHERE line = ? AND user_id = ? AND shown", [link.line.text, link.owner.text]
            ).first
        else { throw DocumentError.notFound(.link) }
        return SharedDocument(link: link, document: document)
    }

    /// The links in the rows of a condition; one that cannot be read is left out and reported.
    fileprivate func links(_ condition: String, _ arguments: StatementArguments) throws -> [ShareLink] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id, token, line, user_id, permission, created_at, expires_at, visit_count, visited_at
                FROM share_links \(condition)
                """)
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            let link = Self.link(row)
            if link == nil { unreadable("link \(DocumentRow.words(row[0]))") }
            return link
        }
    }

    private static func link(_ row: Row) -> ShareLink? {
        guard let id = DocumentRow.text(row[0]).flatMap({ ID<ShareLink>($0) }),
            let token = DocumentRow.text(row[1]).flatMap(ShareLink.Token.init),
            let line = DocumentRow.text(row[2]).flatMap({ ID<Line>($0) }),
            let owner = DocumentRow.text(row[3]).flatMap({ ID<Person>($0) }),
            let permission = DocumentRow.text(row[4]).flatMap(ShareLink.Permission.init(rawValue:)),
            let created = DocumentRow.integer(row[5]), let expires = DocumentRow.integer(row[6]),
            let visitCount = DocumentRow.integer(row[7])
        else { return nil }
        return ShareLink(
            id: id, token: token, line: line, owner: owner, permission: permission,
            created: Instant(microseconds: created), expires: Instant(microseconds: expires),
            visitCount: Int(visitCount), lastVisit: DocumentRow.integer(row[8]).map { Instant(microseconds: $0) })
    }
}
