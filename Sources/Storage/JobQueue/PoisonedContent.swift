public import Media

/// A content on which renderers' children crashed, with the renderers' build. Another build may be able to open it.
public struct PoisonedContent: Hashable, Sendable {
    /// The SHA-256 of the content.
    public let digest: Digest
    /// The build of the renderers, as the host reports it.
    public let build: String
    /// The crashes under this build.
    public let crashCount: Int
    /// The time of the last crash of a child.
    public let lastCrash: QueueInstant
}
