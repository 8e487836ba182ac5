public import Media

/// Content whose children crashed: with the renderer's build, since another build may be able to open it.
public struct PoisonedContent: Hashable, Sendable {
    public let digest: Digest
    /// The renderer's build, as it reports it.
    public let build: String
    public let crashCount: Int
    public let lastCrash: QueueInstant
}
