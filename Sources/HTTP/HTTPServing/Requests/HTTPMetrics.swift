internal import Linux
internal import Synchronization

/// Counts requests by route, method and status.
public final class HTTPMetrics: Sendable {
    private struct State {
        var requests: [String: UInt64] = [:]
        var durations: [String: Histogram] = [:]
        var received: UInt64 = 0
        var sent: UInt64 = 0
        var interrupted: UInt64 = 0
        var unreadable: UInt64 = 0
        var refusedConnections: UInt64 = 0
        var running = 0
    }

    private let state = Mutex(State())
    private let prefix: String

    /// - Parameter prefix: the beginning of all names, such as `documentd`.
    public init(prefix: String) { self.prefix = prefix }

    func noteBegin() { state.withLock { $0.running += 1 } }

    /// Counts a request that the parser refused before any route saw it.
    func noteUnreadable() { state.withLock { $0.unreadable += 1 } }

    /// Counts a connection that was closed because its client had too many.
    func noteRefusedConnection() { state.withLock { $0.refusedConnections += 1 } }

    func note(_ account: Exchange.Account) {
        // Clients may send any method; labels come from a short list.
        let method = Self.methods.contains(account.exchange.method) ? account.exchange.method : "other"
        let labels = "route=\"\(account.route)\",method=\"\(method)\""
        state.withLock { state in
            state.requests["\(labels),status=\"\(account.status)\"", default: 0] += 1
            state.durations[labels, default: Histogram()].observe(account.duration.milliseconds / 1000)
            state.received += UInt64(account.receivedByteCount)
            state.sent += UInt64(account.sentByteCount)
            if !account.isWhole { state.interrupted += 1 }
            state.running -= 1
        }
    }

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// All counts in Prometheus' text format.
    public var families: [MetricFamily] {
        let state = state.withLock { $0 }
        return [
            .counter("\(prefix)_requests_total", "Finished requests, by route, method and status.", state.requests),
            .histogram(
                "\(prefix)_request_duration_seconds", "Time from a request's header to the last byte of its response.",
                state.durations),
            .counter("\(prefix)_received_bytes_total", "Bytes of request bodies.", ["": state.received]),
            .counter("\(prefix)_sent_bytes_total", "Bytes of response bodies.", ["": state.sent]),
            .counter(
                "\(prefix)_interrupted_requests_total", "Requests whose response was not sent completely.",
                ["": state.interrupted]),
            .counter(
                "\(prefix)_unreadable_requests_total", "Requests that are not HTTP, or exceed the limits of a header.",
                ["": state.unreadable]),
            .counter(
                "\(prefix)_refused_connections_total", "Connections closed because their client had too many.",
                ["": state.refusedConnections]),
            .gauge("\(prefix)_requests_running", "Requests in progress.", ["": Double(state.running)]),
        ]
    }
}
