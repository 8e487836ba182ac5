internal import HTTPTypes
public import Hummingbird

/// Answers a browser that opens an unknown address with a page that says so.
public struct MissingPage<Context: RequestContext>: RouterMiddleware {
    /// A middleware for the routes of the service.
    public init() {}

    /// Passes the request on, and replaces the router's refusal if a browser has opened the address.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && Self.isOpened(request) {
            return WebFiles.missing(request)
        }
    }

    private static func isOpened(_ request: Request) -> Bool {
        [.get, .head].contains(request.method) && request.headers[.accept]?.contains("text/html") == true
    }
}
