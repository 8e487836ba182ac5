internal import HTTPTypes
public import Hummingbird

/// Answers addresses below `/api` without a route as this face answers errors.
public struct UnknownAddressMiddleware: RouterMiddleware {
    /// A middleware for the routes of the service.
    public init() {}

    /// Passes the request on, and translates the router's refusal.
    public func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && request.uri.path.hasPrefix("/api") {
            return ErrorAnswer.unknownAddress(request.uri.path)
        }
    }
}
