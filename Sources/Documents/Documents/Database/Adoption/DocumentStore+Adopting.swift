internal import Database
internal import JobQueue
public import Media

/// Copying the rows of the app's former tables (`FormerTables`). Each row is a transaction, so copying can stop at any
/// time and later continues from there.
extension DocumentStore {
    /// Whether former tables were adopted.
    public func hasFormerTables() throws(DocumentError) -> Bool {
        guard database.dialect == .postgreSQL else { return false }
        return try read { table in try FormerTables.has("progress", in: table.session) }
    }

    /// Copies schools and templates. Call it before the documents that name them are copied.
    ///
    /// - Returns: how many were copied, and the IDs of rows that are unreadable or exist already.
    public func adoptSchoolsAndTemplates() throws(DocumentError) -> (count: Int, leftOut: [String]) {
        try write(of: nil) { table in
            var result = (count: 0, leftOut: [String]())
            for kind in [FormerItem.school, .template] where try FormerTables.has(kind.table, in: table.session) {
                for (item, row) in try table.formerRows(of: kind.table) {
                    if try row.map({ try kind.copy($0, in: table) }) == true {
                        result.count += 1
                        try table.markAdopted(item)
                    } else {
                        result.leftOut.append(item)
                    }
                }
            }
            return result
        }
    }

    /// A row of the former documents that waits to be copied.
    public struct WaitingDocument: Sendable {
        /// The row's ID.
        public let id: String
        /// Its place among the waiting rows, oldest first.
        public let place: Int64
        /// Its values, or what is wrong.
        public let row: Result<FormerDocument, FormerRowFault>
    }

    /// At most `limit` rows of documents behind a place that wait to be copied, oldest first.
    ///
    /// - Parameter place: 0 for the first page.
    public func formerDocuments(behind place: Int64, limit: Int) throws(DocumentError) -> [WaitingDocument] {
        try read { table in
            guard try FormerTables.has("documents", in: table.session) else { return [] }
            return try table.session.all(
                """
                SELECT waiting.item, waiting.place, CAST(to_jsonb(former) AS text) FROM (
                    SELECT item, place FROM adopted.progress WHERE place > ? ORDER BY place LIMIT ?
                ) AS waiting LEFT JOIN adopted.documents AS former ON CAST(former.id AS text) = waiting.item ORDER BY waiting.place
                """, [place, limit]
            ) { row in
                let former = Result { () throws(FormerRowFault) in
                    guard let row = row.json(2) else { throw FormerRowFault(column: "the row", what: "cannot be read") }
                    return try FormerDocument(row)
                }
                return WaitingDocument(id: row.text(0) ?? "", place: row.integer(1) ?? 0, row: former)
            }
        }
    }

    /// Records why a row was left out. The row keeps waiting, for the next time.
    public func leaveOut(_ former: WaitingDocument, because reason: String) throws(DocumentError) {
        _ = try write(of: nil) { table in
            try table.session.execute("UPDATE adopted.progress SET reason = ? WHERE item = ?", [reason, former.id])
        }
    }

    /// The number of document rows that wait to be copied.
    public func formerDocumentCount() throws(DocumentError) -> Int {
        try read { table in
            guard try FormerTables.has("documents", in: table.session) else { return 0 }
            return Int(
                try table.session.integer("SELECT count(*) FROM adopted.progress WHERE place IS NOT NULL") ?? 0)
        }
    }

    /// Copies a row, and queues its pictures behind all other jobs.
    ///
    /// A first version begins a line; a later version joins the newest line of its owner, type and title. ID, number
    /// and times stay. A school that is not in the owner's list is left out.
    /// - Parameters:
    ///   - file: has an object whose bytes are stored, and which was announced as an intake.
    ///   - state: `stored` or `quarantined`.
    /// - Throws: `taken` if another file has the path; `conflict` if the person was removed.
    public func adopt(
        _ former: FormerDocument, file: Document.File, facts: Facts, state: Document.State
    ) throws(DocumentError) {
        try write(of: former.owner, addsJobs: state == .stored) { table in
            try Self.requireNotRemoved(former.owner, in: table)
            let title = former.title.isEmpty ? String(file.name.prefix(TextRules.longestTitle)) : former.title
            let line = former.version > 1 ? try table.newestLine(of: former.owner, former.type, title) : nil
            let highest = try line.flatMap { try table.highestVersion(of: $0) } ?? 0
            let schools = Set(try table.schools(of: former.owner))
            let created = former.created ?? table.now
            let document = Document(
                id: former.id, line: line ?? .make(at: created), owner: former.owner, type: former.type, title: title,
                description: former.description, version: max(highest + 1, former.version),
                isCurrent: former.isCurrent, school: former.school.flatMap { schools.contains($0) ? $0 : nil },
                file: file, facts: FactsText(facts), placeholder: nil, state: state, failure: nil,
                uploader: former.uploader, created: created, updated: former.updated ?? created, shares: [])
            try Self.insertObject(of: document, in: table)
            if let object = file.object { try table.end(.intake, of: object, with: nil) }
            if document.isCurrent { try table.clearMarks(of: document.line) }
            try table.insert(document, isShown: document.isCurrent)
            try table.showBest(of: document.line)
            for school in former.sharedWith where schools.contains(school) {
                try table.session.execute(
                    """
                    INSERT INTO document_shares (id, line, school_id, permission, created_at)
                    VALUES (?, ?, ?, 'view', ?) ON CONFLICT DO NOTHING
                    """,
                    [
                        ID<Share>.make(at: table.now).text, document.line.text, school.text, table.now.microseconds,
                    ])
            }
            try table.countShares(of: document.line.text)
            try table.note(.stored, document)
            if state == .stored { try enqueuePictures(of: document, at: .backfill, in: table) }
            try table.markAdopted(former.item)
        }
    }
}

extension DocumentTable {
    /// The rows of a former table that are not copied yet, with their IDs, as JSON with whatever columns they have;
    /// `nil` for a row that cannot be parsed.
    fileprivate func formerRows(of name: String) throws -> [(item: String, row: JSON?)] {
        try session.all(
            """
            SELECT CAST(former.id AS text), CAST(to_jsonb(former) AS text) FROM adopted.\(name) AS former
            WHERE NOT EXISTS (SELECT 1 FROM adopted.progress WHERE item = CAST(former.id AS text))
            ORDER BY to_jsonb(former) ->> 'created_at' NULLS FIRST, former.id
            """
        ) { row in (row.text(0) ?? "", row.json(1)) }
    }

    /// Marks a row as copied: it has no place then.
    fileprivate func markAdopted(_ item: String) throws {
        try session.execute(
            """
            INSERT INTO adopted.progress (item) VALUES (?) ON CONFLICT (item) DO UPDATE SET place = NULL, reason = NULL
            """, [item])
    }

    fileprivate func newestLine(of owner: ID<Person>, _ type: DocumentType, _ title: String) throws -> ID<Line>? {
        try session.text(
            """
            SELECT line FROM documents WHERE user_id = ? AND title_key = ? AND type = ? AND title = ?
            ORDER BY created_at DESC, id DESC LIMIT 1
            """, [owner.text, title.folded, type.rawValue, title]
        ).flatMap { ID($0) }
    }

    fileprivate func schools(of owner: ID<Person>) throws -> [ID<School>] {
        try session.all("SELECT id FROM schools WHERE user_id = ?", [owner.text]) { $0.id(0) }
    }

    /// Shows the current version of a line, or the highest version if none is current.
    fileprivate func showBest(of line: ID<Line>) throws {
        try session.execute(
            """
            UPDATE documents SET shown = FALSE WHERE line = ?1 AND shown AND NOT is_current
            """, [line.text])
        try showHighest(of: line)
    }
}

/// The rows that are copied besides documents.
private enum FormerItem {
    case school
    case template

    var table: String {
        switch self {
        case .school: "schools"
        case .template: "communication_templates"
        }
    }

    /// - Returns: whether it was copied.
    func copy(_ row: JSON, in table: DocumentTable) throws -> Bool {
        func text(_ column: String) -> String? { row[column]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        func moment(_ column: String) -> Int64 {
            (text(column).flatMap { Instant($0) } ?? table.now).microseconds
        }
        guard let owner: ID<Person> = text("user_id").flatMap({ ID($0) }), let name = text("name") else { return false }
        switch self {
        case .school:
            guard let id: ID<School> = text("id").flatMap({ ID($0) }) else { return false }
            let bounded = FormerDocument.boundedName(name, to: TextRules.longestSchoolName)
            return try table.session.execute(
                "INSERT INTO schools VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [id.text, owner.text, bounded, bounded.folded, moment("created_at")]) > 0
        case .template:
            guard let id: ID<CommunicationTemplate> = text("id").flatMap({ ID($0) }), let body = text("body"),
                let type = text("type").flatMap(CommunicationTemplate.Channel.init(rawValue:))
            else { return false }
            let template = CommunicationTemplate(
                id: id, owner: owner, type: type, name: FormerDocument.bounded(name, to: TextRules.longestTemplateName),
                body: FormerDocument.bounded(body, to: TextRules.longestTemplateBody),
                created: Instant(microseconds: moment("created_at")),
                updated: Instant(microseconds: moment("updated_at")))
            return try table.insert(template) > 0
        }
    }
}
