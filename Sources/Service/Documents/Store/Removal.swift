public import Media

/// A file whose version was removed, and which is still to be removed itself.
public struct Removal: Hashable, Sendable {
    /// The path in the object store.
    public let path: String
    /// The content, whose renditions go with the last version that has it.
    public let digest: Digest
    /// How many tries have failed.
    public let failureCount: Int
    /// When it is due; of one that was taken, the end of the lease, which no other taking of it has.
    public let due: Instant

    /// A removal as the store has read it.
    public init(path: String, digest: Digest, failureCount: Int, due: Instant) {
        self.path = path
        self.digest = digest
        self.failureCount = failureCount
        self.due = due
    }
}
