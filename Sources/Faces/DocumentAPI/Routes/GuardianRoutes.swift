internal import HTTPServing
internal import Hummingbird
internal import Media
internal import People

/// Who acts for whom: an athlete invites guardians and lists them, a guardian accepts an invitation, and either ends
/// it.
extension DocumentAPI {
    var guardianRoutes: [Route] {
        [
            Route("GET", "/api/account/guardians", .account, listGuardians),
            Route("POST", "/api/account/guardians", .account, inviteGuardian),
            Route("DELETE", "/api/account/guardians/{id}", .account, endGuardian),
            // The token stays out of addresses, which are logged, so this is a POST that changes nothing.
            Route("POST", "/api/account/invitation", .account, isChange: false, readInvitation),
            Route("POST", "/api/account/invitation/acceptance", .account, acceptInvitation),
        ]
    }

    @Sendable
    private func listGuardians(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person) = (try accounts.orNotFound(), context.person.actor)
        return try await data { try accounts.desk.guardians(of: person).map(\.guardianJSON) }
    }

    @Sendable
    private func inviteGuardian(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person) = (try accounts.orNotFound(), context.person.actor)
        let json = try await request.jsonObject(context, keys: ["email", "right"])
        let (address, name) = (try json.required("email"), try json.required("right"))
        guard let right = ActingRight(rawValue: name) else {
            throw RequestError(message: "right must be view or manage.", field: "right")
        }
        let client = context.passage.network
        let (invited, token) = try await work.run {
            try accounts.desk.invite(address, by: person, right: right, client: client)
        }
        context.subject.note(owner: person, things: AuditThings(invited.guardianship.id))
        let link = JSON.Member("url", .string("/invitation#\(token)"))
        return try .data(.object((invited.guardianJSON.members ?? []) + [link]), status: .created)
    }

    @Sendable
    private func endGuardian(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person) = (try accounts.orNotFound(), context.person.actor)
        guard let id = context.parameters.get("id").flatMap({ ID<Guardianship>($0) }) else { throw NoGuardian() }
        do {
            try await work.run { try accounts.desk.endGuardianship(id, by: person) }
        } catch AccountError.notFound {
            throw NoGuardian()
        }
        return try .data(.object(["id": .string(id.text)]))
    }

    @Sendable
    private func readInvitation(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person) = (try accounts.orNotFound(), context.person.actor)
        let token = try await request.jsonObject(context, keys: ["token"]).required("token")
        return try await data { try accounts.desk.invitation(token, for: person).athleteJSON }
    }

    @Sendable
    private func acceptInvitation(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (accounts, person) = (try accounts.orNotFound(), context.person.actor)
        let token = try await request.jsonObject(context, keys: ["token"]).required("token")
        let found = try await work.run { try accounts.desk.acceptInvitation(token, by: person) }
        context.subject.note(owner: found.guardianship.athlete, things: AuditThings(found.guardianship.id))
        return try .data(found.athleteJSON)
    }
}

/// No guardianship has this identity, or it has ended.
struct NoGuardian: Error {
    let message = "This has already ended."
}

extension AccountDesk.Guardian {
    /// As the athlete's list shows it. Until the invitation is accepted, the address is the one to which it was sent.
    fileprivate var guardianJSON: JSON {
        .object([
            "id": .string(guardianship.id.text),
            "email": .string((account?.address ?? guardianship.address).text),
            "name": account?.metadata["name"] ?? .null, "right": .string(guardianship.right.rawValue),
            "state": .string(guardianship.guardian == nil ? "invited" : "active"),
            "created_at": .string(guardianship.created.description),
            "accepted_at": guardianship.accepted.map { .string($0.description) } ?? .null,
            "invitation_ends_at": guardianship.guardian == nil
                ? .string(guardianship.invitationEnd.description) : .null,
        ])
    }

    /// As the guardian sees it: `id` names the guardianship, `person_id` the athlete.
    var athleteJSON: JSON {
        .object([
            "id": .string(guardianship.id.text), "person_id": .string(guardianship.athlete.text),
            "email": .string((account?.address ?? guardianship.address).text),
            "name": account?.metadata["name"] ?? .null, "right": .string(guardianship.right.rawValue),
        ])
    }
}
