public import Media

/// What somebody has begun by one request and ends by another, which any process may get.
public struct AccountTicket: Hashable, Sendable {
    /// A digest of what the other request has to bring, so that the store has nothing that opens anything.
    public let name: String
    /// What was begun.
    public let content: JSON
    /// From when it is worth nothing.
    public let end: Instant

    /// A ticket of these parts.
    public init(name: String, content: JSON, end: Instant) {
        self.name = name
        self.content = content
        self.end = end
    }
}
