public import Access
public import Audit
internal import Documents
public import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
public import Library
internal import Linux

/// The service's own face, `/api/…`: JSON in, JSON and files out. It translates to the library and back, and holds no rule.
public struct DocumentAPI: Sendable {
    let library: DocumentLibrary
    /// Runs what blocks.
    let work: BlockingPool
    let signingIn: SigningIn
    let identifying: any Identifying
    /// `nil` where the service has none.
    let accounts: BrowserAccounts?
    /// How long an answer may wait for a picture that is being made.
    let patience: Duration
    /// Bounds the requests of each caller; `nil` for no bound.
    let meter: RequestMeter?
    /// Keeps who did what; `nil` where one local person does everything.
    let audit: AuditLog?
    let memory = PictureMemory()

    /// A face over a library.
    public init(
        _ library: DocumentLibrary, work: BlockingPool, signingIn: SigningIn, patience: Duration,
        meter: RequestMeter? = nil, audit: AuditLog? = nil
    ) {
        self.library = library
        self.work = work
        self.signingIn = signingIn
        identifying = signingIn.identifying
        accounts = signingIn.accounts
        self.patience = patience
        self.meter = meter
        self.audit = audit
    }

    typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

    /// A route with its handler and the row that says who may call it.
    struct Route: Sendable {
        let rule: RouteRule
        let handler: Handler

        init(_ method: String, _ path: String, _ audience: Audience = .person, _ handler: @escaping Handler) {
            rule = RouteRule(method, path, audience)
            self.handler = handler
        }
    }

    /// Every route of this face.
    var routes: [Route] {
        documentRoutes + uploadRoutes + resumableRoutes + pictureRoutes + textRoutes + sharingRoutes + linkRoutes
            + visitorRoutes + templateRoutes + eventRoutes + sessionRoutes + accountRoutes + recoveryRoutes
            + descriptionRoutes
    }

    /// Who may call what: the table of all routes of this face.
    public var rules: [RouteRule] { routes.map(\.rule) }

    /// Adds all routes. Every address that takes `GET` takes `HEAD`; its other methods are refused with the list of those it takes.
    public func register(on router: Router<ServiceContext>) {
        for (path, routes) in Dictionary(grouping: routes, by: \.rule.path) {
            let known = Dictionary(uniqueKeysWithValues: routes.map { ($0.rule.method, $0) })
            for name in Self.methods {
                let route = known[name] ?? (name == "HEAD" ? known["GET"] : nil)
                router.on(RouterPath(path), method: HTTPRequest.Method(name)!) { request, context in
                    guard let route else { return ErrorAnswer.refused(methods: known.keys.sorted()) }
                    let response = await answer(route, to: request, context)
                    return name == "HEAD" ? response.createHeadResponse() : response
                }
            }
        }
    }

    private static var methods: [String] {
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
    }

    /// Finds out who calls, then runs the handler. Its errors become answers.
    private func answer(_ route: Route, to request: Request, _ context: ServiceContext) async -> Response {
        var context = context
        let response: Response
        do {
            context.caller = try await caller(of: route.rule, request, context)
            try Self.check(request.headers, against: context.caller)
            try meter?.count(context.caller, from: context.passage.client, at: Time.monotonic)
            guard route.rule.audience.admits(context.caller) else { throw AccessError.unauthenticated }
            response = try await route.handler(request, context)
        } catch {
            response = ErrorAnswer(error, context).response
        }
        note(route.rule, context, response.status.code)
        return response
    }

    /// The caller of a route that asks for one.
    ///
    /// - Throws: where nobody is known, or a page of another site asks.
    private func caller(
        of rule: RouteRule, _ request: Request, _ context: ServiceContext
    ) async throws -> Caller? {
        let credentials = context.credentials(of: request)
        if credentials.bearer == nil {
            let sites = CrossSiteGuard(host: context.host(of: request))
            let method = request.method.rawValue
            guard sites.admits(method: method, headers: request.headers, hasCookie: credentials.cookie != nil)
            else { throw AccessError.foreignSite }
        }
        return try await meter.identified(from: context.passage.client, at: Time.monotonic) {
            rule.audience.asksForCaller ? try await identifying.caller(with: credentials) : nil
        }
    }

    /// Keeps who has changed something, or tried to, and who has read what is another's.
    private func note(_ rule: RouteRule, _ context: ServiceContext, _ status: Int) {
        guard let audit else { return }
        let isVisit = Self.visits.contains(rule.path)
        let caller = context.caller
        guard rule.isChange || isVisit || caller.map({ $0.actor != $0.owner }) == true else { return }
        let known = context.subject.knowledge
        let names = ["id", "link", "school"].compactMap { context.parameters.get($0) }
        audit.note(
            AuditEntry(
                time: .now, actor: caller?.actor ?? known.actor, owner: caller?.owner ?? known.owner,
                role: isVisit ? "visitor" : (caller == nil && known.actor == nil ? "nobody" : "person"),
                action: "\(rule.method) \(rule.path)",
                subject: known.things ?? (names.isEmpty ? nil : String(names.joined(separator: " ").prefix(200))),
                status: status, client: context.passage.client, request: context.passage.requestID))
    }

    /// What visitors of a link do that its owner may want to know. The pictures on the way are not kept.
    private static let visits: Set<String> = ["/api/shared", "/api/shared/file"]

    /// A page of the screens names the person whom it was opened for: nothing of theirs goes into the account of somebody who has signed
    /// in by another tab meanwhile.
    static func check(_ headers: HTTPFields, against caller: Caller?) throws(AccessError) {
        let expected = headers.single("Expected-Person")
        if let expected, let caller, expected != caller.owner.text { throw .otherPerson }
    }
}

extension ServiceContext {
    /// The caller of a route for persons.
    var person: Caller { caller! }
}
