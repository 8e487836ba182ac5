public import Media

/// A document's row in the app's former tables, as far as it is readable.
public struct FormerDocument: Sendable {
    /// The document's ID, which stays.
    public let id: ID<Document>
    /// The ID as the row has it.
    let item: String
    /// The person below whose ID the file must be.
    public let owner: ID<Person>
    let type: DocumentType
    let title: String
    let description: String?
    let version: Int
    let isCurrent: Bool
    let school: ID<School>?
    let sharedWith: [ID<School>]
    /// Where the file is: its path in the bucket, or an address of it.
    public let fileAddress: String
    let uploader: ID<Person>
    let created: Instant?
    let updated: Instant?

    /// - Parameter row: all columns as one object.
    init(_ row: JSON) throws(FormerRowFault) {
        func text(_ column: String) -> String? {
            row[column]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        func id<Subject>(_ column: String) -> ID<Subject>? { text(column).flatMap { ID($0) } }
        guard let item = text("id"), let own: ID<Document> = id("id") else {
            throw FormerRowFault(column: "id", what: "is not a UUID")
        }
        guard let owner: ID<Person> = id("user_id") else {
            throw FormerRowFault(column: "user_id", what: "is not a UUID")
        }
        guard let type = text("type").flatMap(DocumentType.init(rawValue:)) else {
            throw FormerRowFault(column: "type", what: "is not one of the six types")
        }
        guard let address = text("file_url") else { throw FormerRowFault(column: "file_url", what: "is empty") }
        (self.id, self.item, self.owner, self.type, fileAddress) = (own, item, owner, type, address)
        title = Self.boundedName(text("title") ?? "", to: TextRules.longestTitle)
        description = text("description").map { Self.bounded($0, to: TextRules.longestDescription) }
        version = max(1, row["version"]?.int ?? 1)
        isCurrent = row["is_current"]?.bool ?? true
        school = id("school_id")
        sharedWith = (row["shared_with_schools"]?.array ?? []).compactMap { $0.string.flatMap { ID($0) } }
        uploader = id("uploaded_by") ?? owner
        created = text("created_at").flatMap { Instant($0) }
        updated = text("updated_at").flatMap { Instant($0) }
    }

    /// A name within the limits of other rows' titles and names, which are indexed.
    static func boundedName(_ name: String, to count: Int) -> String {
        TextRules.beginning(ofName: bounded(name, to: count), atMost: count)
    }

    /// A text within the limits of other rows' texts: at most `count` characters, all of them printable.
    static func bounded(_ text: String, to count: Int) -> String {
        let shown = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || $0 == "\n" }
        return String(String(String.UnicodeScalarView(shown)).prefix(count))
    }
}

/// Why a row of the former tables cannot become a document.
public struct FormerRowFault: Error, CustomStringConvertible {
    let column: String
    let what: String

    /// Column and fault, as "type is not one of the six types".
    public var description: String { "\(column) \(what)" }
}
