/// The queue's answer to a request.
public struct Enqueued: Hashable, Sendable {
    /// The new job, or the equal job that was already there.
    public let id: JobID
    /// Whether an equal unfinished job was already there. It now has the higher of both priorities.
    public let isDuplicate: Bool
}
