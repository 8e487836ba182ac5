/// The bounds of a request's body.
public struct BodyLimits: Hashable, Sendable {
    /// The largest length, declared or counted.
    public var byteCount: Int64
    /// The longest time without a byte.
    public var stallTime: Duration
    /// The least average speed in bytes a second, counted over the time that the service waited for the client.
    public var leastSpeed: Int
    /// The time after which the speed counts.
    public var graceTime: Duration

    /// The usual bounds: 30 s without a byte, and 1 KiB/s after 30 s.
    public init(
        byteCount: Int64, stallTime: Duration = .seconds(30), leastSpeed: Int = 1024,
        graceTime: Duration = .seconds(30)
    ) {
        self.byteCount = byteCount
        self.stallTime = stallTime
        self.leastSpeed = leastSpeed
        self.graceTime = graceTime
    }

    /// The bounds of a body that holds memory for which others wait: 5 s without a byte, and 32 KiB/s after 10 s.
    var whileOthersWait: BodyLimits {
        BodyLimits(
            byteCount: byteCount, stallTime: min(stallTime, .seconds(5)), leastSpeed: max(leastSpeed, 32 << 10),
            graceTime: min(graceTime, .seconds(10)))
    }
}
