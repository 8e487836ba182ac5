public import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hashing
public import Hummingbird
public import Library
internal import Linux
public import MatchStore
internal import Media
public import People

/// The service's own face, `/api/…`: JSON in, JSON and files out. It translates to the library and back, and contains
/// no rules.
public struct DocumentAPI: Sendable {
    let library: DocumentLibrary
    /// Runs blocking calls that do not use the file store.
    let work: BlockingPool
    /// Runs calls that use the file store: while it does not respond, everything else continues.
    let files: BlockingPool
    let signingIn: SigningIn
    let authenticator: any Authenticator
    /// `nil` if the service has none.
    let accounts: BrowserAccounts?
    /// How long an answer may wait for a picture that is being made.
    let patience: Duration
    /// Signs addresses that can be handed on.
    let signer: AddressSigner
    /// The maximum validity of a signed address, in seconds.
    let longestSignature: Int64
    /// Limits the concurrent work for visitors of links.
    let visitors: VisitorMeter
    /// The same for signed addresses.
    let signedVisitors: VisitorMeter
    /// Limits the requests of each caller; `nil` for no limit.
    let meter: RequestMeter?
    /// Limits the concurrent uploads of each caller; `nil` for no limit.
    let uploads: ConcurrencyMeter?
    /// Limits the open event streams of each caller; `nil` for no limit.
    let streams: StreamMeter?
    /// Limits how many searches for jobs each caller begins; `nil` for no limit.
    let beginnings: RequestMeter?
    /// The same for callers who have not signed in, by network.
    let networkBeginnings: RequestMeter?
    /// Records who did what; `nil` if one local person does everything.
    let audit: AuditLog?
    /// Where people search for jobs; `nil` if they do not.
    let jobs: SearchDesk?
    /// Time limit of a stream of a search's steps; its client reconnects automatically.
    let streamTime: Duration
    let memory = PictureMemory()
    let documents = DocumentMemory()
    /// An archive is the most expensive thing that a person may request: it takes a few MiB for as long as its client
    /// likes.
    let archives = ConcurrencyMeter(atOnce: 1, ofAll: 32)

    /// A face over a library.
    ///
    /// - Parameter files: runs calls that use the file store; `nil` for one pool for all.
    public init(
        _ library: DocumentLibrary, work: BlockingPool, files: BlockingPool? = nil, signingIn: SigningIn,
        signer: AddressSigner, longestSignature: Int64 = 604_800, visitors: VisitorMeter = VisitorMeter(),
        signedVisitors: VisitorMeter = VisitorMeter(),
        patience: Duration, meter: RequestMeter? = nil, uploads: ConcurrencyMeter? = nil,
        streams: StreamMeter? = nil,
        beginnings: RequestMeter? = nil, networkBeginnings: RequestMeter? = nil, audit: AuditLog? = nil,
        jobs: SearchDesk? = nil,
        streamTime: Duration = .seconds(120)
    ) {
        self.library = library
        self.work = work
        self.files = files ?? work
        self.signingIn = signingIn
        authenticator = signingIn.authenticator
        accounts = signingIn.accounts
        self.patience = patience
        self.signer = signer
        self.longestSignature = longestSignature
        self.visitors = visitors
        self.signedVisitors = signedVisitors
        self.meter = meter
        self.uploads = uploads
        self.streams = streams
        self.beginnings = beginnings
        self.networkBeginnings = networkBeginnings
        self.audit = audit
        self.jobs = jobs
        self.streamTime = streamTime
    }

    typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

    /// A route with its handler and the row that says who may call it.
    struct Route: Sendable {
        let rule: RouteRule
        let handler: Handler
        /// Whether errors have the form of JobMatchNow's calls.
        var isBare = false
        /// Whether the identity in the path grants a right, so that the audit log contains only its digest.
        var hasSecret = false

        init(
            _ method: String, _ path: String, _ audience: Audience = .person, isChange: Bool? = nil,
            takesFile: Bool = false, _ handler: @escaping Handler
        ) {
            rule = RouteRule(method, path, audience, isChange: isChange, takesFile: takesFile)
            self.handler = handler
        }
    }

    /// Every route of this face.
    var routes: [Route] {
        documentRoutes + uploadRoutes + resumableRoutes + pictureRoutes + textRoutes + sharingRoutes + linkRoutes
            + visitorRoutes + addressRoutes + templateRoutes + eventRoutes + sessionRoutes + accountRoutes
            + guardianRoutes + personalDataRoutes + recoveryRoutes + identityRoutes + descriptionRoutes
            + (jobs.map { JobRoutes(api: self, desk: $0).routes } ?? [])
    }

    /// Who may call what: the table of all routes of this face.
    public var rules: [RouteRule] { routes.map(\.rule) }

    /// The folders below which a path grants a right: the log contains no such path.
    public static let secretFolders = ["/api/resume/"]

    /// Adds all routes. Every address that accepts `GET` accepts `HEAD`; other methods are refused with the list of
    /// accepted ones.
    public func register(on router: Router<ServiceContext>) {
        for (path, routes) in Dictionary(grouping: routes, by: \.rule.path) {
            let known = Dictionary(uniqueKeysWithValues: routes.map { ($0.rule.method, $0) })
            for name in Self.methods {
                let route = known[name] ?? (name == "HEAD" ? known["GET"] : nil)
                router.on(RouterPath(path), method: HTTPRequest.Method(name)!) { request, context in
                    guard let route else {
                        return ErrorAnswer.refused(
                            methods: known.keys.sorted(), isBare: known.values.allSatisfy(\.isBare))
                    }
                    return await answer(route, to: request, context)
                }
            }
        }
    }

    private static var methods: [String] {
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]
    }

    /// Identifies the caller, then runs the handler. Its errors become answers.
    private func answer(_ route: Route, to request: Request, _ context: ServiceContext) async -> Response {
        // Until the caller is known.
        await WorkScope(party: context.passage.network).run { await answerInTurn(route, to: request, context) }
    }

    private func answerInTurn(_ route: Route, to request: Request, _ context: ServiceContext) async -> Response {
        var context = context
        let response: Response
        do {
            (context.caller, context.isHanded) = try await caller(of: route.rule, request, context)
            if !context.isHanded { try Self.check(request.headers, against: context.caller) }
            // Requests by a signed address do not count for its signer.
            try meter?.count(
                context.isHanded ? nil : context.caller, from: context.passage.network, at: Time.monotonic)
            try route.rule.admit(context.caller)
            context.named = await named(by: request, route.rule, context)
            let person = context.caller ?? (try? context.named?.get())
            let reauthorize = reauthorization(of: route.rule, person, request, context)
            context.passage.reauthorize = reauthorize
            let began = Time.monotonic
            let network = context.passage.network
            let worker = context.isHanded ? nil : person
            let scope = WorkScope(
                party: worker.party(from: network), around: authenticator.permitting(worker, route.rule))
            let answer = try await scope.respond {
                try await uploads.run(route.rule, of: context.caller, from: network) {
                    try await route.handler(request, context)
                }
            }.reauthorized(by: reauthorize)
            // It may have waited for a picture. A change that was made is answered.
            if !route.rule.isChange, Time.monotonic - began > .seconds(1) { try await reauthorize?() }
            response = answer
        } catch {
            let answer = ErrorAnswer(error, context)
            response = route.isBare ? answer.bareResponse : answer.response
        }
        note(route, context, response.status.code)
        return response
    }

    /// The caller of a route that requires one, or the signer of the address.
    ///
    /// - Throws: if nobody is known, or if a page of another site asks.
    private func caller(
        of rule: RouteRule, _ request: Request, _ context: ServiceContext
    ) async throws -> (caller: Caller?, isHanded: Bool) {
        let signer = try await meter.identified(from: context.passage.network, at: Time.monotonic) {
            rule.isChange ? nil : try await self.signer(of: request)
        }
        if let signer { return (signer, true) }
        let credentials = context.credentials(of: request)
        if credentials.bearer == nil {
            let sites = CrossSiteGuard(host: context.host(of: request))
            let method = request.method.rawValue
            guard sites.admits(method: method, headers: request.headers, hasCookie: credentials.cookie != nil)
            else { throw AccessError.foreignSite }
        }
        let caller = try await meter.identified(from: context.passage.network, at: Time.monotonic) {
            rule.audience.asksForCaller ? try await authenticator.actingCaller(with: credentials) : nil
        }
        return (caller, false)
    }

    /// The person named by a changing request to a route that anyone may call: some of these do more for persons.
    ///
    /// - Returns: `nil` for all other routes.
    private func named(
        by request: Request, _ rule: RouteRule, _ context: ServiceContext
    ) async -> Result<Caller, AccessError>? {
        guard !rule.audience.asksForCaller, rule.isChange else { return nil }
        do throws(AccessError) {
            return .success(try await authenticator.actingCaller(with: context.credentials(of: request)))
        } catch {
            return .failure(error)
        }
    }

    /// Checks that the caller's session and right are still valid; `nil` if nobody is known.
    private func reauthorization(
        of rule: RouteRule, _ caller: Caller?, _ request: Request, _ context: ServiceContext
    ) -> Reauthorization? {
        guard let caller else { return nil }
        let credentials = context.credentials(of: request)
        return { [authenticator, isHanded = context.isHanded] in
            try await authenticator.requireLasting(
                caller, with: isHanded ? nil : credentials, toChange: rule.isChange)
        }
    }

    /// Records who has changed something, or tried to, and who has read another person's data.
    private func note(_ route: Route, _ context: ServiceContext, _ status: Int) {
        guard let audit else { return }
        let rule = route.rule
        let isVisit = Self.visits.contains(rule.path) || context.isHanded && rule.path == Self.filePath
        let caller = context.isHanded ? nil : context.caller
        guard rule.isChange || isVisit || caller?.isActing == true else { return }
        let known = context.subject.knowledge
        let names = ["id", "link", "school"].compactMap { context.parameters.get($0) }
            .compactMap { route.hasSecret ? AuditThings(secret: $0) : AuditThings(identity: $0) }
        audit.note(
            AuditEntry(
                time: .now, actor: caller?.actor ?? known.actor,
                owner: known.owner ?? context.caller?.owner,
                role: isVisit ? "visitor" : (caller == nil && known.actor == nil ? "nobody" : "person"),
                action: "\(rule.method) \(rule.path)",
                things: known.things ?? AuditThings(names),
                status: status, client: context.passage.client, request: context.passage.requestID),
            from: context.passage.network, isRoutine: rule.isRoutine)
    }

    /// Requests of a link's visitors that its owner may want to know about. Requests for pictures are not recorded.
    private static let visits: Set<String> = ["/api/shared", "/api/shared/file"]

    /// Readers by a signed address are also recorded.
    private static let filePath = "/api/documents/{id}/file"

    /// A page of the screens names the person for whom it was opened. Nothing of theirs goes into the account of a
    /// person who has signed in meanwhile in another tab.
    static func check(_ headers: HTTPFields, against caller: Caller?) throws(AccessError) {
        let expected = headers.single("Expected-Person")
        if let expected, let caller, expected != caller.actor.text { throw .otherPerson }
    }
}

extension ServiceContext {
    /// The caller of a route for persons.
    var person: Caller { caller! }
}

extension AuditThings {
    /// A thing whose identity grants a right.
    init(secret text: String) { self.init(SHA256.digest(of: Array(text.lowercased().utf8))) }
}
