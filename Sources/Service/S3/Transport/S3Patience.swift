/// How long a client waits, and how often it tries again.
public struct S3Patience: Sendable {
    /// For a connection, TLS included.
    public var connecting: Duration = .seconds(5)
    /// For the first byte of an answer, and between two bytes.
    public var stalling: Duration = .seconds(30)
    /// For one try as a whole.
    public var whole: Duration = .seconds(600)
    /// The most tries of one request.
    public var mostTries = 6
    /// The longest pause before the second try; it doubles with each further one.
    public var firstPause: Duration = .milliseconds(100)
    /// The longest pause of all, also where the store asks for a longer one.
    public var longestPause: Duration = .seconds(10)

    /// The usual patience.
    public init() {}
}
