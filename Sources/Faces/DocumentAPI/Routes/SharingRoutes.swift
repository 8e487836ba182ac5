internal import Documents
internal import HTTPServing
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// Schools, and sharing with them.
extension DocumentAPI {
    var sharingRoutes: [Route] {
        [
            Route("POST", "/api/documents/{id}/shares") { request, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let json = try await request.jsonObject(context, keys: ["school_ids", "permission"])
                let (schools, permission) = (try Self.schools(json), try Self.permission(json))
                let owner = context.person.owner
                return try await data {
                    try library.store.share(id, of: owner, with: schools, permission: permission)
                }
            },
            Route("DELETE", "/api/documents/{id}/shares/{school}") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let school: ID<School> = try context.id("school", or: .school)
                let owner = context.person.owner
                return try await data { try library.store.unshare(id, of: owner, from: [school]) }
            },
            Route("GET", "/api/schools") { _, context in
                let owner = context.person.owner
                return try await data { try library.store.schools(of: owner).map(\.json) }
            },
            Route("POST", "/api/schools") { request, context in
                let name = try await request.jsonObject(context, keys: ["name"]).text("name") ?? ""
                let owner = context.person.owner
                return try await data(status: .created) { try library.addSchools(named: [name], of: owner)[0].json }
            },
            Route("PATCH", "/api/schools/{id}") { request, context in
                let id: ID<School> = try context.id("id", or: .school)
                let name = try await request.jsonObject(context, keys: ["name"]).text("name") ?? ""
                let owner = context.person.owner
                return try await data { try library.renameSchool(id, of: owner, to: name).json }
            },
            Route("DELETE", "/api/schools/{id}") { _, context in
                let id: ID<School> = try context.id("id", or: .school)
                let owner = context.person.owner
                try await work.run { try library.store.removeSchool(id, of: owner) }
                return try .data(.object(["id": .string(id.text)]))
            },
        ]
    }

    private static func schools(_ json: JSON) throws -> [ID<School>] {
        guard let texts = json["school_ids"]?.array?.map(\.string), (1...100).contains(texts.count) else {
            throw RequestError(message: "school_ids must be a list of 1 to 100 schools.", field: "school_ids")
        }
        return try texts.map { text in
            guard let id = text.flatMap({ ID<School>($0) }) else { throw DocumentError.notFound(.school) }
            return id
        }
    }

    private static func permission(_ json: JSON) throws -> Share.Permission {
        guard let text = try json.text("permission") else { return .view }
        guard let permission = Share.Permission(rawValue: text) else {
            throw RequestError(message: "The permission must be view or edit.", field: "permission")
        }
        return permission
    }
}
