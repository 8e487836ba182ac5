internal import Database
internal import Media

/// Reads and writes the columns of `documents`.
///
/// Values are checked one by one: a row with a value that nobody can have written is unreadable, and `nil`.
struct DocumentRow {
    /// The columns that a version is stored in.
    static let names = """
        id, line, user_id, type, title, description, version, is_current, school_id, object_id, file_name, file_type, \
        digest, byte_count, facts, placeholder, state, failure, uploaded_by, created_at, updated_at, share_count, \
        file_path
        """

    /// The same columns as `document` reads them. SQLite checks neither type nor content: facts that are not JSON are
    /// NULL.
    static func columns(_ dialect: SQLDialect) -> String {
        switch dialect {
        case .sqlite: sqliteColumns
        case .postgreSQL: names
        }
    }

    private static let sqliteColumns = names.replacing(" facts,", with: " iif(json_valid(facts), facts, NULL),")

    static let columnCount = 23
    static let idColumn = 0
    static let typeColumn = 3
    static let shareCountColumn = 21

    /// The version in a row of `columns`, without its shares; `nil` if it is unreadable.
    static func document(_ row: any SQLRow) -> Document? {
        guard let id: ID<Document> = row.id(0, inLowerCase: true), let line: ID<Line> = row.id(1),
            let owner: ID<Person> = row.id(2), let type = row.text(3).flatMap(DocumentType.init(rawValue:)),
            let title = row.text(4), let version = row.integer(6), (1...1 << 40).contains(version),
            let isCurrent = row.integer(7), let path = row.text(22), let name = row.text(10),
            let mediaType = row.text(11), let digest = row.digest(12),
            let byteCount = row.integer(13), let state = row.text(16).flatMap(Document.State.init(rawValue:)),
            let uploader: ID<Person> = row.id(18), let created = row.integer(19), let updated = row.integer(20)
        else { return nil }
        return Document(
            id: id, line: line, owner: owner, type: type, title: title, description: row.text(5),
            version: Int(version), isCurrent: isCurrent != 0, school: row.id(8),
            file: Document.File(
                object: row.object(9), path: path, name: name, mediaType: MediaType(rawValue: mediaType),
                digest: digest, byteCount: byteCount),
            facts: row.text(14).flatMap(FactsText.init(stored:)), placeholder: row.text(15), state: state,
            failure: row.text(17), uploader: uploader, created: Instant(microseconds: created),
            updated: Instant(microseconds: updated), shares: [])
    }

    /// The text that searches look in.
    static func searchText(title: String, description: String?) -> String {
        description.map { "\(title)\n\($0)".folded } ?? title.folded
    }
}
