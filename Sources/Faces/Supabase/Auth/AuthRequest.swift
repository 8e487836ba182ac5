internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Media
internal import NIOCore
internal import People
internal import SignIn

/// A parsed request to the face of accounts.
struct AuthRequest {
    private let request: Request
    private let context: any ServingContext
    /// The address that the request comes from.
    let client: String
    /// The person that it turns out to be about.
    let subject: AuditSubject
    /// The scheme and host by which the client came.
    let address: String

    private static let mostByteCount: Int64 = 64 << 10

    init(_ request: Request, _ context: some ServingContext, subject: AuditSubject) {
        self.request = request
        self.context = context
        self.subject = subject
        client = context.passage.network
        address = context.address(of: request)
    }

    /// The name in the list of sessions of the program that sends the request.
    var program: String { ProgramName(userAgent: request.headers[.userAgent]).text }

    /// A parameter of the query.
    func parameter(_ name: String) -> String? { request.uri.queryParameters[Substring(name)].map(String.init) }

    /// The query's items; none if they are not text.
    var items: QueryItems { QueryItems(request.uri.query ?? "") ?? QueryItems("")! }

    /// The cookie of a browser that signs in with a provider; `nil` by http to another machine.
    var browser: SignInCookie? { SignInCookie(request.headers, address: address) }

    /// The header fields.
    var headers: HTTPFields { request.headers }

    /// The access token.
    ///
    /// - Throws: a refusal if there is none.
    func bearer() throws(AuthError) -> String {
        let fields = request.headers[values: .authorization]
        guard fields.count == 1, fields[0].lowercased().hasPrefix("bearer ") else { throw .noToken }
        return String(fields[0].dropFirst(7))
    }

    /// The object in the body.
    func object() async throws -> JSON {
        let body = try await request.wholeBody(context, BodyLimits(byteCount: Self.mostByteCount))
        guard let json = try? JSON(parsing: Array(body.readableBytesView)), json.members != nil else {
            throw AuthError(400, "bad_json", "Could not parse request body as JSON")
        }
        return json
    }
}
