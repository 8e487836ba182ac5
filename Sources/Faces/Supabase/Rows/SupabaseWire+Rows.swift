internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// Rows: `/rest/v1/{table}`.
extension SupabaseWire {
    var rowRoutes: [WireRoute] {
        ["GET", "POST", "PATCH", "DELETE"].map { WireRoute($0, "/rest/v1/{table}", .key, rows) }
            + ["GET", "POST"].map { method in
                WireRoute(method, "/rest/v1/rpc/{function}", .key) { request, _ in
                    throw RowError.unknownFunction(request.path[1])
                }
            }
    }

    private func rows(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let isRead = request.method == "GET" || request.method == "HEAD"
        if let schema = request.single(isRead ? "Accept-Profile" : "Content-Profile"), schema != "public" {
            throw RowError.unknownSchema(schema)
        }
        let table = try RowTable.named(request.path[0])
        let call = RowCall(
            table: table, query: try RowQuery(parsing: request.items),
            preferences: try RowPreferences(headers: request.values(of: "Prefer")).checked(),
            form: try RowForm(accept: request.list("Accept")), range: isRead ? request.single("Range") : nil)
        let rows = try await answer(call, to: request, of: caller)
        return Self.response(rows)
    }

    private func answer(_ call: RowCall, to request: WireRequest, of caller: Caller) async throws -> RowAnswer {
        let (library, database, keys, isPublic, origin) = (library, database, keys, isPublic, request.origin)
        let (authenticator, passage) = (authenticator, request.passage)
        let desk = { @Sendable in
            let signer = try FileAddresses.Signer(caller, authenticator)
            return RowDesk(
                library: library, database: database, caller: caller,
                addresses: FileAddresses(
                    origin: origin, keys: keys.snapshot, isPublic: isPublic, signer: signer),
                call: call,
                hasClientLeft: { passage.hasClientLeft })
        }
        // A new row's file is inspected.
        let changing = call.table == .documents ? files : work
        // A large body takes a thread for a while, from the caller's share.
        @Sendable func body(_ bytes: [UInt8]) throws(RowError) -> RowBody {
            try RowBody(parsing: bytes, type: type, columns: columns)
        }
        let (type, columns) = (request.single("Content-Type"), call.query.columns)
        switch request.method {
        case "GET", "HEAD": return try await work.run { try desk().read() }
        case "POST":
            // The same refusal as for each of the rows.
            if caller.role == .anonymous { throw RowError.rowSecurity(call.table, isSignedIn: false) }
            let bytes = try await request.body()
            return try await changing.run { try desk().insert(body(bytes)) }
        case "PATCH":
            let bytes = try await request.body()
            return try await changing.run { try desk().update(body(bytes)) }
        case "DELETE": return try await work.run { try desk().delete() }
        default: throw RowError.unsupportedMethod(request.method)
        }
    }

    private static func response(_ answer: RowAnswer) -> Response {
        var headers: HTTPFields = [.cacheControl: Response.unkept]
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        guard let body = answer.body else { return Response(status: .init(code: answer.status), headers: headers) }
        headers[.contentType] = answer.contentType
        return Response(body, status: .init(code: answer.status), headers: headers)
    }
}

/// A request about rows, as values.
struct RowCall: Sendable {
    let table: RowTable
    let query: RowQuery
    let preferences: RowPreferences
    let form: RowForm
    /// The header `Range`.
    let range: String?

    /// The most rows that a request reads or writes; for reads this is Supabase's own limit.
    static let mostRows: Int64 = 1000
}
