internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Media
internal import People

/// What a person does with their account: sign up, change name and password, view their sessions and end them.
extension DocumentAPI {
    var accountRoutes: [Route] {
        [
            Route("POST", "/api/account", .anyone, signUp),
            Route("PATCH", "/api/account", .account, changeAccount),
            Route("GET", "/api/account/sessions", .account, listSessions),
            Route("DELETE", "/api/account/sessions/{id}", .account, endSession),
        ]
    }

    private static let longestName = 100

    @Sendable
    private func signUp(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        _ = try Self.cookie(request, context)
        let json = try await request.jsonObject(context, keys: ["email", "password", "name"])
        let (address, password) = (try json.required("email"), try json.required("password"))
        let name = try Self.name(json)
        let (client, program) = (context.passage.network, ProgramName(userAgent: request.headers[.userAgent]).text)
        let grant = try await accounts.withPassword { desk -> AccountDesk.Grant? in
            let signUp = try desk.signUp(address, password, metadata: .object(["name": name]), client: client)
            guard signUp.account.confirmed != nil else { return nil }
            return try desk.signIn(address, password, client: client, program: program, inBrowser: true)
        }
        // A person who has signed up continues by the link in a mail. Only the owner of the address learns whether it
        // had an account.
        guard let grant else { return try Self.answer(nil, accounts, status: .accepted) }
        await endSession(of: request, context, accounts)
        var response = try Self.answer(grant.account, accounts, status: .created)
        try Self.give(grant, to: &response, request, context)
        return response
    }

    @Sendable
    private func changeAccount(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let content = try await accounts.authenticator.content(of: context.credentials(of: request))
        let json = try await request.jsonObject(context, keys: ["name", "password", "current_password"])
        let (name, isNamed) = (try Self.name(json), json["name"] != nil)
        if let password = try json.text("password") {
            let hasPassword = try await work.run { try accounts.desk.account(content.person) }.hasPassword
            let (present, client) = (hasPassword ? try json.required("current_password") : "", context.passage.network)
            do {
                try await accounts.withPassword { desk in
                    try desk.changePassword(
                        of: content.person, from: present, to: password, keeping: content.session, client: client)
                }
            } catch AccountError.badCredentials {
                throw RequestError(message: "This is not your password.", field: "current_password")
            }
        }
        let change = [JSON.Member("name", name ?? .null)]
        let account = try await work.run {
            try isNamed
                ? accounts.desk.changeMetadata(of: content.person, by: change)
                : accounts.desk.account(content.person)
        }
        return try Self.answer(account, accounts)
    }

    /// The name in a body, without spaces around it; `nil` if there is none.
    private static func name(_ json: JSON) throws -> JSON? {
        guard let text = try json.text("name") else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.count <= longestName, words.utf8.count <= 4 * longestName,
            !words.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw RequestError(message: "A name can have at most \(longestName) characters.", field: "name") }
        return words.isEmpty ? nil : .string(words)
    }

    @Sendable
    private func listSessions(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let content = try await accounts.authenticator.content(of: context.credentials(of: request))
        return try await data {
            try accounts.desk.sessions(of: content.person).map { session -> JSON in
                .object([
                    "id": .string(session.id.text), "program": .string(session.program),
                    "created_at": .string(session.created.description),
                    "used_at": .string(session.replaced.description),
                    "is_current": .bool(session.id == content.session),
                ])
            }
        }
    }

    /// Ends one session of the person, or, if the name is `others`, every session except the request's own.
    @Sendable
    private func endSession(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let content = try await accounts.authenticator.content(of: context.credentials(of: request))
        let name = context.parameters.get("id") ?? ""
        let id = ID<AccountSession>(name)
        try await work.run {
            if name == "others" {
                return try accounts.desk.store.endSessions(of: content.person, .others(than: content.session))
            }
            guard let id, try accounts.desk.sessions(of: content.person).contains(where: { $0.id == id }) else {
                throw NoSession()
            }
            try accounts.desk.store.endSessions(of: content.person, .only(id))
        }
        return try .data(.object(["id": .string(name)]))
    }
}

/// The person has no such session, or no longer has it.
struct NoSession: Error {
    let message = "This session has already ended."
}

extension JSON {
    /// The text of a key.
    ///
    /// - Throws: `RequestError` if it is absent or anything else.
    func required(_ key: String) throws(RequestError) -> String {
        guard let text = try text(key) else { throw RequestError(message: "\(key) is required.", field: key) }
        return text
    }
}
