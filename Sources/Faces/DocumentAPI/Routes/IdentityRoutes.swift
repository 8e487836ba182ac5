internal import HTTPServing
public import HTTPTypes
internal import Hummingbird
internal import Media
public import People
internal import SignIn

/// Sign-in by providers elsewhere: the way there, and the providers that are connected to an account.
/// `/auth/v1/callback` handles the way back.
extension DocumentAPI {
    var identityRoutes: [Route] {
        [
            Route("POST", "/api/session/elsewhere", .anyone, beginSignIn),
            Route("GET", "/api/account/identities", .account, listIdentities),
            Route("POST", "/api/account/identities", .account, beginConnection),
            Route("DELETE", "/api/account/identities/{id}", .account, disconnect),
        ]
    }

    /// The field that gives a browser the cookie of a session that a provider has begun. The session whose cookie it
    /// replaces ends.
    ///
    /// - Parameter address: the address that the browser has used.
    /// - Returns: `nil` if the cookie could be read in transit.
    public func field(
        giving grant: AccountDesk.Grant, toBrowserAt address: String, _ headers: HTTPFields
    ) async -> HTTPField? {
        guard let accounts, let cookie = SessionCookie(address: address) else { return nil }
        let parts = address.split(separator: "://", maxSplits: 1).map(String.init)
        let sent = SessionCookie.value(in: headers, host: parts.last, scheme: parts.first)
        await endSession(ofCookie: sent, accounts)
        return cookie.set(grant.cookie, for: Self.lifetime(of: grant.session))
    }

    @Sendable
    private func beginSignIn(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let json = try await request.jsonObject(context, keys: ["provider", "next"])
        let path = SignInElsewhere.screenPath(try json.text("next"))
        return try await begin(.screen(path: path), try json.required("provider"), request, context)
    }

    @Sendable
    private func beginConnection(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let content = try await accounts.orNotFound().authenticator.content(of: context.credentials(of: request))
        let json = try await request.jsonObject(context, keys: ["provider"])
        let purpose = SignInPurpose.connection(content.person, content.session)
        return try await begin(purpose, try json.required("provider"), request, context)
    }

    /// Answers with the address at the provider, to which the page goes.
    private func begin(
        _ purpose: SignInPurpose, _ name: String, _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        guard let elsewhere = try accounts.orNotFound().elsewhere else { throw SignInFault.unknown }
        let address = context.address(of: request)
        guard let browser = SignInCookie(request.headers, address: address) else { throw InsecureAddress() }
        let there = try await elsewhere.begin(
            name, purpose, browser: browser.secret, client: context.passage.network)
        var response = try Response.data(.object(["address": .string(there)]))
        response.headers.append(HTTPField(name: .setCookie, value: browser.setting))
        return response
    }

    @Sendable
    private func listIdentities(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let content = try await accounts.authenticator.content(of: context.credentials(of: request))
        return try await data { try accounts.desk.store.identities(of: content.person).map(\.json) }
    }

    @Sendable
    private func disconnect(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let content = try await accounts.authenticator.content(of: context.credentials(of: request))
        guard let id = ID<AccountIdentity>(context.parameters.get("id") ?? "") else { throw NoIdentity() }
        do {
            try await work.run { try accounts.desk.disconnect(id, of: content.person) }
        } catch AccountError.notFound {
            throw NoIdentity()
        }
        return try .data(.object([]))
    }
}

/// A way to sign in that the person does not have, or no longer has.
struct NoIdentity: Error {
    let message = "This way to sign in has already been disconnected."
}

extension AccountIdentity {
    /// The way to sign in as its person sees it.
    var json: JSON {
        .object([
            "id": .string(id.text), "provider": .string(provider), "issuer": .string(issuer),
            "email": address.isEmpty ? .null : .string(address), "created_at": .string(created.description),
            "used_at": .string(used.description),
        ])
    }
}
