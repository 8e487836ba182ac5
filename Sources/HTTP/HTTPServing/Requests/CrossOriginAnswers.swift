public import HTTPSyntax
public import HTTPTypes
public import Hummingbird

/// Answers browsers that ask for pages of other origins: those of a list may read the answers, and no others.
///
/// Where the list is empty, everything passes as it is. Else this alone decides: what routes say about other origins is removed.
public struct CrossOriginAnswers<Context: ServingContext>: RouterMiddleware {
    private let origins: AllowedOrigins

    private static var deciding: [HTTPField.Name] {
        [
            .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlAllowHeaders,
            .accessControlAllowMethods, .accessControlExposeHeaders, .accessControlMaxAge,
        ]
    }

    /// - Parameter origins: those whose pages may read answers.
    public init(_ origins: AllowedOrigins) { self.origins = origins }

    /// Answers a preflight of an origin of the list; passes everything else on, and completes its answer.
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
            // The page has to learn of the refusal too.
            response = try error.response(from: request, context: context)
        }
        complete(&response.headers, for: request.headers)
        return response
    }

    /// Puts what the list says into an answer's fields.
    public func complete(_ fields: inout HTTPFields, for request: HTTPFields) {
        guard !origins.isEmpty else { return }
        for name in Self.deciding { fields[name] = nil }
        // Also where nobody asks for another origin: a cache may have the answer for the next one, who does.
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
