public import HTTPTypes
public import Hummingbird

/// Sets security fields on every answer. Browsers must not guess types, run content or reveal addresses; caches must
/// not keep what no route allows them to keep.
///
/// A route's own fields stay: a page has its own content security policy, a picture its own cache control.
public struct SecurityHeaders<Context: ServingContext>: RouterMiddleware {
    private let fields: [HTTPField]

    /// - Parameter policy: the content security policy of answers that are not pages; by default nothing may run or be
    ///   loaded.
    public init(policy: String = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox") {
        fields = [
            HTTPField(name: .xContentTypeOptions, value: "nosniff"),
            HTTPField(name: .cacheControl, value: "no-store"),
            HTTPField(name: .contentSecurityPolicy, value: policy),
            HTTPField(name: HTTPField.Name("Referrer-Policy")!, value: "no-referrer"),
        ]
    }

    /// Passes the request on, and adds the fields that the answer lacks.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        complete(&response.headers)
        return response
    }

    /// Adds the fields that an answer lacks.
    public func complete(_ headers: inout HTTPFields) {
        for field in fields where !headers.contains(field.name) { headers.append(field) }
    }
}
