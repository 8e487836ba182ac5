public import Media

/// A place between two documents of a sorted list, which stays where it is while documents come and go.
public struct ListCursor: Hashable, Sendable {
    /// The order that the place belongs to.
    public let sort: ListQuery.Sort
    /// The sort key of the document before the place: the title folded, the type's word, or the number of schools.
    public let key: String
    /// When the document before the place was stored.
    public let created: Instant
    /// The ID of the document before the place.
    public let id: ID<Document>

    /// The place behind a document.
    public init(sort: ListQuery.Sort, key: String, created: Instant, id: ID<Document>) {
        self.sort = sort
        self.key = key
        self.created = created
        self.id = id
    }

    /// The place behind a document that a store has listed.
    public init(behind document: Document, sort: ListQuery.Sort) {
        let key =
            switch sort {
            case .newest, .oldest: ""
            case .name: document.title.folded
            case .type: document.type.rawValue
            case .mostShared: String(document.shares.count)
            }
        self.init(sort: sort, key: key, created: document.created, id: document.id)
    }

    /// The place as text for an address; its form may change with the program's version.
    public var text: String {
        let json = JSON.array([
            .string(sort.rawValue), .string(key), .integer(created.microseconds), .string(id.text),
        ])
        return Hex.string(Array(json.text.utf8))
    }

    /// A place from its text; `nil` for any other text.
    public init?(text: String) {
        guard text.utf8.count <= 4096, let bytes = Hex.bytes(Array(text.utf8)), let json = try? JSON(parsing: bytes),
            let parts = json.array, parts.count == 4,
            let sort = parts[0].string.flatMap(ListQuery.Sort.init(rawValue:)),
            let key = parts[1].string, let created = parts[2].integer,
            let id = parts[3].string.flatMap({ ID<Document>($0) })
        else { return nil }
        if sort == .mostShared, Int(key) == nil { return nil }
        self.init(sort: sort, key: key, created: Instant(microseconds: created), id: id)
    }
}
