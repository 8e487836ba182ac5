public import Media

/// An object or an upload whose row was removed, and whose bytes are still to be removed.
public struct Removal: Hashable, Sendable {
    /// The object in the store of files.
    public let object: ObjectID
    /// The content, whose renditions go with the last object that has it; `nil` for the bytes of an upload, and where it cannot be
    /// read.
    public let digest: Digest?
    /// How many tries have failed.
    public let failureCount: Int
    /// When it is due; of one that was taken, the end of the lease, which no other taking of it has.
    public let due: Instant

    /// A removal as the store has read it.
    public init(object: ObjectID, digest: Digest?, failureCount: Int, due: Instant) {
        self.object = object
        self.digest = digest
        self.failureCount = failureCount
        self.due = due
    }
}
