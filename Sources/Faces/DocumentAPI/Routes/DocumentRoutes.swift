internal import Documents
internal import HTTPServing
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// Lists, details, versions, changes and removal.
extension DocumentAPI {
    var documentRoutes: [Route] {
        [
            Route("GET", "/api/documents") { request, context in
                let query = try ListQuery(request.queryItems())
                let owner = context.person.owner
                return try await data { try library.store.list(query, of: owner) }
            },
            Route("GET", "/api/documents/statistics") { _, context in
                let owner = context.person.owner
                return try await data {
                    try library.store.statistics(of: owner).json(allowed: library.options.personByteCount)
                }
            },
            Route("GET", "/api/documents/{id}") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let owner = context.person.owner
                return try await data { try library.store.document(id, of: owner) }
            },
            Route("PATCH", "/api/documents/{id}") { request, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let change = try DocumentChange(
                    await request.jsonObject(context, keys: ["title", "description", "school_id"]))
                let owner = context.person.owner
                return try await data { try library.change(id, of: owner, to: change) }
            },
            Route("DELETE", "/api/documents/{id}") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let owner = context.person.owner
                try await work.run { _ = try library.store.removeLine(of: id, owner: owner) }
                return try .data(.object(["id": .string(id.text)]))
            },
            Route("GET", "/api/documents/{id}/versions") { _, context in
                let id: ID<Document> = try context.id("id", or: .document)
                let owner = context.person.owner
                return try await data { try library.store.versions(of: id, owner: owner).map(DocumentVersion.init) }
            },
            Route("POST", "/api/documents/{id}/restore") { _, context in
                let id: ID<Document> = try context.id("id", or: .version)
                let owner = context.person.owner
                return try await data { try library.store.restore(id, of: owner) }
            },
        ]
    }

    /// The caller's document that the path names.
    func document(_ context: ServiceContext) async throws -> Document {
        let id: ID<Document> = try context.id("id", or: .document)
        let owner = context.person.owner
        return try await work.run { try library.store.document(id, of: owner) }
    }
}

extension DocumentChange {
    /// The change that a body asks for: absent keys change nothing, null removes a value.
    fileprivate init(_ json: JSON) throws {
        self.init()
        title = try json.text("title")
        if json["title"] == .null { title = "" }
        if json["description"] != nil { description = .some(try json.text("description")) }
        guard json["school_id"] != nil else { return }
        let text = try json.text("school_id")
        guard let text else {
            school = .some(nil)
            return
        }
        guard let id = ID<School>(text) else { throw DocumentError.notFound(.school) }
        school = .some(id)
    }
}
