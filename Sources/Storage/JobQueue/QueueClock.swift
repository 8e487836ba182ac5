internal import Linux

/// A queue's source of time; tests set their own.
public protocol QueueClock: Sendable {
    /// The current time.
    var now: QueueInstant { get }
}

/// The machine's wall clock.
///
/// The clocks of all workers of a queue must agree to within a fraction of the lease. A worker whose clock is ahead
/// reclaims the leases of the others.
public struct WallClock: QueueClock {
    /// The clock of this machine.
    public init() {}

    /// The wall clock's time, truncated to the millisecond.
    public var now: QueueInstant { QueueInstant(milliseconds: Time.wall / 1_000_000) }
}
