internal import Database
public import Media

/// Links that show documents without an account.
extension DocumentStore {
    /// Makes a link to a version's line that expires after `lifetime`.
    ///
    /// - Throws: `tooMany`, also for one document.
    public func addLink(
        to id: ID<Document>, of owner: ID<Person>, by maker: ID<Person>, permission: ShareLink.Permission,
        lifetime: Duration
    ) throws(DocumentError) -> ShareLink {
        try write(of: owner) { table in
            let line = try table.document(id, of: owner).line
            let now = table.now.microseconds
            try table.requireFewer(
                than: PersonBounds.linksOfDocument, "links to one document",
                in: "SELECT 1 FROM share_links WHERE line = ? AND expires_at > ?", [line.text, now])
            try table.requireFewer(
                than: PersonBounds.links, "links",
                in: "SELECT 1 FROM share_links WHERE user_id = ? AND expires_at > ?", [owner.text, now])
            let link = ShareLink(
                id: .make(at: table.now), token: .make(), line: line, owner: owner, maker: maker,
                permission: permission, created: table.now, expires: table.now + lifetime)
            try table.session.execute(
                """
                INSERT INTO share_links (id, token, line, user_id, made_by, permission, created_at, expires_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    link.id.text, link.token.text, line.text, owner.text, maker.text, permission.rawValue,
                    link.created.microseconds,
                    link.expires.microseconds,
                ])
            return link
        }
    }

    /// The unexpired links to a version's line, newest first.
    public func links(to id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> [ShareLink] {
        try read { table in
            try table.links(
                "WHERE line = ? AND expires_at > ? ORDER BY created_at DESC, id DESC",
                [table.document(id, of: owner).line.text, table.now.microseconds])
        }
    }

    /// The unexpired links to some of a person's lines, newest first.
    public func links(toLines lines: [ID<Line>], of owner: ID<Person>) throws(DocumentError) -> [ShareLink] {
        try read { table in
            let dialect = table.session.dialect
            return try table.links(
                """
                WHERE \(dialect.isAmong("line", "text")) AND user_id = ? AND expires_at > ?
                ORDER BY created_at DESC, id DESC
                """, [dialect.list(lines.map { "\"\($0)\"" }), owner.text, table.now.microseconds])
        }
    }

    /// Removes a link to a version's line.
    public func removeLink(
        _ link: ID<ShareLink>, to id: ID<Document>, of owner: ID<Person>
    ) throws(DocumentError) {
        try write(of: owner) { table in
            let line = try table.document(id, of: owner).line
            let count = try table.session.execute(
                "DELETE FROM share_links WHERE id = ? AND line = ?", [link.text, line.text])
            if count == 0 { throw DocumentError.notFound(.link) }
        }
    }

    /// What the link with a token opens now. The caller checks whether its maker's right still stands.
    ///
    /// - Parameter isVisit: whether this counts as a visit.
    /// - Throws: `notFound` if there is no such link, or it has expired.
    public func sharedDocument(by token: ShareLink.Token, isVisit: Bool) throws(DocumentError) -> SharedDocument {
        guard isVisit else { return try read { try $0.sharedDocument(by: token) } }
        return try write(of: nil) { table in
            // Before the row is read, so that it counts the visitor's own visit.
            try table.session.execute(
                """
                UPDATE share_links SET visit_count = visit_count + 1, visited_at = ?1
                WHERE token = ?2 AND expires_at > ?1
                """, [table.now.microseconds, token.text])
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

    static let linkColumns =
        "id, token, line, user_id, permission, created_at, expires_at, visit_count, visited_at, made_by"

    /// The links in the rows of a condition; an unreadable link is left out and reported.
    fileprivate func links(_ condition: String, _ arguments: [(any SQLConvertible)?]) throws -> [ShareLink] {
        try session.all("SELECT \(Self.linkColumns) FROM share_links \(condition)", arguments) { row in
            let link = ShareLink(row)
            if link == nil { unreadable("link of \(row.words)") }
            return link
        }
    }
}

extension ShareLink {
    /// The link in a row of `links`; `nil` if it is unreadable.
    init?(_ row: any SQLRow) {
        guard let id: ID<ShareLink> = row.id(0), let token = row.text(1).flatMap({ Token($0) }),
            let line: ID<Line> = row.id(2), let owner: ID<Person> = row.id(3),
            let permission = row.text(4).flatMap({ Permission(rawValue: $0) }), let created = row.integer(5),
            let expires = row.integer(6), let visitCount = row.integer(7)
        else { return nil }
        // The previous version of this program leaves it empty.
        let maker: ID<Person>? = row.id(9)
        self.init(
            id: id, token: token, line: line, owner: owner, maker: maker ?? owner, permission: permission,
            created: Instant(microseconds: created), expires: Instant(microseconds: expires),
            visitCount: Int(visitCount), lastVisit: row.instant(8))
    }
}
