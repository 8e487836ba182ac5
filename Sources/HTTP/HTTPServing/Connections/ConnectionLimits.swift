/// The bounds of connections: none of them lets a client hold what others need.
public struct ConnectionLimits: Hashable, Sendable {
    /// The largest number of open connections; others wait to be accepted.
    public var connectionCount = 1024
    /// The largest number of connections from one network (`IPAddress.network`); others are closed as they come. `nil` for no bound.
    ///
    /// Proxies that are trusted and local sockets have none, as many clients come through them.
    public var connectionCountPerNetwork: Int? = 256
    /// From the connection, or the last answer, to the end of the next request's header.
    public var idleTime: Duration = .seconds(30)
    /// The same while all connections are taken.
    public var idleTimeWhenFull: Duration = .milliseconds(100)
    /// Without a byte of a request's body, while a route reads it.
    public var bodyStallTime: Duration = .seconds(30)
    /// Without a write that ends, while an answer waits for its client to read.
    public var writeStallTime: Duration = .seconds(60)
    /// After the last byte of a connection's last answer: until the connection is closed.
    ///
    /// A client that still sends would lose the answer if the connection were closed at once.
    public var lingerTime: Duration = .seconds(2)
    /// One field of a request's header.
    public var headerFieldByteCount = 16 << 10
    /// All fields together.
    public var headerByteCount = 32 << 10
    /// The number of fields.
    public var headerFieldCount = 100
    /// The number of connections that wait to be accepted; the kernel may allow fewer.
    public var backlog = 1024

    /// The usual bounds.
    public init() {}

    /// The usual bounds for clients that stall in the middle of a request for no longer than a time, and twice as long before they read.
    public init(stallTime: Duration) {
        bodyStallTime = stallTime
        writeStallTime = stallTime * 2
    }
}
