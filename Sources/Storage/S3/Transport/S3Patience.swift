/// How long a client waits, and how often it tries again.
public struct S3Patience: Sendable {
    /// For a connection, TLS included.
    public var connecting: Duration = .seconds(5)
    /// For the first byte of an answer. A try is given up, too, after so long with fewer bytes than `leastSpeed` asks for.
    public var stalling: Duration = .seconds(30)
    /// The fewest bytes a second.
    public var leastSpeed = 10_000
    /// For one request with all its tries.
    public var whole: Duration = .seconds(600)
    /// The most tries of one request; one that stalls counts as half of them.
    public var mostTries = 6
    /// The longest pause before the second try; it doubles with each further one.
    public var firstPause: Duration = .milliseconds(100)
    /// The longest pause of all, also where the store asks for a longer one.
    public var longestPause: Duration = .seconds(10)
    /// For how long a store that does not answer is left alone; zero asks it again each time.
    public var resting: Duration = .seconds(3)

    /// The usual patience.
    public init() {}
}
