internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Media
internal import People

/// What a person does by a mailed link: set a new password, confirm an address. The links' pages send the token when a
/// button is pressed, because programs that scan mail open links.
extension DocumentAPI {
    var recoveryRoutes: [Route] {
        [
            Route("POST", "/api/account/recovery", .anyone, requestReset),
            Route("POST", "/api/account/password", .anyone, resetPassword),
            Route("POST", "/api/account/confirmation", .anyone, confirm),
        ]
    }

    /// Sends a link if an account has the address. The answer is the same if none has.
    @Sendable
    private func requestReset(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let address = try await request.jsonObject(context, keys: ["email"]).required("email")
        let client = context.passage.network
        try await work.run { try accounts.desk.requestReset(address, client: client) }
        return try .data(.object([]), status: .accepted)
    }

    /// Sets the password, and signs the browser in.
    @Sendable
    private func resetPassword(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        _ = try Self.cookie(request, context)
        let json = try await request.jsonObject(context, keys: ["token", "password"])
        let (token, password) = (try json.required("token"), try json.required("password"))
        let program = ProgramName(userAgent: request.headers[.userAgent]).text
        let grant = try await accounts.withPassword {
            try $0.resetPassword(by: token, to: password, program: program, inBrowser: true)
        }
        await endSession(of: request, context, accounts)
        var response = try Self.answer(grant.account, accounts)
        try Self.give(grant, to: &response, request, context)
        return response
    }

    @Sendable
    private func confirm(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let accounts = try accounts.orNotFound()
        let token = try await request.jsonObject(context, keys: ["token"]).required("token")
        let account = try await work.run { try accounts.desk.confirm(by: token) }
        return try .data(.object(["email": .string(account.address.text)]))
    }
}
