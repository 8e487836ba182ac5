internal import Documents
internal import GRDB
internal import Media

/// Reads and writes the columns of `documents`.
///
/// GRDB's own conversions end the process at a value of another type, so values are looked at one by one: a row with a value that
/// nobody can have written is unreadable, and `nil`.
struct DocumentRow {
    /// The columns that a version is read from, in the order that `document` expects.
    static let columns = """
        id, line, user_id, type, title, description, version, is_current, school_id, object_path, file_name, file_type, \
        digest, byte_count, facts, placeholder, state, failure, uploaded_by, created_at, updated_at, share_count
        """

    static let columnCount = 22
    static let typeColumn = 3
    static let shareCountColumn = 21

    /// The version in a row of these columns, without its shares; `nil` where it cannot be read.
    static func document(_ row: Row) -> Document? {
        guard let id = text(row[0]).flatMap({ ID<Document>($0) }), id.text == text(row[0]),
            let line = text(row[1]).flatMap({ ID<Line>($0) }),
            let owner = text(row[2]).flatMap({ ID<Person>($0) }),
            let type = text(row[3]).flatMap(DocumentType.init(rawValue:)), let title = text(row[4]),
            let version = integer(row[6]), (1...1 << 40).contains(version), let isCurrent = integer(row[7]),
            let path = text(row[9]), let name = text(row[10]), let mediaType = text(row[11]),
            let digest = text(row[12]).flatMap({ Digest(hex: $0) }), let byteCount = integer(row[13]),
            let state = text(row[16]).flatMap(Document.State.init(rawValue:)),
            let uploader = text(row[18]).flatMap({ ID<Person>($0) }), let created = integer(row[19]),
            let updated = integer(row[20])
        else { return nil }
        let facts = text(row[14]).flatMap { try? JSON(parsing: Array($0.utf8)) }.flatMap(Facts.init(json:))
        return Document(
            id: id, line: line, owner: owner, type: type, title: title, description: text(row[5]),
            version: Int(version), isCurrent: isCurrent != 0, school: text(row[8]).flatMap { ID<School>($0) },
            file: Document.File(
                path: path, name: name, mediaType: MediaType(rawValue: mediaType), digest: digest, byteCount: byteCount),
            facts: facts, placeholder: text(row[15]), state: state, failure: text(row[17]), uploader: uploader,
            created: Instant(microseconds: created), updated: Instant(microseconds: updated), shares: [])
    }

    /// The identity in a row of `columns`, where it is written as this program writes it.
    static func id(_ row: Row) -> ID<Document>? {
        guard let text = text(row[0]), let id = ID<Document>(text), id.text == text else { return nil }
        return id
    }

    /// The text of a value; `nil` for NULL and what is no text.
    static func text(_ value: DatabaseValue) -> String? {
        if case .string(let text) = value.storage { text } else { nil }
    }

    /// A value as the log names its row; `?` for what is no text.
    static func words(_ value: DatabaseValue) -> String { text(value).map { String($0.prefix(60)) } ?? "?" }

    /// A value as a whole number; `nil` for NULL and what is none.
    static func integer(_ value: DatabaseValue) -> Int64? {
        if case .int64(let number) = value.storage { number } else { nil }
    }

    /// What searches look into.
    static func searchText(title: String, description: String?) -> String {
        description.map { "\(title)\n\($0)".folded } ?? title.folded
    }
}
