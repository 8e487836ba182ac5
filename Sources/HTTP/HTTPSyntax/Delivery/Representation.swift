/// The bytes that a request may get, as conditions and ranges see them.
public struct Representation: Hashable, Sendable {
    /// The length of the whole.
    public let byteCount: Int64
    /// The tag of exactly these bytes.
    public let entityTag: EntityTag?
    /// When the bytes last changed.
    public let modified: HTTPDate?

    /// A representation of which at least the length is known.
    public init(byteCount: Int64, entityTag: EntityTag?, modified: HTTPDate? = nil) {
        precondition(byteCount >= 0)
        self.byteCount = byteCount
        self.entityTag = entityTag
        self.modified = modified
    }
}
