internal import Access
internal import Documents
internal import HTTPServing
internal import Hummingbird
internal import Library
internal import Media

/// Links to documents, as their owners make and end them.
extension DocumentAPI {
    var linkRoutes: [Route] {
        [
            Route("GET", "/api/documents/{id}/links") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let owner = context.person.owner
                let links = try await work.run { try library.store.links(to: id, of: owner) }
                return .data(.array(links.map(\.json)))
            },
            Route("POST", "/api/documents/{id}/links") { request, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let json = try await request.jsonObject(context, keys: ["permission", "days"])
                let (permission, days) = (try Self.linkPermission(json), try Self.days(json))
                let owner = context.person.owner
                let link = try await work.run {
                    try library.store.addLink(
                        to: id, of: owner, permission: permission, lifetime: .seconds(days * 86_400))
                }
                return .data(link.json, status: .created)
            },
            Route("DELETE", "/api/documents/{id}/links/{link}") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let link: ID<ShareLink> = try context.id("link", or: .link)
                let owner = context.person.owner
                try await work.run { try library.store.removeLink(link, to: id, of: owner) }
                return .data(.object(["id": .string(link.text)]))
            },
        ]
    }

    private static func linkPermission(_ json: JSON) throws -> ShareLink.Permission {
        guard let text = try json.text("permission") else { return .view }
        guard let permission = ShareLink.Permission(rawValue: text) else {
            throw RequestError(message: "The permission is view or download.", field: "permission")
        }
        return permission
    }

    private static func days(_ json: JSON) throws -> Int {
        guard let value = json["days"], value != .null else { return 30 }
        guard let days = value.integer, (1...365).contains(days) else {
            throw RequestError(message: "days is a number from 1 to 365.", field: "days")
        }
        return Int(days)
    }
}

extension ShareLink {
    /// The link as its owner sees it.
    fileprivate var json: JSON {
        .object([
            "id": .string(id.text), "url": .string(LinkAddress.page(token)),
            "permission": .string(permission.rawValue), "created_at": .string(created.description),
            "expires_at": .string(expires.description), "visit_count": .integer(Int64(visitCount)),
            "last_visit_at": lastVisit.map { .string($0.description) } ?? .null,
        ])
    }
}
