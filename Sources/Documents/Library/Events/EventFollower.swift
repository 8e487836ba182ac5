/// A client that follows a person's events, for as long as this object exists.
public final class EventFollower: Sendable {
    private let mailbox: EventMailbox
    private let leave: @Sendable () -> Void

    init(_ mailbox: EventMailbox, leave: @escaping @Sendable () -> Void) {
        self.mailbox = mailbox
        self.leave = leave
    }

    deinit { leave() }

    /// The next events, oldest first, as soon as there are any; empty if there are none within `limit`.
    ///
    /// Only one task may call it at a time, and waiting holds no thread.
    /// - Returns: `nil` at the end: the service is about to stop, or the caller's task is cancelled.
    public func next(within limit: Duration) async -> [ClientEvent]? { await mailbox.take(within: limit) }
}
