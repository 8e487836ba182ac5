internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Linux
internal import Logging

/// Opens the exchange of each request: its id, its origin, its line in the log and its entry in the metrics.
///
/// The line is written when the last byte of the answer has been sent. It contains no query values, no secret paths and
/// no header fields, and so no token.
struct ExchangeOpening: Sendable {
    let connections: Connections
    let proxies: TrustedProxies
    let log: Logger
    /// The folders below which the log has patterns instead of paths.
    var secretFolders: [String] = []

    static let idName = HTTPField.Name("X-Request-Id")!

    /// - Parameters:
    ///   - connection: `nil` in tests of a router alone.
    ///   - route: has the path's pattern when the exchange ends.
    ///   - began: when the header was read.
    func open(
        _ request: HTTPRequest, _ uri: URI, on connection: Connection?, route: EndpointPath,
        began: Duration = Time.monotonic
    ) -> Passage {
        var passage = Passage()
        // A client elsewhere that chose ids could make another request's log lines look like its own.
        let isBelieved = connection?.peer.map { $0.isLoopback || proxies.contains($0) } ?? true
        passage.requestID = ServingRequestID.taken(
            from: isBelieved ? request.headerFields.single(Self.idName.rawName) : nil)
        passage.connection = connection
        passage.bodyStallTime = connections.limits.bodyStallTime
        passage.origin = proxies.origin(peer: connection?.peer, headers: request.headerFields)
        let exchange = Exchange(
            id: passage.requestID, method: request.method.rawValue, uri: uri,
            client: passage.origin.address?.text ?? "-", route: route,
            secretFolders: secretFolders, began: began
        ) { [log, metrics = connections.metrics] account in
            metrics.note(account)
            Self.tell(account, log)
        }
        connections.metrics.noteBegin()
        passage.exchange = exchange
        // Without a connection, nothing would end the exchange.
        guard let connection else {
            exchange.finish(isWhole: true)
            return passage
        }
        passage.place = connection.begin(exchange)
        return passage
    }

    private static func tell(_ account: Exchange.Account, _ log: Logger) {
        // Probes arrive every few seconds.
        let level: Logger.Level =
            account.status >= 500
            ? .warning : ["/healthz", "/readyz", "/metrics"].contains(account.route) ? .debug : .info
        log.log(
            level: level, "request",
            metadata: [
                "request": "\(account.exchange.id)", "client": "\(account.exchange.client)",
                "method": "\(account.exchange.method)", "path": "\(account.exchange.target)",
                "status": "\(account.status)", "bytes": "\(account.sentByteCount)",
                "received": "\(account.receivedByteCount)",
                "ms": "\((account.duration.milliseconds * 10).rounded() / 10)",
            ].merging(account.isWhole ? [:] : ["interrupted": "true"]) { own, _ in own })
    }
}
