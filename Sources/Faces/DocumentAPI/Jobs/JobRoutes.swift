internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Linux
internal import MatchStore
internal import Media
internal import Objects
internal import People

/// The calls of JobMatchNow: a résumé, the jobs that fit it, and why. Answers have no envelope.
struct JobRoutes: Sendable {
    let api: DocumentAPI
    let desk: SearchDesk

    var routes: [DocumentAPI.Route] {
        [
            route("POST", "/api/resume", takesFile: true, receive),
            route("POST", "/api/resume/sample", receiveSample),
            route("GET", "/api/resume/{id}", profile),
            route("PATCH", "/api/resume/{id}", correct),
            route("DELETE", "/api/resume/{id}", remove),
            route("GET", "/api/public/session", session),
            route("GET", "/api/public/session/events", events),
            route("GET", "/api/public/summary", summary),
            route("GET", "/api/public/jobs", jobs),
            // It only reads, although its request has a body.
            route("POST", "/api/jobs/explanation", isChange: false, explanation),
            route("GET", "/api/me/dashboard", for: .person, dashboard),
            route("DELETE", "/api/me/searches", for: .person, removeAll),
        ]
    }

    private func route(
        _ method: String, _ path: String, for audience: Audience = .anyone, isChange: Bool? = nil,
        takesFile: Bool = false, _ handler: @escaping DocumentAPI.Handler
    ) -> DocumentAPI.Route {
        var route = DocumentAPI.Route(
            method, path, audience, isChange: isChange, takesFile: takesFile, handler)
        route.isBare = true
        route.hasSecret = path.contains("{id}")
        return route
    }

    /// Whether an address is below those of JobMatchNow's calls, even if it has no route.
    static func haveAddress(_ path: String) -> Bool {
        ["/api/resume", "/api/public", "/api/jobs", "/api/me"].contains { path == $0 || path.hasPrefix("\($0)/") }
    }

    // MARK: A résumé

    @Sendable
    private func receive(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let most = api.library.options.maxResumeByteCount
        let length = try api.declaredFileLength(of: request, atMost: most)
        let owner = try await beginner(request, context)?.owner
        let memory = try await api.library.objects.room(for: try request.declaredByteCount())
        let form = try await api.files.run {
            try ResumeForm(try api.library.receiveResume(of: owner, announcing: length, in: memory))
        }
        do {
            try await request.withBody(context, api.bodyLimits(atMost: most), room: memory) { body in
                var reader = try FormReader(request)
                while let event = try await reader.next(from: &body) {
                    try await api.files.run { try form.take(event) }
                }
            }
            return try begun(try await api.files.run { try begin(form, owner, context) }, context)
        } catch {
            try? await api.files.run { form.intake.discard() }
            throw error
        }
    }

    /// The service's own résumé, for people who want to look first.
    @Sendable
    private func receiveSample(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let owner = try await beginner(request, context)?.owner
        return try begun(try await api.files.run { try beginSample(for: owner, context) }, context)
    }

    private func beginSample(for owner: ID<Person>?, _ context: ServiceContext) throws -> ResumeSearch {
        let byteCount = Int64(SampleResume.bytes.count)
        let form = try ResumeForm(try api.library.receiveResume(of: owner, announcing: byteCount))
        do {
            try form.take(SampleResume.fileName, SampleResume.bytes)
            return try begin(form, owner, context)
        } catch {
            form.intake.discard()
            throw error
        }
    }

    private func begin(_ form: ResumeForm, _ owner: ID<Person>?, _ context: ServiceContext) throws -> ResumeSearch {
        try form.requireFile()
        return try form.intake.finish { object, fileName in
            try desk.begin(object, fileName: fileName, owner: owner, network: context.passage.network)
        }
    }

    /// Answers a person who has begun a search, and names the search in the audit log.
    private func begun(_ search: ResumeSearch, _ context: ServiceContext) throws -> Response {
        context.subject.note(things: AuditThings(secret: search.id.text))
        return try .bare(search.receipt)
    }

    /// The person who begins a search; `nil` if nobody has signed in. This counts the search, because anyone may begin
    /// one.
    ///
    /// - Throws: `tooManyRequests`.
    private func beginner(_ request: Request, _ context: ServiceContext) async throws -> Caller? {
        let caller = try await caller(request, context, toChange: true)
        try count(caller, context)
        return caller
    }

    private func count(_ caller: Caller?, _ context: ServiceContext) throws(AccessError) {
        let meter = caller == nil ? api.networkBeginnings : api.beginnings
        try meter?.count(caller, from: context.passage.network, at: Time.monotonic)
    }

    /// The person that a request names by token or session; `nil` if it names nobody. An ended session names nobody.
    private func caller(
        _ request: Request, _ context: ServiceContext, toChange isChange: Bool
    ) async throws -> Caller? {
        let credentials = context.credentials(of: request)
        let caller: Caller
        do {
            caller =
                if let named = context.named { try named.get() } else {
                    try await api.authenticator.actingCaller(with: credentials)
                }
        } catch {
            if credentials.bearer != nil || error == .unavailable || error == .notActing { throw error }
            return nil
        }
        try DocumentAPI.check(request.headers, against: caller)
        try await api.authenticator.requireRight(of: caller, toChange: isChange)
        context.subject.note(actor: caller.actor, for: caller.owner)
        return caller
    }

    /// The search that the path names, for its owner.
    private func search(
        _ request: Request, _ context: ServiceContext, toChange isChange: Bool = false
    ) async throws -> (search: ResumeSearch, caller: Caller?) {
        guard let id = context.parameters.get("id").flatMap({ ID<ResumeSearch>($0) }) else {
            throw SearchError.notFound
        }
        let caller = try await caller(request, context, toChange: isChange)
        return (try await api.work.run { try desk.search(id, for: caller?.owner) }, caller)
    }

    @Sendable
    private func profile(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await search(request, context).search
        return try await api.bare {
            let reading = try desk.profile(of: search)
            return search.json(
                reading, years: (reading?.profile).map(desk.years), end: desk.end(of: search))
        }
    }

    @Sendable
    private func correct(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (search, caller) = try await search(request, context, toChange: true)
        let body = try await request.jsonObject(context, keys: ["profile"])
        guard let profile = body["profile"], profile.members != nil else {
            throw RequestError(message: "Send the parts to correct: {\"profile\": {…}}.", field: "profile")
        }
        // A search without an owner was counted when it began.
        if caller != nil { try count(caller, context) }
        return try await api.bare(status: .accepted) { try desk.correct(search, profile).receipt }
    }

    @Sendable
    private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await search(request, context, toChange: true).search
        try await api.files.run { try desk.remove(search) }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    // MARK: What a view token shows

    func shown(_ request: Request) async throws -> ResumeSearch {
        guard let token = try request.queryItems()["token"] else {
            throw RequestError(message: "Name the search: ?token=….", field: "token")
        }
        return try await search(viewToken: token)
    }

    /// The search that a view token shows. The right of its owner is checked, as for everything that persons hand out.
    ///
    /// - Throws: `notFound`, also while the person's account is disabled.
    func search(viewToken token: String) async throws -> ResumeSearch {
        let search = try await api.work.run { try desk.search(viewToken: token) }
        guard let owner = search.owner else { return search }
        guard try await api.authenticator.right(of: owner, for: owner) != nil else { throw SearchError.notFound }
        return search
    }

    @Sendable
    private func session(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try .bare(try await shown(request).sessionJSON)
    }

    @Sendable
    private func summary(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await shown(request)
        return try await api.bare {
            let hasTown = search.state == .completed ? try desk.knowsTown(of: search) : nil
            return search.summary(end: desk.end(of: search), hasTown: hasTown)
        }
    }

    @Sendable
    private func jobs(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let scope = try request.queryItems()["scope"] ?? "national"
        guard ["local", "national"].contains(scope) else {
            throw RequestError(message: "scope must be local or national.", field: "scope")
        }
        let search = try await shown(request)
        return try await api.bare {
            .array(
                try desk.matches(of: search, localOnly: scope == "local").map { match in
                    match.json(age: match.posted.map(desk.age))
                })
        }
    }

    @Sendable
    private func explanation(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let body = try await request.jsonObject(context, keys: ["job_id", "view_token", "evidence"])
        guard let job = try body.text("job_id"), let token = try body.text("view_token") else {
            throw RequestError(message: "Name the job and the search: job_id, view_token.", field: "job_id")
        }
        let wantsEvidence = body["evidence"]?.bool ?? false
        let search = try await search(viewToken: token)
        return try await api.bare {
            try desk.reasons(for: job, in: search).json(withEvidence: wantsEvidence)
        }
    }

    // MARK: A person's searches

    @Sendable
    private func dashboard(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let owner = context.person.owner
        let text = try request.queryItems()["offset"] ?? "0"
        guard let offset = Int(text), (0...1_000_000).contains(offset) else {
            throw RequestError(message: "offset must be the number of searches to skip.", field: "offset")
        }
        return try await api.bare {
            let statistics = try desk.searches.statistics(of: owner)
            let recent = try desk.searches.searches(of: owner, limit: Self.recentCount, offset: offset)
            return statistics.json(recent)
        }
    }

    /// How many searches the dashboard lists at once.
    private static var recentCount: Int { 50 }

    @Sendable
    private func removeAll(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let owner = context.person.owner
        try await api.files.run { try desk.removeAll(of: owner) }
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }
}
