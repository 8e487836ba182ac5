internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Linux
internal import Media
internal import People

/// The handlers of the routes.
extension AuthWire {
    func signUp(_ request: AuthRequest) async throws -> Response {
        let body = try await request.object()
        let (address, password) = try Self.credentials(body)
        let metadata = try Self.metadata(body) ?? .object([])
        let (signUp, grant) = try await withPassword { desk in
            let signUp = try desk.signUp(address, password, metadata: metadata, client: request.client)
            guard signUp.account.confirmed != nil else { return (signUp, AccountDesk.Grant?.none) }
            return (signUp, try desk.signIn(address, password, client: request.client, program: request.program))
        }
        guard let grant else { return .account(Self.json(signUp.account, [], hasEmail: signUp.isNew)) }
        return try await session(grant, request)
    }

    func token(_ request: AuthRequest) async throws -> Response {
        if request.parameter("grant_type") == "pkce" { return try await session(try await exchange(request), request) }
        let body = try await request.object()
        switch request.parameter("grant_type") {
        case "password":
            let (address, password) = try Self.credentials(body)
            return try await session(
                try await withPassword {
                    try $0.signIn(address, password, client: request.client, program: request.program)
                }, request)
        case "refresh_token":
            guard let token = body["refresh_token"]?.string else { throw AuthError.invalid("refresh_token required") }
            let desk = desk
            return try await session(try await work.run { try desk.refresh(token) }, request)
        default: throw AuthError(400, "validation_failed", "unsupported_grant_type")
        }
    }

    func user(_ request: AuthRequest) async throws -> Response {
        let content = try await authenticator.content(of: request.bearer())
        let desk = desk
        return .account(try await json(try await work.run { try desk.account(content.person) }))
    }

    func changeUser(_ request: AuthRequest) async throws -> Response {
        let (token, body) = (try request.bearer(), try await request.object())
        // The session is checked once the whole body is there: sending may have taken long.
        let content = try await authenticator.content(of: token)
        request.subject.note(actor: content.person)
        if body["email"] != nil || body["phone"] != nil {
            throw AuthError.invalid("The address of an account cannot be changed")
        }
        if let password = body["password"], password != .null {
            guard let password = password.string else { throw AuthError.invalid("password is no text") }
            try await withPassword { desk in
                try desk.changePassword(of: content.person, to: password, keeping: content.session)
            }
        }
        let (desk, changes) = (desk, try Self.metadata(body)?.members ?? [])
        return .account(
            try await json(
                try await work.run {
                    try changes.isEmpty
                        ? desk.account(content.person) : desk.changeMetadata(of: content.person, by: changes)
                }))
    }

    func signOut(_ request: AuthRequest) async throws -> Response {
        let content = try await authenticator.content(of: request.bearer())
        request.subject.note(actor: content.person)
        let scope: SessionScope
        switch request.parameter("scope") {
        case nil, "global": scope = .all
        case "local": scope = .only(content.session)
        case "others": scope = .others(than: content.session)
        default: throw AuthError.invalid("Unsupported logout scope")
        }
        let desk = desk
        try await work.run { try desk.store.endSessions(of: content.person, scope) }
        return Response(status: .noContent, headers: [HTTPField.Name("Clear-Site-Data")!: "\"cache\""])
    }

    /// The answer does not reveal which addresses have accounts. Without mail the operator resets passwords.
    func recover(_ request: AuthRequest) async throws -> Response {
        let (body, desk) = (try await request.object(), desk)
        if let address = body["email"]?.string, desk.sendsMail {
            try await work.run { try desk.requestReset(address, client: request.client) }
        }
        return .account(.object([]))
    }

    // MARK: Parts

    /// Runs the body on a thread of low priority: other requests run before passwords.
    private func withPassword<Value: Sendable>(
        _ body: @escaping @Sendable (AccountDesk) throws -> Value
    ) async throws -> Value {
        let desk = desk
        return try await passwords.run {
            PasswordHash.lowerThreadPriority()
            return try body(desk)
        }
    }

    private static func credentials(_ body: JSON) throws(AuthError) -> (address: String, password: String) {
        guard let address = body["email"]?.string else { throw .invalid("An email address is required") }
        guard let password = body["password"]?.string else { throw .invalid("A password is required") }
        return (address, password)
    }

    private static func metadata(_ body: JSON) throws(AuthError) -> JSON? {
        guard let data = body["data"], data != .null else { return nil }
        guard data.members != nil, data.text.utf8.count <= 16 << 10 else {
            throw .invalid("data has to be an object of at most 16 KiB")
        }
        return data
    }

    private func session(_ grant: AccountDesk.Grant, _ request: AuthRequest) async throws -> Response {
        request.subject.note(actor: grant.account.id)
        let now = Instant(microseconds: Time.wall / 1000)
        let token = try await tokens.sign(grant, at: now)
        return .account(
            .object([
                "access_token": .string(token.text), "token_type": .string("bearer"),
                "expires_in": .integer(AccessTokens.lifetime.components.seconds), "expires_at": .integer(token.expiry),
                "refresh_token": .string(grant.refreshToken), "user": try await json(grant.account),
            ]))
    }

    /// The user with their identities.
    private func json(_ account: Account) async throws -> JSON {
        guard !account.providers.isEmpty else { return Self.json(account, []) }
        let identities = try await work.run { [desk] in try desk.store.identities(of: account.id) }
        return Self.json(account, identities.map(\.wireJSON), hasEmail: account.hasPassword)
    }

    private static func json(_ account: Account, _ others: [JSON], hasEmail: Bool = true) -> JSON {
        let (id, address) = (JSON.string(account.id.text), JSON.string(account.address.text))
        let (created, updated) = (
            JSON.string(account.created.postgresText), JSON.string(account.updated.postgresText)
        )
        let confirmed = account.confirmed.map { JSON.string($0.postgresText) } ?? .null
        let identity = JSON.object([
            "identity_id": id, "id": id, "user_id": id, "provider": .string("email"), "email": address,
            "identity_data": .object(["sub": id, "email": address]), "created_at": created, "updated_at": updated,
            "last_sign_in_at": created,
        ])
        return .object([
            "id": id, "aud": .string("authenticated"), "role": .string("authenticated"), "email": address,
            "phone": .string(""), "email_confirmed_at": confirmed, "confirmed_at": confirmed,
            "app_metadata": .object([
                "provider": account.wayNames.first.map(JSON.string) ?? .null,
                "providers": .array(account.wayNames.map(JSON.string)),
            ]),
            "user_metadata": account.metadata,
            "identities": .array((hasEmail ? [identity] : []) + others),
            "created_at": created, "updated_at": updated, "is_anonymous": .bool(false),
        ])
    }
}

extension AccountIdentity {
    /// The identity as clients of Supabase know it.
    fileprivate var wireJSON: JSON {
        let (created, used) = (JSON.string(created.postgresText), JSON.string(used.postgresText))
        let email = address.isEmpty ? JSON.null : .string(address)
        return .object([
            "identity_id": .string(id.text), "id": .string(subject), "user_id": .string(person.text),
            "provider": .string(provider), "email": email,
            "identity_data": .object(["iss": .string(issuer), "sub": .string(subject), "email": email]),
            "created_at": created, "updated_at": used, "last_sign_in_at": used,
        ])
    }
}
