/// A queue's clock, random numbers and policy; tests replace them.
public struct QueueSurroundings: Sendable {
    /// The source of all times that the queue stores.
    public var clock: any QueueClock
    /// Returns 64 evenly distributed bits for the random part of backoffs. Lease tokens always come from the system's
    /// generator.
    public var random: @Sendable () -> UInt64
    /// The limits and delays.
    public var policy: QueuePolicy

    /// By default, the wall clock, the system's random number generator and the default policy.
    public init(
        clock: any QueueClock = WallClock(), random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) },
        policy: QueuePolicy = QueuePolicy()
    ) {
        self.clock = clock
        self.random = random
        self.policy = policy
    }

    var now: QueueInstant { clock.now }
}
