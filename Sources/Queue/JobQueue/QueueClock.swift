internal import Linux

/// Where a queue takes the time from; a test sets it by hand.
public protocol QueueClock: Sendable {
    var now: QueueInstant { get }
}

/// The machine's wall clock.
///
/// All workers of one queue must agree on it to within a part of the lease: a clock that is ahead takes others' leases.
public struct WallClock: QueueClock {
    public init() {}

    public var now: QueueInstant { QueueInstant(milliseconds: Time.wall / 1_000_000) }
}
