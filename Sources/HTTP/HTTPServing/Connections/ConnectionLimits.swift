/// The limits of connections: none of them lets a client hold what others need.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum number of open connections; others wait to be accepted.
    public var connectionCount = 1024
    /// The maximum number of connections from one network (`IPAddress.network`); others are closed when they arrive.
    /// `nil` for no limit.
    ///
    /// Trusted proxies and local sockets have no limit, because many clients come through them.
    public var connectionCountPerNetwork: Int? = 256
    /// Time limit from the connection, or the last answer, to the end of the next request's header.
    public var idleTime: Duration = .seconds(30)
    /// The same limit while all connections are taken.
    public var idleTimeWhenFull: Duration = .milliseconds(100)
    /// Time limit without a byte of a request's body while a route reads it.
    public var bodyStallTime: Duration = .seconds(30)
    /// Time limit without a completed write while an answer waits for its client to read.
    public var writeStallTime: Duration = .seconds(60)
    /// The time from the last byte of a connection's last answer until the connection is closed.
    ///
    /// A client that is still sending would lose the answer if the connection were closed at once.
    public var lingerTime: Duration = .seconds(2)
    /// The size limit of one field of a request's header.
    public var headerFieldByteCount = 16 << 10
    /// The size limit of all fields together.
    public var headerByteCount = 32 << 10
    /// The maximum number of fields.
    public var headerFieldCount = 100
    /// The maximum number of connections that wait to be accepted; the kernel may allow fewer.
    public var backlog = 1024

    /// The default limits.
    public init() {}

    /// The default limits, except that clients may stall for a given time in the middle of a request, and twice as long
    /// before they read.
    public init(stallTime: Duration) {
        bodyStallTime = stallTime
        writeStallTime = stallTime * 2
    }
}
