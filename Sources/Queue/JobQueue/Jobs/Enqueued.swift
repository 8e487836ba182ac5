/// What became of a request.
public struct Enqueued: Hashable, Sendable {
    public let id: JobID
    /// Whether an equal unfinished job was there already; its priority is now the higher of both.
    public let isDuplicate: Bool
}
