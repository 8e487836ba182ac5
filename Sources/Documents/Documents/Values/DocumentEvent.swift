public import Media

/// Something that happened to a document, as clients are told.
public struct DocumentEvent: Hashable, Sendable {
    /// The place in the order of all events, which grows.
    public let number: Int64
    /// The person who is told.
    public let owner: ID<Person>
    /// What happened.
    public let kind: Kind
    /// The version that it happened to.
    public let document: ID<Document>
    /// The version's line.
    public let line: ID<Line>
    /// When it happened.
    public let moment: Instant

    /// The kinds of events; the raw value is the name that clients receive.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stored = "document.stored"
        case changed = "document.changed"
        case deleted = "document.deleted"
        case pictureReady = "picture.ready"
        case pictureFailed = "picture.failed"
    }
}
