/// A client that follows a person's events, for as long as somebody has this object.
public final class EventFollower: Sendable {
    private let mailbox: EventMailbox
    private let leave: @Sendable () -> Void

    init(_ mailbox: EventMailbox, leave: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        self.leave = leave
    }

    deinit { leave() }

    /// What there is to tell, the oldest event first, as soon as there is something; nothing after `limit` without any.
    ///
    /// One task may ask at a time, and waiting holds no thread.
    /// - Returns: `nil` at the end: the service is about to stop, or the caller's task is cancelled.
    public func next(within limit: Duration) async -> [ClientEvent]? { await mailbox.take(within: limit) }
}
