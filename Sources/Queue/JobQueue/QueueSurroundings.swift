/// What a queue takes from outside: time, chance and numbers. Tests give their own.
public struct QueueSurroundings: Sendable {
    public var clock: any QueueClock
    /// 64 evenly distributed bits, for the jitter of backoffs. Lease tokens always come from the system's generator.
    public var random: @Sendable () -> UInt64
    public var policy: QueuePolicy

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
