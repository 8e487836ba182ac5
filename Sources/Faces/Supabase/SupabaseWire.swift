public import Database
internal import Documents
public import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
public import Library
internal import Linux
internal import Logging
internal import Media
public import People

/// The face for clients of Supabase: rows at `/rest/v1`, files at `/storage/v1`. It translates to the library and back.
public struct SupabaseWire<Work: BlockingWork>: Sendable {
    let library: DocumentLibrary
    /// The database of the library's store: rows are read there.
    let database: any SQLDatabase
    /// Runs calls that block but do not use the store of files.
    let work: Work
    /// Runs calls that use the store of files: while it does not answer, everything else continues.
    let files: Work
    let authenticator: any Authenticator
    let keys: WireKeys
    /// The most seconds for which an address is signed.
    let longestSignature: Int64
    /// Limits what is made at once for visitors by addresses that are signed or public.
    let visitors: VisitorMeter
    /// Whether anybody may read files by their address.
    let isPublic: Bool
    /// How long a response may wait for a picture.
    let patience: Duration
    /// Limits the requests of each caller; `nil` for no limit.
    let meter: RequestMeter?
    /// Limits the concurrent uploads of each caller; `nil` for no limit.
    let uploads: ConcurrencyMeter?
    /// Records who did what; `nil` if one local person does everything.
    let audit: AuditLog?

    /// A face over a library.
    ///
    /// - Parameters:
    ///   - database: the database of the library's store.
    ///   - files: runs calls that use the store of files; `nil` for one pool for all.
    public init(
        _ library: DocumentLibrary, in database: any SQLDatabase, work: Work, files: Work? = nil,
        authenticator: any Authenticator, keys: WireKeys,
        longestSignature: Int64 = 604_800, visitors: VisitorMeter = VisitorMeter(), isPublic: Bool,
        patience: Duration, meter: RequestMeter? = nil, uploads: ConcurrencyMeter? = nil, audit: AuditLog? = nil
    ) {
        self.library = library
        self.database = database
        self.work = work
        self.files = files ?? work
        self.authenticator = authenticator
        self.keys = keys
        self.longestSignature = longestSignature
        self.visitors = visitors
        self.isPublic = isPublic
        self.patience = patience
        self.meter = meter
        self.uploads = uploads
        self.audit = audit
    }

    /// Every route of this face. If several match an address, the first one answers.
    var routes: [WireRoute] { rowRoutes + bucketRoutes + objectRoutes + pictureRoutes + resumableRoutes }

    /// Who may call what: the table of all routes of this face.
    public var rules: [RouteRule] { routes.map(\.rule) }

    /// Adds all routes. An address without a route is refused in the face's own form.
    public func register<Context: ServingContext>(on router: Router<Context>) {
        let routes = routes
        for prefix in [WireRoute.rows, WireRoute.files] {
            let routes = routes.filter { $0.rule.path.hasPrefix(prefix) }
            for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options] {
                for path in [prefix, "\(prefix)/**"] {
                    router.on(RouterPath(path), method: method) { request, context in
                        await answer(request, below: prefix, routes, context)
                    }
                }
            }
        }
    }

    /// Finds the route and its caller, then runs the route's handler. Its errors become responses.
    private func answer(
        _ request: Request, below prefix: String, _ routes: [WireRoute], _ context: some ServingContext
    ) async -> Response {
        var response: Response
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            response = Self.preflight(request)
        } else {
            response = await handled(request, below: prefix, routes, context)
        }
        if request.headers[.origin] != nil {
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.accessControlExposeHeaders] =
                "Content-Range, Content-Location, Location, Preference-Applied, Tus-Resumable, Upload-Offset, "
                + "Upload-Length, Upload-Expires, Tus-Version, Tus-Max-Size, Tus-Extension, ETag"
        }
        return response
    }

    private static func preflight(_ request: Request) -> Response {
        var response = Response(status: .noContent)
        response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        response.headers[.accessControlAllowHeaders] =
            request.headers[HTTPField.Name("Access-Control-Request-Headers")!] ?? "authorization, apikey, content-type"
        response.headers[.accessControlMaxAge] = "3600"
        return response
    }

    private func handled(
        _ request: Request, below prefix: String, _ routes: [WireRoute], _ context: some ServingContext
    ) async -> Response {
        let (isRows, logger) = (prefix == WireRoute.rows, context.logger)
        guard let wire = WireRequest(request, below: prefix, context) else {
            return isRows
                ? RowError.badQuery("The address cannot be read", details: "It is not UTF-8.").response
                : FileError.invalidKey(request.uri.path).response
        }
        do {
            guard let route = WireRoute.first(of: routes, for: wire) else {
                // A caller without a key learns nothing of the routes.
                if isRows { _ = try await caller(wire) }
                throw WireRoute.missing(wire, among: routes, isRows: isRows)
            }
            let caller = try await meter.identified(from: context.passage.network, at: Time.monotonic) {
                guard route.rule.audience.asksForCaller else { return nil }
                return try await WorkScope(party: context.passage.network).run { try await self.caller(wire) }
            }
            try meter?.count(caller, from: context.passage.network, at: Time.monotonic)
            try route.rule.admit(caller)
            let reauthorize = reauthorization(of: route.rule, caller, wire)
            let began = Time.monotonic
            let network = context.passage.network
            let scope = WorkScope(
                party: caller.party(from: network), around: authenticator.permitting(caller, route.rule))
            let response = try await scope.respond {
                try await uploads.run(route.rule, of: caller, from: network) {
                    try await call(route, wire.reauthorized(by: reauthorize), caller, context.passage)
                }
            }.reauthorized(by: reauthorize)
            // A picture may have taken long. The result of a change is always returned.
            if !route.rule.isChange, Time.monotonic - began > .seconds(1) { try await reauthorize?() }
            return response
        } catch let error as KeyError {
            return error.response
        } catch let error as RowError {
            if error.status >= 500 {
                logger.error("rows: \(error.message)", metadata: ["detail": "\(error.details ?? "")"])
            }
            return error.response
        } catch let error as FileError {
            if error.status >= 500 { logger.error("files: \(error.message)") }
            return error.response
        } catch let error as AccessError {
            return isRows ? RowError(error).response : FileError(error).response
        } catch {
            if let error = ServingError(error) { return isRows ? RowError(error).response : FileError(error).response }
            logger.error("request failed", metadata: ["reason": "\(error)"])
            return isRows
                ? RowError(500, "XX000", "Server error. Please try again.").response
                : FileError(500, "500", "Internal", "Server error. Please try again.", code: "InternalError").response
        }
    }

    /// Requires that a person's session and right still hold; `nil` for callers with a key alone.
    private func reauthorization(of rule: RouteRule, _ caller: Caller?, _ wire: WireRequest) -> Reauthorization? {
        guard let caller, caller.role == .person else { return nil }
        let credentials = Credentials(bearer: wire.bearer)
        return { [authenticator] in
            try await authenticator.requireLasting(caller, with: credentials, toChange: rule.isChange)
        }
    }

    /// Runs the route's handler, and records its result.
    private func call(
        _ route: WireRoute, _ wire: WireRequest, _ caller: Caller?, _ passage: Passage
    ) async throws -> Response {
        do {
            let response = try await route.handler(wire, caller ?? .anonymous)
            note(route.rule, wire, caller, response.status.code, passage)
            return response
        } catch {
            // Almost every refusal of this face has this status.
            note(route.rule, wire, caller, 400, passage)
            throw error
        }
    }

    /// Records who has changed something, or tried to, and what the operator's key has read.
    private func note(_ rule: RouteRule, _ wire: WireRequest, _ caller: Caller?, _ status: Int, _ passage: Passage) {
        guard let audit else { return }
        let isOperator = caller?.role == .operator
        guard rule.isChange || isOperator || caller?.isActing == true else { return }
        let person = caller?.role == .person ? caller : nil
        let (things, owner) = Self.things(of: wire, rule)
        let table = (wire.path.first.flatMap { try? RowTable.named($0) })?.name ?? "{table}"
        let path = rule.path.replacing("{table}", with: table)
        audit.note(
            AuditEntry(
                time: .now, actor: person?.actor, owner: person?.owner ?? (isOperator ? owner : nil),
                role: isOperator ? "operator" : person == nil ? "nobody" : "person",
                action: "\(rule.method) \(path)", things: things, status: status,
                client: passage.client, request: passage.requestID),
            from: passage.network, isRoutine: rule.isRoutine)
    }

    /// The IDs in a request's address, and the person in whose folder its file is. A file's ID is the one that lists
    /// show.
    private static func things(of wire: WireRequest, _ rule: RouteRule) -> (things: AuditThings?, owner: ID<Person>?) {
        if rule.path.hasSuffix("{path}") {
            // Two names of the prefix precede the parts of `wire.path`.
            let place = rule.path.split(separator: "/").count - 3
            let path = try? BucketPath.parse(wire.path.dropFirst(place))
            guard let path else { return (nil, nil) }
            let file = AuditThings(identity: StoredFile.id(of: path))
            return (AuditThings([path.owner.map { AuditThings($0) }, file].compactMap(\.self)), path.owner)
        }
        let ids = wire.path.compactMap { AuditThings(identity: $0) }
        return (AuditThings(ids) ?? wire.items["id"].flatMap { AuditThings(identitiesIn: $0) }, nil)
    }

    /// Identifies the caller, which always needs a valid key. A key sent as the token takes precedence over the key
    /// beside it.
    private func caller(_ request: WireRequest) async throws -> Caller {
        guard let key = request.key, !key.isEmpty else { throw KeyError.missing }
        guard var role = keys.role(of: key) else { throw KeyError.invalid }
        if let bearer = request.bearer, bearer != key {
            guard let other = keys.role(of: bearer) else {
                let owner = request.single("Acting-For")
                return try await authenticator.actingCaller(with: Credentials(bearer: bearer, key: key, owner: owner))
            }
            role = other
        }
        if role == .service { return .operator }
        do {
            return try await authenticator.caller(with: Credentials(key: key))
        } catch AccessError.unauthenticated {
            return .anonymous
        }
    }
}

/// Why a key is refused, in the words of Supabase's gateway.
enum KeyError: Error {
    case missing, invalid

    var response: Response {
        let (message, hint) =
            switch self {
            case .missing:
                ("No API key found in request", "No `apikey` request header or url param was found.")
            case .invalid:
                ("Invalid API key", "Double check your Supabase `anon` or `service_role` API key.")
            }
        return .wire(.object(["message": .string(message), "hint": .string(hint)]), status: 401)
    }
}

extension RowError {
    var response: Response {
        var response = Response.wire(json, status: status)
        if status == 429 || status == 503 { response.headers[.retryAfter] = "1" }
        return response
    }

    init(_ error: AccessError) {
        if error == .unavailable {
            self.init(503, "PGRST000", "Nobody can be known now. Please try again.")
            return
        }
        if case .tooManyRequests = error {
            self.init(429, "429", "Too many requests. Please try again.")
            return
        }
        if case .busy = error {
            self.init(503, "PGRST000", "The service is busy. Please try again in a moment.")
            return
        }
        if let message = error.actingMessage {
            self.init(403, "42501", message)
            return
        }
        let isExpired = error == .expired
        self.init(401, isExpired ? "PGRST303" : "PGRST301", isExpired ? "JWT expired" : "JWT could not be verified")
    }

    init(_ error: ServingError) {
        if case .bodyTooLarge = error {
            self = .badBody("The body is over 4 MiB")
        } else {
            self.init(error.statusCode, error.statusCode == 503 ? "PGRST000" : "PGRST102", error.message)
        }
    }
}
