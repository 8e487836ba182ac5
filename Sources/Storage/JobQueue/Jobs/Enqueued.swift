/// The queue's answer to a request.
public struct Enqueued: Hashable, Sendable {
    /// The new job, or the equal one that was there.
    public let id: JobID
    /// Whether an equal unfinished job was there already; it now has the higher priority of both.
    public let isDuplicate: Bool
}
