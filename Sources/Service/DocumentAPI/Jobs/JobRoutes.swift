internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import JobSearch
internal import Library
internal import Media
internal import Objects
internal import SearchDatabase

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
            // It reads, though its question has a body.
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
        return route
    }

    // MARK: A résumé

    @Sendable
    private func receive(_ request: Request, _ context: ServiceContext) async throws -> Response {
        _ = try api.declaredFileLength(of: request)
        let owner = try await owner(request, context, toChange: true)
        let place = try desk.place()
        let form = try await api.work.run { try ResumeForm(try api.library.receive(at: place.path)) }
        do {
            try await request.withBody(context, api.bodyLimits) { body in
                var reader = try FormReader(request)
                while let event = try await reader.next(from: &body) {
                    try await api.work.run { try form.take(event) }
                }
            }
            let search = try await api.work.run {
                let fileName = try form.finish(at: place.path)
                return try desk.begin(place, fileName: fileName, owner: owner)
            }
            return .json(search.receipt)
        } catch {
            try? await api.work.run { form.intake.discard() }
            throw error
        }
    }

    /// The service's own résumé, for people who want to look first.
    @Sendable
    private func receiveSample(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let owner = try await owner(request, context, toChange: true)
        return .json(try await api.work.run { try beginSample(for: owner) }.receipt)
    }

    private func beginSample(for owner: ID<Person>?) throws -> ResumeSearch {
        let place = try desk.place()
        let form = try ResumeForm(try api.library.receive(at: place.path))
        do {
            try form.take(SampleResume.fileName, SampleResume.bytes)
            return try desk.begin(place, fileName: try form.finish(at: place.path), owner: owner)
        } catch {
            form.intake.discard()
            throw error
        }
    }

    /// The person whom a request names by a token or a session; `nil` where it names none. A session that has ended is none.
    private func owner(
        _ request: Request, _ context: ServiceContext, toChange isChange: Bool
    ) async throws -> ID<Person>? {
        let credentials = context.credentials(of: request)
        let caller: Caller
        do {
            caller = try await api.identifying.actingCaller(with: credentials)
        } catch {
            if credentials.bearer != nil || error == .unavailable || error == .notActing { throw error }
            return nil
        }
        try DocumentAPI.check(request.headers, against: caller)
        try await api.identifying.requireRight(of: caller, toChange: isChange)
        return caller.owner
    }

    /// The search that the path names, for its owner.
    private func search(
        _ request: Request, _ context: ServiceContext, toChange isChange: Bool = false
    ) async throws -> ResumeSearch {
        guard let id = context.parameters.get("id").flatMap({ ID<ResumeSearch>($0) }) else {
            throw SearchError.notFound
        }
        let owner = try await owner(request, context, toChange: isChange)
        return try await api.work.run { try desk.search(id, for: owner) }
    }

    @Sendable
    private func profile(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await search(request, context)
        return .json(
            try await api.work.run {
                let profile = try desk.profile(of: search)?.profile
                return search.json(profile, years: profile.map(desk.years), end: desk.end(of: search))
            })
    }

    @Sendable
    private func correct(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await search(request, context, toChange: true)
        let body = try await request.jsonObject(context, keys: ["profile"])
        guard let profile = body["profile"], profile.members != nil else {
            throw RequestError(message: "Send the parts to correct: {\"profile\": {…}}.", field: "profile")
        }
        return .json(try await api.work.run { try desk.correct(search, profile) }.receipt, status: .accepted)
    }

    @Sendable
    private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await search(request, context, toChange: true)
        try await api.work.run { try desk.remove(search) }
        return Response(status: .noContent)
    }

    // MARK: What a view token shows

    func shown(_ request: Request) async throws -> ResumeSearch {
        guard let token = try request.queryItems()["token"] else {
            throw RequestError(message: "Name the search: ?token=….", field: "token")
        }
        return try await api.work.run { try desk.search(viewToken: token) }
    }

    @Sendable
    private func session(_ request: Request, _ context: ServiceContext) async throws -> Response {
        .json(try await shown(request).sessionJSON)
    }

    @Sendable
    private func summary(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await shown(request)
        return .json(search.summary(end: desk.end(of: search)))
    }

    @Sendable
    private func jobs(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let scope = try request.queryItems()["scope"] ?? "national"
        guard ["local", "national"].contains(scope) else {
            throw RequestError(message: "scope is local or national.", field: "scope")
        }
        let search = try await shown(request)
        return .json(
            try await api.work.run {
                .array(
                    try desk.matches(of: search, localOnly: scope == "local").map { match in
                        match.json(age: match.posted.map(desk.age))
                    })
            })
    }

    @Sendable
    private func explanation(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let body = try await request.jsonObject(context, keys: ["job_id", "view_token", "evidence"])
        guard let job = try body.text("job_id"), let token = try body.text("view_token") else {
            throw RequestError(message: "Name the job and the search: job_id, view_token.", field: "job_id")
        }
        let wantsEvidence = body["evidence"]?.bool ?? false
        return .json(
            try await api.work.run {
                let search = try desk.search(viewToken: token)
                return try desk.reasons(for: job, in: search).json(withEvidence: wantsEvidence)
            })
    }

    // MARK: A person's searches

    @Sendable
    private func dashboard(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let owner = context.person.owner
        return .json(
            try await api.work.run {
                let statistics = try desk.searches.statistics(of: owner)
                let recent = try desk.searches.searches(of: owner, limit: Self.recentCount)
                return statistics.json(recent)
            })
    }

    /// How many searches the dashboard lists.
    private static var recentCount: Int { 50 }

    @Sendable
    private func removeAll(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let owner = context.person.owner
        try await api.work.run { try desk.removeAll(of: owner) }
        return Response(status: .noContent)
    }
}
