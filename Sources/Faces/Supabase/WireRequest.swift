internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Linux
internal import Media
internal import NIOCore

/// A parsed request to one of the wire's faces.
struct WireRequest: HeaderReading {
    let request: Request
    /// The names after the face's prefix, decoded.
    let path: [String]
    let items: QueryItems
    private var context: any ServingContext

    /// - Parameter prefix: such as `/rest/v1`.
    /// - Returns: `nil` if path or query are not text.
    init?(_ request: Request, below prefix: String, _ context: any ServingContext) {
        var path: [String] = []
        let rest = request.uri.path.utf8.dropFirst(prefix.utf8.count)
        for part in rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let name = String(validating: PercentEncoding.decode(part), as: UTF8.self) else { return nil }
            path.append(name)
        }
        while path.last == "" { path.removeLast() }
        // The key may be in the query, but is not a filter.
        let query = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("apikey=") }
        guard let items = QueryItems(query.joined(separator: "&")) else { return nil }
        self.request = request
        self.path = path
        self.items = items
        self.context = context
    }

    var method: String { request.method.rawValue }

    func values(of name: String) -> [String] { HTTPField.Name(name).map { request.headers[values: $0] } ?? [] }

    /// The request's ID, origin and place on its connection.
    var passage: Passage { context.passage }

    /// The scheme and host by which the client reached the service.
    var origin: String { context.address(of: request) }

    /// The text after `Bearer`.
    var bearer: String? {
        guard let text = request.headers[.authorization] else { return nil }
        return text.lowercased().hasPrefix("bearer ") ? String(text.dropFirst(7)) : text
    }

    /// The key: a header, a parameter, or the token.
    var key: String? {
        let parameter = (request.uri.query ?? "").split(separator: "&").first { $0.hasPrefix("apikey=") }
        return single("apikey") ?? parameter.map { String($0.dropFirst(7)) } ?? bearer
    }

    /// The same request, whose caller's right is checked again once the body has arrived.
    func reauthorized(by check: Reauthorization?) -> WireRequest {
        var request = self
        request.context.passage.reauthorize = check
        return request
    }

    /// The body of at most 4 MiB.
    func body() async throws -> [UInt8] {
        Array(try await request.wholeBody(context, BodyLimits(byteCount: 4 << 20)).readableBytesView)
    }

    /// Lets the protocol for resumable uploads answer.
    func exchange(_ uploads: some ResumableUploads, id: String?) async throws -> Response {
        try await ResumableExchange(uploads, request).answer(id: id, context)
    }

    /// Lends the body to the operation, within the limits for slow and endless clients.
    ///
    /// - Parameter room: the memory that the operation holds for the body.
    func withBody<Value: Sendable>(
        upTo byteCount: Int64, room: MemoryBudget.Share?,
        _ operation: @escaping @Sendable (inout BodyReader) async throws -> Value
    ) async throws -> Value {
        try await request.withBody(context, BodyLimits(byteCount: byteCount), room: room, operation)
    }
}

extension Response {
    /// The value of `Cache-Control` for responses that no cache may store.
    static var unkept: String { "private, no-store" }

    /// JSON of few bytes that no cache stores: an error, or the result of a change.
    static func wire(_ json: JSON, status: Int = 200) -> Response {
        Response(
            status: HTTPResponse.Status(code: status), headers: .unkeptJSON,
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
    }

    /// JSON of any size that no cache stores.
    static func wire(_ body: AnswerBody) -> Response { Response(body, headers: .unkeptJSON) }
}

extension HTTPFields {
    /// The fields of JSON that no cache stores.
    fileprivate static var unkeptJSON: HTTPFields {
        [.contentType: "application/json; charset=utf-8", .cacheControl: Response.unkept]
    }
}
