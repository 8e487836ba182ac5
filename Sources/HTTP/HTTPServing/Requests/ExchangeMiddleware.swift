public import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
internal import HummingbirdCore
internal import Linux
public import Logging

/// Gives each request its id, its origin, a line in the log and an entry in the metrics, and ends work for clients that
/// left.
///
/// It comes before all other middlewares.
public struct ExchangeMiddleware<Context: ServingContext>: RouterMiddleware {
    private let exchanges: ExchangeOpening

    /// - Parameters:
    ///   - service: the server that the routes are for.
    ///   - secretFolders: folders such as `/api/resume/`; for paths below them, the log has the route's pattern
    ///     instead.
    public init(_ service: ServingParts, proxies: TrustedProxies, log: Logger, secretFolders: [String] = []) {
        exchanges = ExchangeOpening(
            connections: service.connections, proxies: proxies, log: log, secretFolders: secretFolders)
    }

    /// Passes the request on with a filled context.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.passage = exchanges.open(
            request.head, request.uri, on: exchanges.connections[context.channel],
            route: context.coreContext.endpointPath)
        // While the event loop is busy, the answers to many requests that arrived together would pile up.
        if let connection = context.passage.connection, connection.isBehind { try? await connection.departure() }
        let id = context.passage.requestID
        context.logger[metadataKey: "hb.request.id"] = nil
        context.logger[metadataKey: "request"] = "\(id)"
        var response: Response
        do {
            if exchanges.connections.isStopping { throw ServingError.stopping }
            response = try await answer(request, context, next)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch is CancellationError {
            response = try ServingError.clientLeft.response(from: request, context: context)
        }
        response.headers[ExchangeOpening.idName] = id
        // A client would take a body after the header of an answer to HEAD for the next answer.
        return request.method == .head
            ? response.createHeadResponse() : response.paced(on: context.passage.connection)
    }

    /// Ends the work for a read if its client has left; a write continues to its end. The line in the log then has the
    /// status 499.
    private func answer(
        _ request: Request, _ context: Context, _ next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head else { return try await next(request, context) }
        return try await context.passage.connection.cancellingAtDeparture { try await next(request, context) }
    }
}
