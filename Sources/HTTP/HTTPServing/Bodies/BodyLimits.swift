/// The limits of a request's body.
public struct BodyLimits: Hashable, Sendable {
    /// The maximum length, declared or counted.
    public var byteCount: Int64
    /// The maximum time without a byte; `nil` for the service's limit (`ConnectionLimits.bodyStallTime`).
    public var stallTime: Duration?
    /// The minimum average speed in bytes per second, measured over the time that the service waited for the client.
    public var leastSpeed: Int
    /// The time after which the speed counts; `nil` for the service's maximum time without a byte.
    public var graceTime: Duration?

    /// The default limits: the service's maximum time without a byte, and after that 1 KiB/s.
    public init(
        byteCount: Int64, stallTime: Duration? = nil, leastSpeed: Int = 1024, graceTime: Duration? = nil
    ) {
        self.byteCount = byteCount
        self.stallTime = stallTime
        self.leastSpeed = leastSpeed
        self.graceTime = graceTime
    }
}
