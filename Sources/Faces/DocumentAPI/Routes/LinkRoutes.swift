internal import Documents
internal import HTTPServing
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// Links to documents, which their owners create and end.
extension DocumentAPI {
    var linkRoutes: [Route] {
        [
            Route("GET", "/api/documents/{id}/links") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let owner = context.person.owner
                return try await data {
                    try shown(try library.store.links(to: id, of: owner))
                }
            },
            Route("POST", "/api/documents/{id}/links") { request, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let json = try await request.jsonObject(context, keys: ["permission", "days"])
                let (permission, days) = (try Self.linkPermission(json), try Self.days(json))
                let caller = context.person
                return try await data(status: .created) {
                    let link = try library.store.addLink(
                        to: id, of: caller.owner, by: caller.actor, permission: permission,
                        lifetime: .seconds(days * 86_400))
                    return try shown([link])[0]
                }
            },
            Route("DELETE", "/api/documents/{id}/links/{link}") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let link: ID<ShareLink> = try context.id("link", or: .link)
                let owner = context.person.owner
                try await work.run { try library.store.removeLink(link, to: id, of: owner) }
                return try .data(.object(["id": .string(link.text)]))
            },
        ]
    }

    private static func linkPermission(_ json: JSON) throws -> ShareLink.Permission {
        guard let text = try json.text("permission") else { return .view }
        guard let permission = ShareLink.Permission(rawValue: text) else {
            throw RequestError(message: "The permission must be view or download.", field: "permission")
        }
        return permission
    }

    private static func days(_ json: JSON) throws -> Int {
        guard let value = json["days"], value != .null else { return 30 }
        guard let days = value.integer, (1...365).contains(days) else {
            throw RequestError(message: "days must be a number from 1 to 365.", field: "days")
        }
        return Int(days)
    }

    /// The links as people who may end them see them. It blocks: each maker is looked up once.
    private func shown(_ links: [ShareLink]) throws -> [JSON] {
        var makers: [ID<Person>: (json: JSON, standing: Standing?)] = [:]
        return try links.map { link in
            if makers[link.maker] == nil {
                makers[link.maker] = (
                    try maker(link.maker), try authenticator.currentStanding(of: link.maker, for: link.owner)
                )
            }
            let (maker, standing) = makers[link.maker]!
            return .object([
                "id": .string(link.id.text), "url": .string(LinkAddress.page(link.token)),
                "permission": .string(link.permission.rawValue), "created_at": .string(link.created.description),
                "expires_at": .string(link.expires.description), "visit_count": .integer(Int64(link.visitCount)),
                "last_visit_at": link.lastVisit.map { .string($0.description) } ?? .null,
                "made_by": maker, "is_open": .bool(link.handedOut.counts(with: standing)),
            ])
        }
    }

    /// A person who made links; for a deleted account, only the identity.
    private func maker(_ id: ID<Person>) throws -> JSON {
        let account = try accounts.flatMap { try $0.desk.store.account(id)?.account }
        return .object([
            "id": .string(id.text), "email": account.map { .string($0.address.text) } ?? .null,
            "name": account?.metadata["name"] ?? .null,
        ])
    }
}
