public import Media

/// The state between a request that begins something and another that finishes it, in any process.
public struct AccountTicket: Hashable, Sendable {
    /// A digest of what the other request must bring, so that the store has nothing that opens anything.
    public let name: String
    /// What was begun.
    public let content: JSON
    /// When it expires.
    public let end: Instant

    /// A ticket of these parts.
    public init(name: String, content: JSON, end: Instant) {
        self.name = name
        self.content = content
        self.end = end
    }
}
