/// How long a client waits, and how often it retries.
public struct S3Patience: Sendable {
    /// The time limit of a connection, including TLS.
    public var connecting: Duration = .seconds(5)
    /// The time limit of the first byte of an answer. An attempt also ends after this long at less than `leastSpeed`.
    public var stalling: Duration = .seconds(30)
    /// The minimum speed in bytes per second.
    public var leastSpeed = 10_000
    /// The time limit of one request with all its retries.
    public var whole: Duration = .seconds(600)
    /// The maximum number of attempts for one request. An attempt that stalls counts as half of them.
    public var mostTries = 6
    /// The maximum pause before the first retry; it doubles with each further retry.
    public var firstPause: Duration = .milliseconds(100)
    /// The maximum of all pauses, even if the store requests a longer one.
    public var longestPause: Duration = .seconds(10)
    /// How long a store that does not answer gets no requests; with zero, it is asked each time.
    public var resting: Duration = .seconds(3)

    /// The default patience.
    public init() {}
}
