public import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
internal import HummingbirdCore
internal import Linux
public import Logging

/// Gives each request its id and origin, its line in the log and its place in the metrics, and ends work for clients that left.
///
/// It stands before all others. The line is written when the last byte of the answer has left: it has neither values of the
/// query nor fields of the header, and so no token.
public struct ExchangeMiddleware<Context: ServingContext>: RouterMiddleware {
    private let connections: Connections
    private let proxies: TrustedProxies
    private let log: Logger

    /// - Parameter service: the server that the routes are for.
    public init(_ service: ServingParts, proxies: TrustedProxies, log: Logger) {
        connections = service.connections
        self.proxies = proxies
        self.log = log
    }

    /// Passes the request on with a filled context.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let id = ServingRequestID.taken(from: request.headers.single(idName.rawName))
        context.passage.requestID = id
        context.logger[metadataKey: "hb.request.id"] = nil
        context.logger[metadataKey: "request"] = "\(id)"
        context.passage.connection = connections[context.channel]
        context.passage.origin = proxies.origin(peer: context.passage.connection?.peer, headers: request.headers)
        begin(request, &context)
        var response: Response
        do {
            if connections.isStopping { throw ServingError.stopping }
            response = try await answer(request, context, next)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        response.headers[idName] = id
        return response
    }

    private let idName = HTTPField.Name("X-Request-Id")!

    private func begin(_ request: Request, _ context: inout Context) {
        let (log, metrics) = (log, connections.metrics)
        let exchange = Exchange(
            id: context.passage.requestID, method: request.method.rawValue, target: Self.target(of: request.uri),
            client: context.passage.origin.address?.text ?? "-", route: context.coreContext.endpointPath
        ) { account in
            metrics.note(account)
            Self.tell(account, log)
        }
        metrics.noteBegin()
        context.passage.exchange = exchange
        // Without a connection, in tests of a router alone, nothing would end the exchange.
        guard let connection = context.passage.connection else { return exchange.finish(isWhole: true) }
        context.passage.place = connection.begin(exchange)
    }

    /// Ends the work for a read whose client has left; a write goes on to its end.
    private func answer(
        _ request: Request, _ context: Context, _ next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let connection = context.passage.connection, request.method == .get || request.method == .head else {
            return try await next(request, context)
        }
        return try await withUnsafeCurrentTask { task in
            // Sound: the handler is taken back before the scope of the task ends, and no call of it goes on after that.
            nonisolated(unsafe) let task = task
            connection.setDepartureHandler { task?.cancel() }
            defer { connection.removeDepartureHandler() }
            return try await next(request, context)
        }
    }

    /// `/api/documents?type=&sort=`
    static func target(of uri: URI) -> String {
        let names = (uri.query ?? "").split(separator: "&").prefix(32).map { item in
            item.prefix { $0 != "=" } + (item.contains("=") ? "=" : "")
        }
        let path = String(uri.path.prefix(1000))
        return names.isEmpty ? path : "\(path)?\(names.joined(separator: "&").prefix(500))"
    }

    private static func tell(_ account: Exchange.Account, _ log: Logger) {
        // Probes come every few seconds.
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
