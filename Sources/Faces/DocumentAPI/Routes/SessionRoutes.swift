internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Linux
internal import Media
internal import People

/// Browsers' sessions: signing in and out by a cookie, and who has signed in.
extension DocumentAPI {
    var sessionRoutes: [Route] {
        [
            Route("GET", "/api/session", .anyone, whoCalls),
            Route("POST", "/api/session", .anyone, signIn),
            Route("DELETE", "/api/session", .anyone, signOut),
        ]
    }

    /// Says who has signed in, for whom they act, and how people are identified here. An old cookie is replaced, an
    /// invalid one removed.
    @Sendable
    private func whoCalls(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard let accounts else {
            return try .data(
                .object([
                    "auth": .string(signingIn.name), "sends_mail": .bool(false), "providers": .array([]),
                    "account": .null,
                ]))
        }
        let credentials = context.credentials(of: request)
        guard credentials.bearer == nil, let text = credentials.cookie else {
            let content = try? await accounts.authenticator.content(of: credentials)
            let found = try await content.mapped { content in
                try await work.run {
                    (try accounts.desk.account(content.person), try accounts.desk.athletes(of: content.person))
                }
            }
            return try Self.answer(found?.0, accounts, athletes: found?.1 ?? [])
        }
        do {
            let (grant, athletes) = try await work.run {
                let grant = try accounts.desk.goOn(withCookie: text)
                return (grant, try accounts.desk.athletes(of: grant.account.id))
            }
            var response = try Self.answer(grant.account, accounts, athletes: athletes)
            if grant.cookie != text { try Self.give(grant, to: &response, request, context) }
            return response
        } catch AccountError.unknownToken, AccountError.reusedToken, AccountError.notFound {
            var response = try Self.answer(nil, accounts)
            Self.takeCookie(from: &response, request, context)
            return response
        }
    }

    @Sendable
    private func signIn(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        _ = try Self.cookie(request, context)
        let json = try await request.jsonObject(context, keys: ["email", "password"])
        let (address, password) = (try json.required("email"), try json.required("password"))
        let (client, program) = (context.passage.network, ProgramName(userAgent: request.headers[.userAgent]).text)
        let grant = try await accounts.withPassword {
            try $0.signIn(address, password, client: client, program: program, inBrowser: true)
        }
        await endSession(of: request, context, accounts)
        var response = try Self.answer(grant.account, accounts)
        try Self.give(grant, to: &response, request, context)
        return response
    }

    /// Ends the session of the request, and makes the browser delete what it has cached for the person.
    @Sendable
    private func signOut(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let content = try? await accounts.authenticator.content(of: context.credentials(of: request))
        if let content {
            try await work.run {
                try accounts.desk.store.endSessions(of: content.person, .only(content.session))
            }
        }
        var response = try Self.answer(nil, accounts)
        Self.takeCookie(from: &response, request, context)
        response.headers[.clearSiteData] = "\"cache\""
        return response
    }

    // MARK: Parts

    /// Ends the session whose cookie the browser replaces with another; if that fails, it expires on its own.
    func endSession(of request: Request, _ context: ServiceContext, _ accounts: BrowserAccounts) async {
        await endSession(ofCookie: context.credentials(of: request).cookie, accounts)
    }

    /// The same for a cookie's value; does nothing if there is none.
    func endSession(ofCookie cookie: String?, _ accounts: BrowserAccounts) async {
        guard let cookie,
            let content = try? await accounts.authenticator.content(of: Credentials(cookie: cookie))
        else { return }
        try? await work.run { try accounts.desk.store.endSessions(of: content.person, .only(content.session)) }
    }

    /// Gives the browser the cookie of a session.
    static func give(
        _ grant: AccountDesk.Grant, to response: inout Response, _ request: Request, _ context: ServiceContext
    ) throws {
        response.headers.append(try cookie(request, context).set(grant.cookie, for: lifetime(of: grant.session)))
        context.subject.note(actor: grant.account.id)
    }

    /// How long a browser keeps a session's cookie, rounded up to whole seconds.
    static func lifetime(of session: AccountSession) -> Duration {
        let now = Instant(microseconds: Time.wall / 1000)
        let end = session.end ?? now + AccountSession.idleTime
        return .seconds(max(0, end.microseconds - now.microseconds + 999_999) / 1_000_000)
    }

    static func cookie(_ request: Request, _ context: ServiceContext) throws -> SessionCookie {
        guard let cookie = SessionCookie(address: context.address(of: request)) else { throw InsecureAddress() }
        return cookie
    }

    static func takeCookie(from response: inout Response, _ request: Request, _ context: ServiceContext) {
        if let cookie = SessionCookie(address: context.address(of: request)) {
            response.headers.append(cookie.removal)
        }
    }

    static func answer(
        _ account: Account?, _ accounts: BrowserAccounts, athletes: [AccountDesk.Guardian]? = nil,
        status: HTTPResponse.Status = .ok
    ) throws(ServingError) -> Response {
        try .data(
            .object([
                "auth": .string("local"), "sends_mail": .bool(accounts.desk.sendsMail),
                "providers": accounts.providers, "account": account?.json ?? .null,
                "acting_for": athletes.map { .array($0.map(\.athleteJSON)) },
            ]), status: status)
    }
}

/// The browser used http to another machine: a cookie would be readable in transit.
struct InsecureAddress: Error {
    let message = "Signing in requires HTTPS. Behind a proxy, documentd needs --trusted-proxies."
}

extension Account {
    /// The account as its person sees it.
    var json: JSON {
        .object([
            "id": .string(id.text), "email": .string(address.text), "name": metadata["name"] ?? .null,
            "has_password": .bool(hasPassword), "created_at": .string(created.description),
        ])
    }
}

extension BrowserAccounts? {
    /// The accounts.
    ///
    /// - Throws: `NoAccounts` in a service of one local person.
    func orNotFound() throws -> BrowserAccounts {
        guard let self else { throw NoAccounts() }
        return self
    }
}

/// A request about accounts, to a service that has none.
struct NoAccounts: Error {
    let message = "This service has no accounts (setting auth)."
}

extension Optional where Wrapped: Sendable {
    /// Like `map`, with a body that waits.
    fileprivate func mapped<Value>(_ body: (Wrapped) async throws -> Value) async rethrows -> Value? {
        guard let self else { return nil }
        return try await body(self)
    }
}
