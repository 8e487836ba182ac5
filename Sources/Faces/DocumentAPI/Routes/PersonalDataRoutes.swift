internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Linux
internal import Media
internal import NIOCore
internal import People
internal import PersonalData

/// All data of a person: exported, or removed.
extension DocumentAPI {
    var personalDataRoutes: [Route] {
        [
            Route("GET", "/api/account/archive", .account, archive),
            Route("DELETE", "/api/account", .account, removeAccount),
        ]
    }

    /// All data of the person, as a ZIP archive that is created while it is sent.
    @Sendable
    private func archive(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person, files) = (try accounts.orNotFound(), context.person.actor, files)
        let passage = context.passage
        let turn = try archives.begin(person.text)
        let archive = try await files.run { accounts.archive(try accounts.desk.account(person), accounts.desk) }
        // An error at the beginning becomes an answer.
        let first = try await files.run { try archive.next() } ?? []
        let day = Instant(microseconds: Time.wall / 1000).description.prefix(10)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"compass-\(day).zip\"",
            ],
            body: ResponseBody { writer in
                if !first.isEmpty { try await writer.write(ByteBuffer(bytes: first)) }
                while let piece = try await files.run({ try archive.next() }) {
                    // An empty piece writes nothing, so no write fails when the client has left.
                    if passage.hasClientLeft { throw ServingError.clientLeft }
                    if !piece.isEmpty { try await writer.write(ByteBuffer(bytes: piece)) }
                }
                // A person who has the whole archive may ask for another one.
                turn.end()
                try await writer.finish(nil)
            })
    }

    /// Removes the person who knows the account's password: all sessions end at once, and the person's data follows.
    @Sendable
    private func removeAccount(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person) = (try accounts.orNotFound(), context.person.actor)
        let password = try await request.jsonObject(context, keys: ["password"]).required("password")
        guard try await work.run({ try accounts.desk.account(person) }).hasPassword else {
            throw RequestError(message: "Set a password first. It confirms that it is you.", field: "password")
        }
        let client = context.passage.network
        do {
            try await accounts.withPassword { try $0.requestRemoval(of: person, password, client: client) }
        } catch AccountError.badCredentials {
            throw RequestError(message: "This is not your password.", field: "password")
        }
        var response = try Response.data(.object([]), status: .accepted)
        Self.takeCookie(from: &response, request, context)
        response.headers[.clearSiteData] = "\"cache\", \"storage\""
        return response
    }
}

extension HTTPField.Name {
    /// `Clear-Site-Data` (W3C, "Clear Site Data").
    static let clearSiteData = Self("Clear-Site-Data")!
}
