public import HTTPSyntax
public import HTTPTypes
public import Hummingbird

/// Answers cross-origin requests of browsers: only pages from the origins on a list may read the answers.
///
/// If the list is empty, everything passes unchanged. Otherwise this alone decides: it removes what routes say about
/// other origins.
public struct CrossOriginAnswers<Context: ServingContext>: RouterMiddleware {
    private let origins: AllowedOrigins

    private static var deciding: [HTTPField.Name] {
        [
            .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlAllowHeaders,
            .accessControlAllowMethods, .accessControlExposeHeaders, .accessControlMaxAge,
        ]
    }

    /// - Parameter origins: the origins whose pages may read answers.
    public init(_ origins: AllowedOrigins) { self.origins = origins }

    /// Answers a preflight from an origin on the list; passes everything else on, and completes its answer.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard !origins.isEmpty else { return try await next(request, context) }
        if let fields = preflight(request) {
            var response = Response(status: .noContent)
            for field in fields { response.headers.append(field) }
            return response
        }
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            // The page has to learn about the refusal too.
            response = try error.response(from: request, context: context)
        }
        complete(&response.headers, for: request.headers)
        return response
    }

    /// Writes the list's decision into an answer's fields.
    public func complete(_ fields: inout HTTPFields, for request: HTTPFields) {
        guard !origins.isEmpty else { return }
        for name in Self.deciding { fields[name] = nil }
        // Also without another origin in the request: a cache may keep the answer for the next request, which has one.
        fields.append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = origins.origin(of: request) else { return }
        for field in Self.converted(origins.fields(for: origin)) { fields.append(field) }
    }

    private func preflight(_ request: Request) -> [HTTPField]? {
        guard request.method == .options, request.headers.contains(.accessControlRequestMethod),
            let origin = origins.origin(of: request.headers)
        else { return nil }
        let vary = ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"]
        return Self.converted(origins.preflightFields(for: origin, request.headers))
            + [HTTPField(name: .vary, value: vary.joined(separator: ", "))]
    }

    private static func converted(_ fields: [HeaderField]) -> [HTTPField] {
        fields.compactMap { field in HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } }
    }
}
