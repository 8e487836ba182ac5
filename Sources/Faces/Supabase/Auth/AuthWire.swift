public import HTTPServing
public import HTTPTypes
public import Hummingbird
internal import Linux
internal import Logging
internal import Media
public import People
public import SignIn

/// The face `/auth/v1`, by which clients of Supabase sign up, sign in, refresh and sign out.
public struct AuthWire: Sendable {
    let desk: AccountDesk
    let tokens: AccessTokens
    let authenticator: AccountAuthenticator
    /// Runs calls that block.
    let work: BlockingPool
    /// Runs calls that compute a password's digest. Its threads get a lower priority, and few calls wait.
    let passwords: BlockingPool
    /// The sign-in with other providers; `nil` if there are none.
    let elsewhere: SignInElsewhere?
    private let giving: GivingSession?
    private let audit: AuditLog?
    /// Limits the requests of each address; `nil` for no limit.
    private let meter: RequestMeter?

    private static let callbackPath = "/callback"
    static let versionField = HTTPField.Name("X-Supabase-Api-Version")!

    /// Makes the header field that gives a browser a session; `nil` if it may have none at this address.
    public typealias GivingSession =
        @Sendable (_ grant: AccountDesk.Grant, _ address: String, _ headers: HTTPFields) async -> HTTPField?

    /// A face over a desk.
    ///
    /// - Parameter giving: called for browsers that come back from a provider to the service's screens.
    public init(
        _ desk: AccountDesk, _ tokens: AccessTokens, authenticator: AccountAuthenticator, work: BlockingPool,
        passwords: BlockingPool, audit: AuditLog? = nil, meter: RequestMeter? = nil,
        elsewhere: SignInElsewhere? = nil, giving: GivingSession? = nil
    ) {
        self.desk = desk
        self.tokens = tokens
        self.authenticator = authenticator
        self.work = work
        self.passwords = passwords
        self.audit = audit
        self.meter = meter
        (self.elsewhere, self.giving) = (elsewhere, giving)
    }

    /// The header field that gives a session to the browser of a request.
    func giveSession(_ grant: AccountDesk.Grant, _ request: AuthRequest) async -> HTTPField? {
        await giving?(grant, request.address, request.headers)
    }

    private typealias Handler = @Sendable (AuthRequest) async throws -> Response

    private var handlers: [String: Handler] {
        [
            "POST /signup": signUp, "POST /token": token, "POST /logout": signOut, "POST /recover": recover,
            "GET /authorize": authorize, "GET \(Self.callbackPath)": callback,
            "GET /user": user, "PUT /user": changeUser, "GET /settings": { _ in .account(settings) },
            "GET /.well-known/jwks.json": { _ in .account(await tokens.keySet) },
        ]
    }

    /// Who may call what: the table of all routes of this face.
    public var rules: [RouteRule] {
        handlers.keys.sorted().map { name in
            let parts = name.split(separator: " ")
            let needsPerson = parts[1] == "/user" || parts[1] == "/logout"
            return RouteRule(String(parts[0]), "/auth/v1\(parts[1])", needsPerson ? .person : .anyone)
        }
    }

    /// Adds all routes.
    public func register<Context: ServingContext>(on router: Router<Context>) {
        let handlers = handlers
        for method in [HTTPRequest.Method.get, .post, .put, .options] {
            router.on("/auth/v1/**", method: method) { request, context in
                var response = await answer(request, handlers, context)
                if request.headers[.origin] != nil { response.headers[.accessControlAllowOrigin] = "*" }
                return response
            }
        }
    }

    private func answer(
        _ request: Request, _ handlers: [String: Handler], _ context: some ServingContext
    ) async -> Response {
        if request.method == .options { return Self.preflight(request) }
        let (version, subject) = (request.headers[Self.versionField], AuditSubject())
        let response = await handled(request, handlers, context, subject, version)
        note(request, context, subject.knowledge, response.status.code)
        return response
    }

    /// Records who has signed in, up or out, or tried to.
    private func note(
        _ request: Request, _ context: some ServingContext, _ known: AuditSubject.Knowledge, _ status: Int
    ) {
        let isCallback = request.uri.path.hasSuffix(Self.callbackPath)
        guard let audit, Self.method(of: request) != .get || isCallback else { return }
        // A path outside the table may be any text.
        let name = Self.name(of: request)
        let path = handlers[name] == nil ? "/auth/v1/**" : request.uri.path
        // Browsers are redirected in any case.
        let status = isCallback && known.actor == nil ? 400 : status
        audit.note(
            AuditEntry(
                time: Instant(microseconds: Time.wall / 1000), actor: known.actor, owner: known.owner,
                role: known.actor == nil ? "nobody" : "person",
                action: "\(request.method.rawValue) \(path)", things: known.things,
                status: status,
                client: context.passage.client, request: context.passage.requestID),
            from: context.passage.network)
    }

    private func handled(
        _ request: Request, _ handlers: [String: Handler], _ context: some ServingContext, _ subject: AuditSubject,
        _ version: String?
    ) async -> Response {
        do {
            guard let handler = handlers[Self.name(of: request)] else { throw AuthError.notFound }
            try meter?.count(nil, from: context.passage.network, at: Time.monotonic)
            return try await WorkScope(party: context.passage.network).run {
                try await handler(AuthRequest(request, context, subject: subject))
            }
        } catch {
            if let known = AuthError(error) { return known.response(version: version) }
            context.logger.error("accounts: request failed", metadata: ["reason": "\(error)"])
            return AuthError(500, "unexpected_failure", "Server error. Please try again.").response(version: version)
        }
    }

    /// A route for `GET` also accepts `HEAD`.
    private static func method(of request: Request) -> HTTPRequest.Method {
        request.method == .head ? .get : request.method
    }

    /// The name of a request among the handlers.
    private static func name(of request: Request) -> String {
        "\(method(of: request).rawValue) \(request.uri.path.dropFirst("/auth/v1".count))"
    }

    private static func preflight(_ request: Request) -> Response {
        var response = Response(status: .noContent)
        response.headers[.accessControlAllowMethods] = "GET, POST, PUT, OPTIONS"
        response.headers[.accessControlAllowHeaders] =
            request.headers[HTTPField.Name("Access-Control-Request-Headers")!] ?? "authorization, apikey, content-type"
        response.headers[.accessControlMaxAge] = "3600"
        return response
    }

    private var settings: JSON {
        let providers = (elsewhere?.providers ?? []).map { JSON.Member($0.name, .bool(true)) }
        let external = [("email", true), ("phone", false), ("anonymous_users", false)]
        return .object([
            "external": .object(external.map { JSON.Member($0, .bool($1)) } + providers),
            "disable_signup": .bool(false), "mailer_autoconfirm": .bool(!desk.sendsMail),
            "phone_autoconfirm": .bool(false), "sms_provider": .string(""), "saml_enabled": .bool(false),
        ])
    }
}
