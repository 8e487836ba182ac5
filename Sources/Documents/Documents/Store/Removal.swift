public import Media

/// An object or an upload whose row was removed, and whose bytes still have to be removed.
public struct Removal: Hashable, Sendable {
    /// The object in the store of files.
    public let object: ObjectID
    /// The content, whose renditions are removed with its last object; `nil` for the bytes of an upload, or if
    /// unreadable.
    public let digest: Digest?
    /// How many attempts have failed.
    public let failureCount: Int
    /// When it is due. Once it is taken, this is the end of the lease, which is different each time.
    public let due: Instant

    /// A removal as the store has read it.
    public init(object: ObjectID, digest: Digest?, failureCount: Int, due: Instant) {
        self.object = object
        self.digest = digest
        self.failureCount = failureCount
        self.due = due
    }
}
